// The orders, and what became of each. They live in memory, so a restart forgets them; a real shop keeps them in its
// database and runs recordCallback in one transaction there.
import type { Callback } from '@pazar/sdk'
import { goods } from './goods.ts'
import type { Good } from './goods.ts'

/** What the payer's browser said on its return; `unknown` for anything Pazar does not send. */
export type ReturnStatus = 'success' | 'fail' | 'cancel' | 'pending' | 'unknown'

export interface Order {
  /** Pazar calls it customId. */
  readonly id: string
  readonly good: Good
  /** What the payer reads on the pay page. Kept, since Pazar refuses one customId with two different texts. */
  readonly data: string
  readonly createdAtMs: number
  /** What the shop goes by. Null until the first verified callback. */
  outcome: Outcome | null
  /** Only for display: anybody can type any status into the return address. */
  returned: { readonly status: ReturnStatus; readonly atMs: number } | null
  callbacksReceived: number
  readonly resultsSeen: Set<string>
}

export interface Outcome {
  readonly successful: boolean
  /** Null for a success, and where Pazar gives no reason. */
  readonly failureCode: string | null
  readonly transactionId: string
  readonly atMs: number
}

export interface Orders {
  add(good: Good, data: string): Order
  find(id: string): Order | null
  /** Makes the order if it is not there yet. */
  findForExam(id: string): Order
  /** Newest first. */
  list(): Order[]
}

export function createOrders(nowMs: () => number): Orders {
  const orders = new Map<string, Order>()
  // Pazar remembers every paid customId for good. Numbers that start again at each restart would meet old ones there and
  // be called "already paid", so each start has a mark of its own. A database's order number needs none.
  const startMark = nowMs().toString(36)
  function keep(id: string, good: Good, data: string): Order {
    const order: Order = {
      id,
      good,
      data,
      createdAtMs: nowMs(),
      outcome: null,
      returned: null,
      callbacksReceived: 0,
      resultsSeen: new Set(),
    }
    orders.set(id, order)
    return order
  }
  return {
    add: (good, data) => keep(`order-${1001 + orders.size}-${startMark}`, good, data),
    find: (id) => orders.get(id) ?? null,
    findForExam: (id) => orders.get(id) ?? keep(id, goods[0]!, id),
    list: () => [...orders.values()].toReversed(),
  }
}

/** Takes verified callbacks only. Says what it did, for the answer and so for Pazar's delivery log. */
export function recordCallback(order: Order, callback: Callback, atMs: number): string {
  const { successful, transactionId } = callback
  order.callbacksReceived += 1
  // A callback is sent until it is acknowledged, and an acknowledgement can get lost: then it comes again.
  const result = `${transactionId} ${successful}`
  if (order.resultsSeen.has(result)) return 'Known already.'
  order.resultsSeen.add(result)
  // Paid stays paid: a failed first try may be reported after the second one, which succeeded. Only the payment itself can
  // be taken back, when a person has checked it; then it comes with another result.
  if (order.outcome?.successful && order.outcome.transactionId !== transactionId)
    return 'The order is paid and stays so.'
  const failureCode = successful ? null : (callback.failureCode ?? null)
  order.outcome = { successful, failureCode, transactionId, atMs }
  // A real shop sends the goods of a paid order here; each order passes this line as paid only once.
  return successful ? 'The order is paid.' : 'The order is not paid.'
}

export type OrderState = 'waiting' | 'paid' | 'failed'

export function toState({ outcome }: Order): OrderState {
  if (outcome === null) return 'waiting'
  return outcome.successful ? 'paid' : 'failed'
}

/** An order as JSON. */
export function toOrderView(order: Order): object {
  const { id, good, outcome, returned, callbacksReceived } = order
  const state = toState(order)
  return { id, good: good.id, amount: good.amount, state, outcome, returned, callbacksReceived }
}

export function parseReturnStatus(text: string | null): ReturnStatus {
  return (['success', 'fail', 'cancel', 'pending'] as const).find((status) => status === text) ?? 'unknown'
}
