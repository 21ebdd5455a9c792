# Refunds a payment and reads the list of events. Standard library only.
# region
require 'json'
require 'net/http'

# refund('https://pay.example.me', 'YOUR_PROJECT_ID', transaction_id, '500', 'return-12', token)

# Refunds this amount, in cents. An empty amount refunds the rest. Calls with the same key refund only
# once. After an error or a timeout, repeat the call with the same key and the same amount.
def refund(base_url, project_id, transaction_id, amount, key, token)
  what = { projectId: project_id, transactionId: transaction_id, idempotencyKey: key }
  what[:amount] = amount unless amount.to_s.empty?
  post("#{base_url}/sdk/transaction/refund", what, token)['refund'] # id, state and more
end

# Returns what changed after this cursor; nil returns everything. Store 'next' in the same transaction as
# your changes for these events, and send it as after in the next call. Call again while 'hasMore' is
# true.
def read_events(base_url, project_id, after, token)
  what = { projectId: project_id }
  what[:after] = after if after
  post("#{base_url}/sdk/events/list", what, token)
end

def post(url, body, token)
  url = URI(url)
  headers = { 'content-type' => 'application/json', 'authorization' => "Bearer #{token}" }
  waits = { use_ssl: url.scheme == 'https', open_timeout: 5, read_timeout: 30 }
  answer = Net::HTTP.start(url.host, url.port, **waits) do |http|
    http.post(url.path, JSON.generate(body), headers)
  end
  answered = JSON.parse(answer.body)
  # The code says why, for example refund_exceeds.
  raise "Pazar returned status #{answer.code}: #{answered['code']}" unless answer.is_a?(Net::HTTPSuccess)

  answered
end
# endregion

# ruby refund.rb baseUrl projectId [transactionId amount key], with PAZAR_TOKEN in the environment. Without a
# transaction it prints the types of all events.
base_url, project_id, *rest = ARGV
token = ENV.fetch('PAZAR_TOKEN')
begin
  if rest.any?
    made = refund(base_url, project_id, *rest, token)
    puts "#{made['id']} #{made['state']}"
  else
    page = { 'hasMore' => true }
    while page['hasMore']
      page = read_events(base_url, project_id, page['next'], token)
      page['items'].each { |event| puts event['type'] }
    end
  end
rescue RuntimeError, SystemCallError, Timeout::Error => e
  warn e.message
  exit 2
end
