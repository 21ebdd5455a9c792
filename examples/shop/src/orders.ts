// The orders and their payments, in memory. A real shop stores them in its database, and runs recordCallback in one
// transaction.
import type { Callback, DisputeCallback, RefundCallback } from '@pazar/sdk'
import { goods } from './goods.ts'
import type { Good } from './goods.ts'

/** The status in the payer's return URL. `unknown`: the status is missing, or is none that Pazar sends. */
export type ReturnStatus = 'success' | 'fail' | 'cancel' | 'pending' | 'unknown'

export interface Order {
  /** Pazar calls it customId. */
  readonly id: string
  readonly good: Good
  /** The text on the pay page. Stored, because Pazar refuses another text for the same customId. */
  readonly data: string
  readonly createdAtMs: number
  /** Null until the first verified callback about the result of a payment. */
  outcome: Outcome | null
  /** Only for display, because anybody can change the return URL. */
  returned: { readonly status: ReturnStatus; readonly atMs: number } | null
  callbacksReceived: number
  /** The webhook-ids of the callbacks about payments. */
  readonly callbacksSeen: Set<string>
  /** By the id of the refund. */
  readonly refunds: Map<string, OrderRefund>
}

export interface OrderRefund {
  readonly status: RefundCallback['refundStatus']
  readonly amount: string
  readonly transactionId: string
}

export interface Received {
  readonly webhookId: string
  readonly atMs: number
}

export interface Outcome {
  readonly successful: boolean
  /** Null for a success, and if Pazar sends no reason. */
  readonly failureCode: string | null
  readonly transactionId: string
  readonly atMs: number
}

export interface Orders {
  add(good: Good, data: string): Order
  find(id: string): Order | null
  /** Creates the order if it does not exist. */
  findForExam(id: string): Order
  /** Newest first. */
  list(): Order[]
}

export function createOrders(nowMs: () => number): Orders {
  const orders = new Map<string, Order>()
  // After a restart, the order numbers begin at 1001 again. Pazar refuses a customId that is already paid, so the ids of
  // each start of the shop end with a different mark. Order numbers from a database need no mark.
  const startMark = nowMs().toString(36)
  function addOrder(id: string, good: Good, data: string): Order {
    const order: Order = {
      id,
      good,
      data,
      createdAtMs: nowMs(),
      outcome: null,
      returned: null,
      callbacksReceived: 0,
      callbacksSeen: new Set(),
      refunds: new Map(),
    }
    orders.set(id, order)
    return order
  }
  return {
    add: (good, data) => addOrder(`order-${1001 + orders.size}-${startMark}`, good, data),
    find: (id) => orders.get(id) ?? null,
    findForExam: (id) => orders.get(id) ?? addOrder(id, goods[0]!, id),
    list: () => [...orders.values()].toReversed(),
  }
}

/** Only for verified callbacks. Returns the text of the response, which Pazar's callback log shows. */
export function recordCallback(order: Order, callback: Callback, received: Received): string {
  const { successful, transactionId } = callback
  order.callbacksReceived += 1
  // If the response to a callback gets lost, the callback arrives again with the same webhook-id.
  if (order.callbacksSeen.has(received.webhookId)) return 'Known already.'
  order.callbacksSeen.add(received.webhookId)
  const failureCode = successful ? null : (callback.failureCode ?? null)
  // A paid order stays paid, because an earlier failure may arrive late. The exception: after a review, the operator decides
  // that the payment of the order does not count.
  const isUndone = order.outcome?.transactionId === transactionId && failureCode === 'resolved_unpaid'
  if (order.outcome?.successful && !isUndone) return 'The order is paid and stays so.'
  order.outcome = { successful, failureCode, transactionId, atMs: received.atMs }
  // A real shop ships the goods of a paid order here.
  return successful ? 'The order is paid.' : 'The order is not paid.'
}

/** Only for verified callbacks. The status `returned` is final, even if the callback about the success arrives later. */
export function recordRefund(order: Order, callback: RefundCallback): string {
  const { refundId, refundStatus: status, amount, transactionId } = callback
  order.callbacksReceived += 1
  const earlier = order.refunds.get(refundId)
  if (earlier?.status === status || earlier?.status === 'returned') return 'Known already.'
  order.refunds.set(refundId, { status, amount, transactionId })
  // A real shop corrects its accounts here.
  if (status === 'succeeded') return 'The refund is recorded.'
  return status === 'returned'
    ? 'The money of the refund returned to the merchant.'
    : 'The refund failed, no money was refunded.'
}

/** Only for verified callbacks. */
export function recordDispute(order: Order, { disputeStatus }: DisputeCallback): string {
  order.callbacksReceived += 1
  // For an open dispute, a real shop stops the shipment here, and collects its evidence until `respondBy`.
  return `The dispute is recorded: ${disputeStatus}.`
}

/** The successful refunds of the order's current payment. */
export function listRefunds({ outcome, refunds }: Order): OrderRefund[] {
  return [...refunds.values()].filter(
    ({ status, transactionId }) => status === 'succeeded' && transactionId === outcome?.transactionId,
  )
}

/** In cents. */
export function sumRefunds(order: Order): bigint {
  return listRefunds(order).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

export type OrderState = 'waiting' | 'paid' | 'partlyRefunded' | 'refunded' | 'failed'

export function toState(order: Order): OrderState {
  if (order.outcome === null) return 'waiting'
  if (!order.outcome.successful) return 'failed'
  const refunded = sumRefunds(order)
  if (refunded === 0n) return 'paid'
  return refunded < BigInt(order.good.amount) ? 'partlyRefunded' : 'refunded'
}

export function toOrderView(order: Order): object {
  const { id, good, outcome, returned, callbacksReceived } = order
  const state = toState(order)
  const refunded = String(sumRefunds(order))
  return { id, good: good.id, amount: good.amount, refunded, state, outcome, returned, callbacksReceived }
}

export function parseReturnStatus(text: string | null): ReturnStatus {
  return (['success', 'fail', 'cancel', 'pending'] as const).find((status) => status === text) ?? 'unknown'
}
