// Checks with Pazar whether an order was paid, with Node's own modules; `@pazar/sdk` does it in one call.
// region
import { createHmac } from 'node:crypto'

// Needs Node 22.18 or newer. To print true or false, add this at the end and run: node check.ts
// console.log(await isPaid('https://pay.example.me', 'YOUR_PROJECT_ID', 'order-7', '1500',
//   process.env.PAZAR_SECRET ?? ''))

/** True if this order was paid with exactly this amount, in cents. An empty amount matches any amount. */
export async function isPaid(
  baseUrl: string,
  projectId: string,
  customId: string,
  amount: string,
  secret: string,
): Promise<boolean> {
  const question = amount ? { projectId, customId, amount } : { projectId, customId }
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(question)}`
  const hash = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`

  const answer = await fetch(`${baseUrl}/sdk/transaction/checkStatus`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, hash }),
    signal: AbortSignal.timeout(10_000), // Ten seconds, because a payer may be waiting.
  })
  if (!answer.ok) throw new Error(`The status check returned status ${answer.status}.`)
  const { successful } = (await answer.json()) as { successful: boolean }
  return successful
}
// endregion

// node check.ts baseUrl projectId customId [amount], with PAZAR_SECRET in the environment.
const [baseUrl = '', projectId = '', customId = '', amount = ''] = process.argv.slice(2)
try {
  const paid = await isPaid(baseUrl, projectId, customId, amount, process.env['PAZAR_SECRET'] ?? '')
  console.log(paid ? 'paid' : 'not paid')
  process.exitCode = paid ? 0 : 1
} catch (error) {
  console.error(String(error))
  process.exitCode = 2
}
