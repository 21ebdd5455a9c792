// POST /callback, the apiUrl of the project, and the file to copy from. Nothing but a callback verified here may ship
// goods: the payer's return proves nothing, and this address can be posted to by anyone.
import { CallbackVerificationError, verifyCallback } from '@pazar/sdk'
import type { Callback, HeaderSource } from '@pazar/sdk'
import { recordCallback } from './orders.ts'
import type { Order, Orders } from './orders.ts'

export interface CallbackDeps {
  readonly orders: Orders
  readonly projectId: string
  readonly secret: string
  readonly nowMs: () => number
}

/** Pazar stops at the first 2xx and tries anything else again, for about three days. */
export interface CallbackAnswer {
  readonly status: 200 | 400 | 404
  /** Shown in Pazar's delivery log, so it says what to look for and nothing secret. */
  readonly text: string
}

export async function receiveCallback(
  { orders, projectId, secret, nowMs }: CallbackDeps,
  rawBody: Uint8Array,
  headers: HeaderSource,
): Promise<CallbackAnswer> {
  try {
    const callback = await verifyCallback(rawBody, headers, {
      secret,
      projectId,
      nowSec: Math.floor(nowMs() / 1000),
      // The price as our own records have it, never as the callback says.
      expectedAmount: (unpriced) => findOrder(orders, unpriced)?.good.amount ?? unpriced.amount,
    })
    const order = findOrder(orders, callback)
    if (order === null) return { status: 200, text: 'Belongs to no order.' }
    return { status: 200, text: recordCallback(order, callback, nowMs()) }
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

/** Null for a payment without customId, such as a test callback or a poster's link: real, but none of our orders. */
function findOrder(orders: Orders, { customId }: Callback): Order | null {
  if (customId === undefined) return null
  const order = orders.find(customId)
  if (order === null) throw new UnknownOrderError('The shop has no order with this customId.')
  return order
}
