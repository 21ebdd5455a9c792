// POST /callback, the apiUrl of the project. Ship goods only after a verified callback, because the payer's return proves
// nothing and anyone can send a POST to this URL.
import type { IncomingHttpHeaders } from 'node:http'
import { CallbackVerificationError, verifyCallback } from '@pazar/sdk'
import type { AnyCallback, Mode, Secrets } from '@pazar/sdk'
import { recordCallback, recordDispute, recordRefund } from './orders.ts'
import type { Order, Orders, Received } from './orders.ts'

export interface CallbackDeps {
  readonly orders: Orders
  readonly projectId: string
  /** The mode in which the shop sells, and the secret of this mode. */
  readonly mode: Mode
  readonly secret: Secrets
  /** An additional secret, so that a live shop accepts test callbacks from the portal. */
  readonly testSecret?: string | undefined
  readonly nowMs: () => number
}

/** After a 400 or 404, Pazar retries a live callback for about three days. */
export interface CallbackResponse {
  readonly status: 200 | 400 | 404
  /** Shown in Pazar's callback log, so the text must not contain secrets. */
  readonly text: string
  /** Pazar's exam reads this field, to check that a paid order stays paid. */
  readonly paid?: boolean
}

export async function receiveCallback(
  deps: CallbackDeps,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): Promise<CallbackResponse> {
  try {
    const callback = await verifyCallback(rawBody, headers, {
      secret: chooseSecret(deps, rawBody),
      projectId: deps.projectId,
      nowSec: Math.floor(deps.nowMs() / 1000),
      // Pazar sends these only if they are chosen in the project's settings.
      events: ['refund.result', 'dispute.opened', 'dispute.closed'],
      // The price of the order in our own records. A payment without an order may have any amount.
      expectedAmount: (unpriced) => findOrder(deps, unpriced)?.good.amount ?? unpriced.amount,
    })
    const order = findOrder(deps, callback)
    if (order === null) return { status: 200, text: 'Belongs to no order.' }
    const text = record(order, callback, { webhookId: String(headers['webhook-id']), atMs: deps.nowMs() })
    return { status: 200, text, paid: order.outcome?.successful === true }
  } catch (error) {
    if (error instanceof CallbackVerificationError) {
      return { status: 400, text: `${error.reason}: ${error.message}` }
    }
    // The callback names an order that we do not have. After a 404, the callback log shows the callback as failed, and
    // Pazar retries a live callback.
    if (error instanceof UnknownOrderError) return { status: 404, text: error.message }
    throw error
  }
}

/** A refund or a dispute does not change whether the order is paid. */
function record(order: Order, callback: AnyCallback, received: Received): string {
  if (callback.event === 'payment.result') return recordCallback(order, callback, received)
  return callback.event === 'refund.result' ? recordRefund(order, callback) : recordDispute(order, callback)
}

class UnknownOrderError extends Error {
  override readonly name = 'UnknownOrderError'
}

/** The mode in the unverified body only selects the secret. */
function chooseSecret({ secret, testSecret }: CallbackDeps, rawBody: Buffer): Secrets {
  return testSecret !== undefined && rawBody.includes('"mode":"test"') ? testSecret : secret
}

const EXAM_ORDER_PREFIX = 'exam-'

/**
 * Null if the callback must not change an order, for example after a payment by a printed QR code. Throws if the shop
 * does not have the order.
 */
function findOrder({ orders, mode }: CallbackDeps, callback: AnyCallback): Order | null {
  const { customId } = callback
  if (customId === undefined) return null
  // Pazar's integration exam creates its own orders in test mode. Each order costs 1500.
  if (callback.mode === 'test' && customId.startsWith(EXAM_ORDER_PREFIX)) return orders.findForExam(customId)
  // A test callback must not change an order of a live shop.
  if (callback.mode !== mode) return null
  const order = orders.find(customId)
  if (order === null) throw new UnknownOrderError('The shop has no order with this customId.')
  return order
}
