// POST /callback, the apiUrl of the project, and the file to copy from. Only a callback verified here may ship goods: the
// payer's return proves nothing, and anyone can send a POST to this URL.
import { CallbackVerificationError, verifyCallback } from '@pazar/sdk'
import type { AnyCallback, HeaderSource, Mode, Secrets } from '@pazar/sdk'
import { recordCallback, recordDispute, recordRefund } from './orders.ts'
import type { Order, Orders } from './orders.ts'

export interface CallbackDeps {
  readonly orders: Orders
  readonly projectId: string
  /** The mode in which the shop sells, and its secret. */
  readonly mode: Mode
  readonly secret: Secrets
  /** An additional secret for a live shop. With it the shop accepts test callbacks from the portal. */
  readonly testSecret?: string | undefined
  readonly nowMs: () => number
}

/** Pazar stops at the first 2xx and retries after any other status, for about three days. */
export interface CallbackResponse {
  readonly status: 200 | 400 | 404
  /** Shown in Pazar's callback log, so it says what happened and contains no secrets. */
  readonly text: string
  /** Set if an order was found. Pazar's exam reads it, to check that a paid order stays paid. */
  readonly paid?: boolean
}

export async function receiveCallback(
  deps: CallbackDeps,
  rawBody: Buffer,
  headers: HeaderSource,
): Promise<CallbackResponse> {
  try {
    const callback = await verifyCallback(rawBody, headers, {
      secret: chooseSecret(deps, rawBody),
      projectId: deps.projectId,
      nowSec: Math.floor(deps.nowMs() / 1000),
      // These events are also chosen in the project's settings, because Pazar sends only events that a project has chosen.
      events: ['refund.result', 'dispute.opened', 'dispute.closed'],
      // The price from our own records, never from the callback.
      expectedAmount: (unpriced) => findOrder(deps, unpriced)?.good.amount ?? unpriced.amount,
    })
    const order = findOrder(deps, callback)
    if (order === null) return { status: 200, text: 'Belongs to no order.' }
    const text = record(order, callback, deps.nowMs())
    return { status: 200, text, paid: order.outcome?.successful === true }
  } catch (error) {
    if (error instanceof CallbackVerificationError) {
      return { status: 400, text: `${error.reason}: ${error.message}` }
    }
    // Somebody paid for an order that we do not have. A 2xx would hide that. After a 404 the callback is shown as failed in
    // the callback log, and is retried in case the order is stored later.
    if (error instanceof UnknownOrderError) return { status: 404, text: error.message }
    throw error
  }
}

/**
 * Refunds and disputes have their own results, and the payment stays successful. Only `event` says what a callback is about.
 */
function record(order: Order, callback: AnyCallback, nowMs: number): string {
  if (callback.event === 'payment.result') return recordCallback(order, callback, nowMs)
  return callback.event === 'refund.result' ? recordRefund(order, callback) : recordDispute(order, callback)
}

class UnknownOrderError extends Error {
  override readonly name = 'UnknownOrderError'
}

/** The mode in the body only selects the secret. The verification then requires that this secret has signed the body. */
function chooseSecret({ secret, testSecret }: CallbackDeps, rawBody: Buffer): Secrets {
  return testSecret !== undefined && rawBody.includes('"mode":"test"') ? testSecret : secret
}

const EXAM_ORDER_PREFIX = 'exam-'

/**
 * Null for a payment without customId, for example from a printed QR code. Such a payment is real, but not one of our
 * orders.
 */
function findOrder({ orders, mode }: CallbackDeps, callback: AnyCallback): Order | null {
  const { customId } = callback
  if (customId === undefined) return null
  // Pazar's integration exam uses its own orders, each for 1500. They are created on demand, in test mode only.
  if (callback.mode === 'test' && customId.startsWith(EXAM_ORDER_PREFIX)) return orders.findForExam(customId)
  // This is a test callback at a shop that sells in live mode. It must not change an order that is paid with real money.
  if (callback.mode !== mode) return null
  const order = orders.find(customId)
  if (order === null) throw new UnknownOrderError('The shop has no order with this customId.')
  return order
}
