// POST /callback, the apiUrl of the project, and the file to copy from. Nothing but a callback verified here may ship
// goods: the payer's return proves nothing, and this address can be posted to by anyone.
import { CallbackVerificationError, verifyCallback } from '@pazar/sdk'
import type { Callback, HeaderSource, Mode } from '@pazar/sdk'
import { recordCallback, toState } from './orders.ts'
import type { Order, Orders } from './orders.ts'

export interface CallbackDeps {
  readonly orders: Orders
  readonly projectId: string
  /** What the shop sells in, and the secret of it. */
  readonly mode: Mode
  readonly secret: string
  /** Beside a live secret: with it the shop understands what is sent from the portal to try it out. */
  readonly testSecret?: string | undefined
  readonly nowMs: () => number
}

/** Pazar stops at the first 2xx and tries anything else again, for about three days. */
export interface CallbackAnswer {
  readonly status: 200 | 400 | 404
  /** Shown in Pazar's delivery log, so it says what to look for and nothing secret. */
  readonly text: string
  /** Where an order was found. Pazar's exam reads it, to see that a paid order stays paid. */
  readonly paid?: boolean
}

export async function receiveCallback(
  deps: CallbackDeps,
  rawBody: Buffer,
  headers: HeaderSource,
): Promise<CallbackAnswer> {
  try {
    const callback = await verifyCallback(rawBody, headers, {
      secret: chooseSecret(deps, rawBody),
      projectId: deps.projectId,
      nowSec: Math.floor(deps.nowMs() / 1000),
      // The price as our own records have it, never as the callback says.
      expectedAmount: (unpriced) => findOrder(deps, unpriced)?.good.amount ?? unpriced.amount,
    })
    const order = findOrder(deps, callback)
    if (order === null) return { status: 200, text: 'Belongs to no order.' }
    const text = recordCallback(order, callback, deps.nowMs())
    return { status: 200, text, paid: toState(order) === 'paid' }
  } catch (error) {
    if (error instanceof CallbackVerificationError) {
      return { status: 400, text: `${error.reason}: ${error.message}` }
    }
    // Somebody paid for an order we do not have. A 2xx would bury that; this way it stays in the delivery log as failed,
    // and is tried again in case the order is only late.
    if (error instanceof UnknownOrderError) return { status: 404, text: error.message }
    throw error
  }
}

class UnknownOrderError extends Error {
  override readonly name = 'UnknownOrderError'
}

/** The mode it claims only chooses the secret: the check then demands that the two belong together. */
function chooseSecret({ secret, testSecret }: CallbackDeps, rawBody: Buffer): string {
  return testSecret !== undefined && rawBody.includes('"mode":"test"') ? testSecret : secret
}

const EXAM_ORDER_PREFIX = 'exam-'

/** Null for a payment without customId, such as a poster's link: real, but none of our orders. */
function findOrder({ orders, mode }: CallbackDeps, callback: Callback): Order | null {
  const { customId } = callback
  if (customId === undefined) return null
  // Pazar's integration exam asks about orders of its own, each for 1500. They are there when it asks, in test mode only.
  if (callback.mode === 'test' && customId.startsWith(EXAM_ORDER_PREFIX)) return orders.findForExam(customId)
  // A test that reaches a shop which sells for real. It must not touch an order that is paid with real money.
  if (callback.mode !== mode) return null
  const order = orders.find(customId)
  if (order === null) throw new UnknownOrderError('The shop has no order with this customId.')
  return order
}
