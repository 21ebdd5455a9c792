# The server that Pazar calls. Needs verify.rb in the same folder, and: gem install webrick
require 'pstore'
require 'webrick'
require_relative 'verify'

# Your orders, here in a file that is locked while it changes. With a database: one transaction, and
# webhook-id under a unique key.
SHOP = PStore.new(ENV.fetch('ORDERS_FILE', 'orders.pstore'), true)
# The current secret, and during a rotation the next one too.
SECRETS = ENV.values_at('PAZAR_SECRET', 'PAZAR_NEXT_SECRET').map(&:to_s).reject(&:empty?)
abort 'Set PAZAR_SECRET to the secret of your project.' if SECRETS.empty?
OPEN = { cents: 1500, state: 'open' }.freeze
SHOP.transaction { SHOP[:all] ||= { seen: {}, orders: { 'order-7' => OPEN.dup }, refunds: {} } }

def price_of(shop, callback)
  id = callback['customId'].to_s
  # Test callbacks of the portal and the exam use their own orders.
  shop[:orders][id] ||= OPEN.dup if callback['mode'] == 'test' && id.start_with?('test-', 'exam-')
  shop[:orders].dig(id, :cents) # nil: an order that is not ours
end

def take(shop, body, headers)
  callback = verify_callback(body, headers, SECRETS, ->(found) { price_of(shop, found) })
  # A refund or a dispute may come before the payment's own callback.
  order = shop[:orders][callback['customId']]
  unless shop[:seen][headers['webhook-id']] # A repeated callback changes nothing.
    shop[:seen][headers['webhook-id']] = true
    order[:state] = state_after(order[:state], callback) if order
    save_refund(shop, callback) if callback['event'] == 'refund.result' # Save disputes in the same way.
  end
  paid = order && order[:state] == 'paid'
  id = callback['customId']
  puts "#{id}: #{order ? order[:state] : 'unknown'}"
  puts "#{id}: stop the shipment and check the order" if paid && callback['failureCode'] == 'resolved_unpaid'
  { paid: paid } # For the exam; 200 is enough for Pazar.
end

def save_refund(shop, callback)
  id, order, status, cents = callback.values_at('refundId', 'customId', 'refundStatus', 'amount')
  # The status "returned" is final, in any order of callbacks.
  return if shop[:refunds].dig(id, :status) == 'returned'

  shop[:refunds][id] = { order: order, status: status, cents: cents }
end

$stdout.sync = true
server = WEBrick::HTTPServer.new(BindAddress: 'localhost', Port: Integer(ARGV[0] || 4000), AccessLog: [])
server.mount_proc('/') do |request, response|
  # Anybody can send a body that would fill the memory.
  length = request['content-length'].to_i
  raise WEBrick::HTTPStatus::RequestEntityTooLarge unless length.between?(1, 1_000_000)

  headers = request.header.transform_values(&:first)
  body = request.body.to_s # Before the lock: a slow sender must not stop the others.
  # One transaction: if anything fails, nothing is saved, and Pazar tries again.
  answer = SHOP.transaction { take(SHOP[:all], body, headers) }
  response['content-type'] = 'application/json'
  response.body = JSON.generate(answer)
rescue Refused => e
  puts "refused: #{e.message}"
  response.status = 400
  response.body = e.message
end
trap('INT') { server.shutdown }
server.start
