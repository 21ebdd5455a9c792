# Forwards every test callback of a project to a server on this machine, byte for byte. Standard library only.
require 'json'
require 'net/http'
require 'openssl'
# ruby listen.rb http://localhost:4000, with PAZAR_BASE_URL, PAZAR_PROJECT_ID and PAZAR_TOKEN set.
$stdout.sync = true
SHOP = URI(URI::DEFAULT_PARSER.escape(ARGV[0]))
BASE = ENV.fetch('PAZAR_BASE_URL').chomp('/')
EVENTS = URI("#{BASE}/portal/api/projects/#{ENV.fetch('PAZAR_PROJECT_ID')}/events")
HEADERS = { 'authorization' => "Bearer #{ENV.fetch('PAZAR_TOKEN')}" }
NETWORK = [SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError].freeze
TROUBLE = [*NETWORK, Net::ProtocolError, Net::HTTPBadResponse].freeze

def forward(callback)
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  status = nil
  answer = Net::HTTP.start(SHOP.host, SHOP.port, open_timeout: 15, read_timeout: 15) do |http|
    http.post(SHOP.request_uri, callback['body'], callback['headers'])
  end
  status = answer.code.to_i
  puts "#{callback['id']} #{status}"
rescue *TROUBLE => e
  puts "#{callback['id']} no answer from your shop: #{e.message}"
ensure
  duration_ms = ((Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) * 1000).to_i
  report({ callbackId: callback['id'], statusCode: status, durationMs: duration_ms })
end

# Lets the callback log show how your server responded. A read-only token may not do this.
def report(result)
  own = HEADERS.slice('authorization').merge('content-type' => 'application/json')
  Net::HTTP.post(URI("#{EVENTS}/report"), JSON.generate(result), own)
rescue *TROUBLE
  nil
end

def handle(line)
  name, value = line.chomp.split(': ', 2)
  HEADERS['last-event-id'] = value if name == 'id' # A reconnect continues after this id.
  forward(JSON.parse(value)) if name == 'data' && value.include?('"body":') # Live callbacks have no body.
end

# The service sends a ping every 15 seconds, so 45 seconds without data mean a dead connection.
WAITS = { use_ssl: EVENTS.scheme == 'https', read_timeout: 45, max_retries: 0 }.freeze
loop do
  sleep 1 # A service that restarts gets at most one request a second.
  Net::HTTP.start(EVENTS.host, EVENTS.port, **WAITS) do |http|
    http.request(Net::HTTP::Get.new(EVENTS, HEADERS)) do |answer|
      # A wrong token or an unknown project. After a 429 (too many open streams) the loop tries again.
      abort answer.body if answer.is_a?(Net::HTTPClientError) && answer.code != '429'
      puts 'Listening.' if answer.value.nil? # `value` raises unless the status is 2xx.
      rest = ''.b
      # Only complete events are handled: after a reconnect, an incomplete event comes again.
      answer.read_body { |part| (rest << part).slice!(/.*\n\n/m)&.each_line { |line| handle(line) } }
    end
  end
rescue *TROUBLE => e
  puts "Connecting again: #{e.message}"
end
