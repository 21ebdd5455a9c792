# Verifies a callback of Pazar, or reports why it is refused. Standard library only.
# region
require 'json'
require 'openssl'

# Respond with 400 and do nothing else; the message is the reason.
class Refused < StandardError; end

# The callback as a hash, once it is certain that Pazar sent it just now.
#
# raw_body: request.raw_post of Rails. JSON that was parsed and rewritten has another signature.
# headers: request.headers of Rails, or a hash with names in lower case.
# secrets: the current secret, and during a rotation the next one too.
# price_of: gets the callback and returns the price of this order in your records, in cents, as a number or
#   a string; nil for an unknown order. A signature does not prove that enough was paid. Only called for
#   payments.
def verify_callback(raw_body, headers, secrets, price_of, now = Time.now.to_i)
  # Anybody can sign with an empty key.
  raise Refused, 'no_secret' if secrets.empty? || secrets.any? { |one| one.to_s.length < 32 }

  timestamp = headers['webhook-timestamp'].to_s
  message = "#{headers['webhook-id']}.#{timestamp}.".b + raw_body.b
  signatures = headers['webhook-signature'].to_s.split(' ')
  secret = secrets.find do |key|
    expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', key, message)].pack('m0')}"
    signatures.any? do |one|
      one.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(one, expected)
    end
  end
  raise Refused, 'bad_signature' unless secret && timestamp.match?(/\A\d+\z/)
  raise Refused, 'expired' if (now - timestamp.to_i).abs > 300 # A replayed old request.

  callback = parse_callback(raw_body)
  raise Refused, 'wrong_mode' if callback['mode'] != (secret.start_with?('sk_test_') ? 'test' : 'live')
  is_payment = callback['event'] == 'payment.result'
  raise Refused, 'amount_mismatch' if is_payment && callback['amount'] != price_of.call(callback).to_s

  callback
end

def parse_callback(raw_body)
  callback = JSON.parse(raw_body)
  raise Refused, 'malformed' unless callback.is_a?(Hash) && callback['event'].is_a?(String)

  callback
rescue JSON::ParserError
  raise Refused, 'malformed'
end

# A callback may repeat, so save its webhook-id under a unique key together with the new state; if it is
# already stored, respond 200 and do nothing else.
# On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
def state_after(state, callback)
  case callback['event']
  when 'payment.result' # Paid stays paid: a late "fail" is about an earlier attempt.
    state == 'paid' || callback['status'] == 'success' ? 'paid' : 'failed'
  when 'refund.result' # Save refundId, refundStatus and refundedTotal. It is not a payment.
    state
  when 'dispute.opened', 'dispute.closed' # Save disputeId and disputeStatus; you can respond until respondBy.
    state
  else # An event that you do not know: respond 200 and ignore it.
    state
  end
end
# endregion

# ruby verify.rb [file]: reads {headers, body, secret, expectedAmount, now?, orderState?}, from the file or stdin.
given = JSON.parse(ARGV[0] ? File.read(ARGV[0], encoding: 'UTF-8') : $stdin.read)
begin
  price_of = ->(_callback) { given['expectedAmount'] }
  now = given['now'] || Time.now.to_i
  callback = verify_callback(given['body'], given['headers'], given['secret'].split, price_of, now)
rescue Refused => e
  puts "refused #{e.message}"
  exit 1
end
puts "ok #{callback['transactionId']}"
puts "order #{state_after(given['orderState'], callback)}" if given['orderState']
