// The step that charges. Before the call to the upstream, the payment is committed as `processing`. The payment's id is
// the idempotency key of the call. No transaction is open during the call, and one commit records the outcome. If the
// outcome is unknown, the payment stays open, and the reconciler looks it up.
import { requireOpenGate } from '../db/gate-view.ts'
import { newUuidV7 } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { requestCharge } from './request-charge.ts'
import { checkSoon } from './checks-store.ts'
import type { PaymentDeps } from './deps.ts'
import type { Order, Payment } from './payment.ts'
import { isPaid, isSameOrder } from './payment.ts'
import type { BlockingPayment } from './payments-store.ts'
import { isRecordedMoney } from './money-guard.ts'
import { findBlockingPayment, findPayment, openPayment } from './payments-store.ts'
import type { Report } from './reactions.ts'
import { recordReport } from './record-report.ts'

export type Confirmation =
  | { kind: 'payment'; payment: Payment }
  /** Another attempt has paid this order. Its payment is not returned, because it may belong to another payer. */
  | { kind: 'already_paid' }
  /** Another attempt for this order has not ended yet, or is in review. */
  | { kind: 'in_flight'; payment: Payment }
  /** Another attempt that is open, paid or in review has the same customId but another amount or other data. */
  | { kind: 'conflict' }

/**
 * Another round follows only if the payment that blocked the order has failed between two statements. That is rare, so
 * after three rounds the payer has to retry.
 */
const OPEN_ROUNDS_MAX = 3

function isUnavailable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'unavailable'
}

function toConfirmation(order: Order, { payment, sameAttempt, isErased }: BlockingPayment): Confirmation {
  if (sameAttempt) return { kind: 'payment', payment }
  if (!isSameOrder({ ...payment, isErased }, order)) return { kind: 'conflict' }
  return isPaid(payment) ? { kind: 'already_paid' } : { kind: 'in_flight', payment }
}

/** `opened`: a new payment, which this process must send to the upstream. */
async function openOrder(
  deps: PaymentDeps,
  order: Order,
): Promise<{ opened: Payment } | { result: Confirmation }> {
  const id = newUuidV7(deps.clock)
  const { name, accounts } = deps.backends[order.mode]
  const hash = deps.erasedOrders.toHash(order.projectId, order.customId)
  for (let round = 1; round <= OPEN_ROUNDS_MAX; round += 1) {
    let commitError: ServiceError | null = null
    try {
      const opened = await openPayment(deps.db, id, order, name, accounts[0], hash)
      if (opened) return { opened }
    } catch (error) {
      if (!isUnavailable(error)) throw error
      commitError = error
    }
    // If only the response to the commit was lost, the row has our id, and no other process sends the charge.
    const existing = await findBlockingPayment(deps.db, order, hash)
    if (existing?.payment.id === id) return { opened: existing.payment }
    if (existing) return { result: toConfirmation(order, existing) }
    if (commitError) throw commitError
    await requireOpenGate(deps.db)
    if (!(await isRecordedMoney(deps.db, order)))
      throw new ServiceError('unavailable', { retryAfterSec: 60, log: 'the currency or scale was changed' })
    // The other payment failed between the two statements, so the order is free again.
  }
  throw new ServiceError('unavailable', {
    retryAfterSec: 1,
    log: 'other payments of the order keep beginning and failing',
  })
}

/** From here on money may have moved, so no error of ours may be shown as "not charged". */
async function recordOrLeaveOpen(deps: PaymentDeps, payment: Payment, report: Report): Promise<Payment> {
  try {
    const recorded = await recordReport(deps, payment, report)
    if (recorded.state === 'processing') await checkSoon(deps.db, recorded.id)
    return recorded
  } catch (error) {
    deps.log.error(
      { err: error, transactionId: payment.id },
      "the upstream's report could not be recorded; the payment will be looked up",
    )
    return rereadIfPossible(deps, payment)
  }
}

/** The commit may have happened although its response was lost. */
async function rereadIfPossible(deps: PaymentDeps, lastRead: Payment): Promise<Payment> {
  try {
    return (await findPayment(deps.db, lastRead.id)) ?? lastRead
  } catch {
    // The failure of the database is already logged.
    return lastRead
  }
}

export async function confirmPayment(deps: PaymentDeps, order: Order): Promise<Confirmation> {
  await deps.failpoint('S0')
  const openedMs = deps.clock.nowMs()
  const outcome = await deps.openingLimiter.run(() => openOrder(deps, order))
  if ('result' in outcome) return outcome.result
  if (order.mode === 'live') deps.lastWrite.remember(outcome.opened.id)
  await deps.failpoint('S1')
  const report = await requestCharge(deps, outcome.opened, order, openedMs)
  await deps.failpoint('S4')
  const payment = await recordOrLeaveOpen(deps, outcome.opened, report)
  await deps.failpoint('S5')
  return { kind: 'payment', payment }
}
