# Writes a signed pay link. Standard library only.
# region
require 'erb'
require 'openssl'

# To print a link, add this at the end and run: ruby sign.rb
# puts pay_url('https://pay.example.me', 'YOUR_PROJECT_ID', '1500', 'Espresso', 'order-7', '',
#              ENV.fetch('PAZAR_SECRET'))

# amount: in cents. data: your own text. custom_id, exp (Unix seconds): empty when the link has none.
def pay_url(base_url, project_id, amount, data, custom_id, exp, secret)
  amount, exp = amount.to_s, exp.to_s
  mode = secret.start_with?('sk_test_') ? 'test' : 'live'
  # The length prefix keeps each value separate from the next one.
  message = ['paylink.v1', mode, project_id, amount, data].map { |one| "#{one.bytesize}:#{one}," }.join
  [custom_id, exp].each { |one| message += one.empty? ? '-,' : "#{one.bytesize}:#{one}," }
  mac = OpenSSL::HMAC.digest('SHA256', secret, message)

  query = { amount: amount, project: project_id, data: data, customId: custom_id }
  query.update(mode: mode == 'test' ? 'test' : '', exp: exp)
  query[:sig] = [mac].pack('m0').tr('+/', '-_').delete('=')
  # Every link has data, even if it is empty.
  given = query.reject { |name, value| value.empty? && name != :data }
  "#{base_url}/pay?#{given.map { |name, value| "#{name}=#{ERB::Util.url_encode(value)}" }.join('&')}"
end
# endregion

# ruby sign.rb baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the environment.
base_url, project_id, amount, data, custom_id, exp = ARGV.map { |one| one.dup.force_encoding('UTF-8') }
puts pay_url(base_url, project_id, amount, data, custom_id.to_s, exp.to_s, ENV.fetch('PAZAR_SECRET'))
