// Verifies a callback of Pazar, or reports why it is refused, with Node's own modules; `@pazar/sdk` does it in one call.
// region
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * rawBody: the bytes as received. JSON that was parsed and rewritten has another signature.
 * headers: names in lower case, as Node's request.headers has them.
 * secrets: the current secret, and during a rotation the next one too.
 * priceOf: the price of this order in your records, in cents, or null for an unknown order. A
 * signature does not prove that enough was paid. Only called for payments.
 */
export async function verifyCallback(
  rawBody: Buffer,
  headers: Record<string, string | string[] | undefined>,
  secrets: readonly string[],
  priceOf: (callback: Callback) => Price | Promise<Price>,
  nowSec = Date.now() / 1000,
): Promise<Callback> {
  // Anybody can sign with an empty key.
  if (secrets.length === 0 || secrets.some((one) => one.length < 32)) throw new Refused('no_secret')
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one))

  const secret = secrets.find((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64')
    const expected = Buffer.from(`v1,${mac}`)
    return signatures.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  })
  if (secret === undefined || !/^\d+$/.test(timestamp)) throw new Refused('bad_signature')
  if (Math.abs(nowSec - Number(timestamp)) > 300) throw new Refused('expired') // A replayed old request.

  const callback = parseCallback(rawBody)
  const mode = secret.startsWith('sk_test_') ? 'test' : 'live'
  if (callback.mode !== mode) throw new Refused('wrong_mode')
  const isPayment = callback.event === 'payment.result'
  if (isPayment && callback.amount !== String(await priceOf(callback))) throw new Refused('amount_mismatch')
  return callback
}

function parseCallback(rawBody: Buffer): Callback {
  try {
    const body = JSON.parse(rawBody.toString()) as Callback | null
    if (typeof body?.event === 'string') return body
  } catch {
    // Not JSON: refused like any signed body that is not a callback.
  }
  throw new Refused('malformed')
}

/**
 * A callback may repeat, so save its webhook-id under a unique key together with the new state; if it is
 * already stored, respond 200 and do nothing else.
 * On a "fail" with failureCode resolved_unpaid about a paid order: stop the shipment, check the order.
 */
export function stateAfter(state: string, callback: Callback): string {
  switch (callback.event) {
    case 'payment.result': // Paid stays paid: a late "fail" is about an earlier attempt.
      return state === 'paid' || callback.status === 'success' ? 'paid' : 'failed'
    case 'refund.result': // Save refundId, refundStatus and refundedTotal. It is not a payment.
    case 'dispute.opened': // Save disputeId and disputeStatus; you can respond until respondBy.
    case 'dispute.closed':
    default: // An event that you do not know: respond 200 and ignore it.
      return state
  }
}

export interface Callback {
  /** payment.result, and refund.result, dispute.opened, dispute.closed if your project receives them. */
  event: string
  /** Only in payment.result. */
  status?: 'success' | 'fail'
  /** Only in a `fail`, for example declined or resolved_unpaid. */
  failureCode?: string
  transactionId: string
  amount: string
  currency: string
  mode: 'live' | 'test'
  customId?: string
  data?: string
  refundId?: string
  refundStatus?: 'succeeded' | 'failed' | 'returned'
  refundedTotal?: string
  disputeId?: string
  disputeStatus?: 'inquiry' | 'open' | 'won' | 'lost'
  respondBy?: string | null
}

/** Compared as text, so a number of cents works too. */
export type Price = string | number | bigint | null

/** Respond with 400 and do nothing else; the message is the reason. */
export class Refused extends Error {}
// endregion

// node verify.ts [file]: reads {headers, body, secret, expectedAmount, now?, orderState?}, from the file or stdin.
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
  const secrets = secret.split(' ')
  const callback = await verifyCallback(Buffer.from(body), headers, secrets, () => expectedAmount, now)
  console.log(`ok ${callback.transactionId}`)
  if (orderState !== undefined) console.log(`order ${stateAfter(orderState, callback)}`)
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.log(`refused ${error.message}`)
  process.exitCode = 1
}
