# The server that Pazar calls. The code above is in the same folder, as verify.rb. Needs: gem install webrick
require 'pstore'
require 'webrick'
require_relative 'verify'

# Your orders, here in a file that is locked while it changes. With a database: one transaction, and
# webhook-id under a unique key.
SHOP = PStore.new(ENV.fetch('ORDERS_FILE', 'orders.pstore'), true)
OPEN = { cents: 1500, state: 'open' }.freeze
SHOP.transaction { SHOP[:all] ||= { seen: {}, orders: { 'order-7' => OPEN.dup }, refunds: {} } }

def price_of(shop, callback)
  id = callback['customId'].to_s
  if callback['mode'] == 'test' && id.start_with?('exam-') # The exam uses its own orders.
    shop[:orders][id] ||= OPEN.dup
  end
  shop[:orders].dig(id, :cents) # nil: an order that is not ours
end

def take(shop, body, headers)
  callback = verify_callback(body, headers, ENV['PAZAR_SECRET'], ->(found) { price_of(shop, found) })
  # A refund or a dispute may come before the payment's own callback.
  order = shop[:orders][callback['customId']]
  unless shop[:seen][headers['webhook-id']] # A repeated callback changes nothing.
    shop[:seen][headers['webhook-id']] = true
    order[:state] = state_after(order[:state], callback) if order
    save_refund(shop, callback) if callback['event'] == 'refund.result' # Disputes you save in the same way.
  end
  { paid: order && order[:state] == 'paid' } # For the exam; 200 is enough for Pazar.
end

def save_refund(shop, callback)
  id, order, status, cents = callback.values_at('refundId', 'customId', 'refundStatus', 'amount')
  # returned is always the last, in whatever order they arrive.
  return if shop[:refunds].dig(id, :status) == 'returned'

  shop[:refunds][id] = { order: order, status: status, cents: cents }
end

server = WEBrick::HTTPServer.new(BindAddress: 'localhost', Port: Integer(ARGV[0] || 4000), AccessLog: [])
server.mount_proc('/') do |request, response|
  headers = request.header.transform_values(&:first)
  # One transaction: if anything fails, nothing is kept, and Pazar tries again.
  answer = SHOP.transaction { take(SHOP[:all], request.body.to_s, headers) }
  response['content-type'] = 'application/json'
  response.body = JSON.generate(answer)
rescue Refused => e
  response.status = 400
  response.body = e.message
end
trap('INT') { server.shutdown }
server.start
