// Writes a signed pay link with Node's own modules; `@pazar/sdk` does it in one call.
// region
import { createHmac } from 'node:crypto'

// Needs Node 22.18 or newer. To print a link, add this at the end and run: node sign.ts
// console.log(payUrl('https://pay.example.me', 'YOUR_PROJECT_ID', '1500', 'Espresso', 'order-7', '',
//   process.env.PAZAR_SECRET ?? ''))

/** amount: in cents. data: your own text. customId, exp (Unix seconds): empty when the link has none. */
export function payUrl(
  baseUrl: string,
  projectId: string,
  amount: string,
  data: string,
  customId: string,
  exp: string,
  secret: string,
): string {
  const mode = secret.startsWith('sk_test_') ? 'test' : 'live'
  const parts = ['paylink.v1', mode, projectId, amount, data, customId || null, exp || null]
  const sig = createHmac('sha256', secret).update(parts.map(netstring).join('')).digest('base64url')

  const values = { amount, project: projectId, data, customId, mode: mode === 'test' ? mode : '', exp, sig }
  const query = Object.entries(values)
    // Every link has data, even if it is empty.
    .filter(([name, value]) => value !== '' || name === 'data')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${baseUrl}/pay?${query.join('&')}`
}

/** The length prefix keeps each value separate from the next one. */
function netstring(value: string | null): string {
  return value === null ? '-,' : `${Buffer.byteLength(value)}:${value},`
}
// endregion

// node sign.ts baseUrl projectId amount data [customId] [exp], with PAZAR_SECRET in the environment.
const [baseUrl = '', projectId = '', amount = '', data = '', customId = '', exp = ''] = process.argv.slice(2)
console.log(payUrl(baseUrl, projectId, amount, data, customId, exp, process.env['PAZAR_SECRET'] ?? ''))
