# Checks with Pazar whether an order was paid. Standard library only.
# region
require 'json'
require 'net/http'
require 'openssl'

# To print true or false, add this at the end and run: ruby check.rb
# puts paid?('https://pay.example.me', 'YOUR_PROJECT_ID', 'order-7', '1500', ENV.fetch('PAZAR_SECRET'))

# True if this order was paid with exactly this amount, in cents. An empty amount matches any amount.
def paid?(base_url, project_id, custom_id, amount, secret)
  question = { projectId: project_id, customId: custom_id }
  question[:amount] = amount unless amount.to_s.empty?
  encode = ->(part) { [part].pack('m0').tr('+/', '-_').delete('=') }
  signed = "#{encode.call('{"alg":"HS256","typ":"JWT"}')}.#{encode.call(JSON.generate(question))}"
  question[:hash] = "#{signed}.#{encode.call(OpenSSL::HMAC.digest('SHA256', secret, signed))}"

  url = URI("#{base_url}/sdk/transaction/checkStatus")
  # In seconds. A payer may be waiting.
  waits = { use_ssl: url.scheme == 'https', open_timeout: 5, read_timeout: 10 }
  answer = Net::HTTP.start(url.host, url.port, **waits) do |http|
    http.post(url.path, JSON.generate(question), 'content-type' => 'application/json')
  end
  answer.value # Raises unless the status is 2xx.
  JSON.parse(answer.body)['successful']
end
# endregion

# ruby check.rb baseUrl projectId customId [amount], with PAZAR_SECRET in the environment.
begin
  paid = paid?(ARGV[0], ARGV[1], ARGV[2], ARGV[3], ENV.fetch('PAZAR_SECRET'))
rescue SystemCallError, Timeout::Error, Net::ProtocolError => e
  warn e.message
  exit 2
end
puts paid ? 'paid' : 'not paid'
exit paid ? 0 : 1
