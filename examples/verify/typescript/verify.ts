// Believes a callback of Pazar, or says why not, with Node's own modules; `@pazar/sdk` does it in one call.
// region
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Callback {
  status: 'success' | 'fail'
  transactionId: string
  amount: string
  mode: 'live' | 'test'
  customId?: string
  data?: string
}

/** Compared as text, so a number of cents will do. */
export type Price = string | number | bigint | null

/** Answer 400 and do nothing else; the message is the reason. */
export class Refused extends Error {}

/**
 * rawBody: the bytes as they came. JSON that was parsed and written again is not what was signed.
 * headers: names in lower case, as Node's request.headers has them.
 * priceOf: what this order costs by your own records, in cents, or null for an order you do not know. A
 * signature does not say that it was enough.
 */
export async function verifyCallback(
  rawBody: Buffer,
  headers: Record<string, string | string[] | undefined>,
  secret: string,
  priceOf: (callback: Callback) => Price | Promise<Price>,
  nowSec = Date.now() / 1000,
): Promise<Callback> {
  if (secret.length < 32) throw new Refused('no_secret') // Anybody can sign with an empty key.
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const signatures = String(headers['webhook-signature'])

  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(rawBody).digest('base64')
  const expected = Buffer.from(`v1,${mac}`)
  const isSigned = signatures
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  if (!isSigned || !/^\d+$/.test(timestamp)) throw new Refused('bad_signature')
  if (Math.abs(nowSec - Number(timestamp)) > 300) throw new Refused('expired') // An old request, sent again.

  const callback = parseCallback(rawBody)
  const mode = secret.startsWith('sk_test_') ? 'test' : 'live'
  if (callback.mode !== mode) throw new Refused('wrong_mode')
  if (callback.amount !== String(await priceOf(callback))) throw new Refused('amount_mismatch')
  return callback
}

function parseCallback(rawBody: Buffer): Callback {
  try {
    const body = JSON.parse(rawBody.toString()) as (Callback & { event: string }) | null
    if (body?.event === 'payment.result') return body
  } catch {
    // Not even JSON: refused like everything else that is signed and no callback.
  }
  throw new Refused('malformed')
}

/**
 * Paid stays paid: a late "fail" tells of an earlier try. A callback may come twice, so save its webhook-id
 * under a unique key together with the new state; if it is there already, answer 200 and do nothing else.
 */
export function stateAfter(state: string, callback: Callback): string {
  return state === 'paid' || callback.status === 'success' ? 'paid' : 'failed'
}
// endregion

// node verify.ts [file]: reads {headers, body, secret, expectedAmount, now?, orderState?}, also from stdin.
import { readFileSync } from 'node:fs'

const given = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8')) as {
  headers: Record<string, string>
  body: string
  secret: string
  expectedAmount: string
  now?: number
  orderState?: string
}
try {
  const { headers, body, secret, expectedAmount, now, orderState } = given
  const callback = await verifyCallback(Buffer.from(body), headers, secret, () => expectedAmount, now)
  console.log(`ok ${callback.transactionId}`)
  if (orderState !== undefined) console.log(`order ${stateAfter(orderState, callback)}`)
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.log(`refused ${error.message}`)
  process.exitCode = 1
}
