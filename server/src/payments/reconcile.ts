// Looks up open payments at their upstream until they end. Payments that an operator ended as unpaid are looked up until
// the upstream reports an end or a charge. A lookup may also cancel a payment at the upstream, so that no charge can follow.
import { callUpstream } from './call-upstream.ts'
import type { OpenPayment, Phase } from './check-plan.ts'
import { needsOperator, phaseOf, toClosing, toNextCheckMs } from './check-plan.ts'
import type { DuePayment } from './checks-store.ts'
import { claimDue, listDueUpstreams } from './checks-store.ts'
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'
import type { Payment } from './payment.ts'
import { isFinal, isUnpaid } from './payment.ts'
import type { Report } from './reactions.ts'
import { toEvent } from './reactions.ts'
import { recordReport } from './record-report.ts'
import { findQuota, toNoResponse } from './upstream.ts'

/**
 * One run makes at most this many lookups of each kind (urgent, waiting, unconfirmed) at an upstream. More lookups
 * could overload an upstream that is just recovering.
 */
const BATCH_MAX = 16

/** A payer is waiting for the page. After this time the page shows the stored state and polls again. */
const REFRESH_TIMEOUT_MS = 3_000

const DAY_MS = 24 * 3_600_000

async function lookUp(deps: PaymentDeps, payment: Payment, phase: Phase): Promise<Report> {
  try {
    const found = await callUpstream(deps, payment, 'lookup', (backend) => backend.find(payment.id))
    const closing = toClosing(phase, found?.status ?? null)
    if (found !== null && closing === 'none') return found
    const evenIfPayerFinished = closing === 'underway'
    return await callUpstream(deps, payment, 'lookup', (backend) =>
      backend.cancel(payment.id, { evenIfPayerFinished }),
    )
  } catch (error) {
    return toNoResponse(deps, payment, error)
  }
}

async function raiseUnresolved(
  deps: PaymentDeps,
  due: DuePayment,
  payment: Payment,
  phase: Phase,
): Promise<void> {
  const facts = {
    state: payment.state,
    phase,
    backend: payment.backend,
    amount: payment.amount.toString(),
    currency: payment.currency,
    // This fact changes once a day. So a closed incident reopens the next day if the payment is still open.
    openForDays: Math.floor((due.nowMs - due.open.createdMs) / DAY_MS).toString(),
  }
  const incident = { kind: 'unresolved' as const, transactionId: payment.id, subject: payment.id, facts }
  await raiseIncident(deps, incident, { needsReview: true, onlyIfPaymentIsOpen: true })
}

/** The time at the bank starts again if the payer has just been sent to a page. */
function toOpenAfter({ open, nowMs }: DuePayment, { state, actionUrl }: Payment): OpenPayment {
  const isNewPage = open.actionUrl === null && actionUrl !== null
  return { ...open, state, actionUrl, ...(isNewPage && { actionMs: nowMs }) }
}

async function recordLookup(deps: PaymentDeps, due: DuePayment, phase: Phase, report: Report): Promise<void> {
  const { actionTimeoutMin } = deps.config
  const isLate = phase === 'overdue' || phase === 'overlong'
  const recorded = await recordReport(deps, due.payment, report, {
    cancelledAs: isLate ? 'expired' : 'cancelled',
  })
  // A payment in review already has an incident.
  if (isFinal(recorded.state) || due.open.needsReview) return
  const open = toOpenAfter(due, recorded)
  if (needsOperator(open, toEvent(recorded, report), due.nowMs, actionTimeoutMin))
    await raiseUnresolved(deps, due, recorded, phase)
}

async function lookUpAndRecord(deps: PaymentDeps, due: DuePayment): Promise<boolean> {
  const phase = phaseOf(due.open, due.nowMs, deps.config.actionTimeoutMin)
  const report = await lookUp(deps, due.payment, phase)
  try {
    await recordLookup(deps, due, phase, report)
  } catch (error) {
    deps.log.error(
      { err: error, transactionId: due.payment.id },
      "the upstream's report could not be recorded",
    )
  }
  return typeof report !== 'string'
}

/**
 * Returns the number of payments for which an upstream gave a usable response. If it is 0, the caller may wait before the
 * next run.
 */
export async function reconcileOnce(
  deps: PaymentDeps,
  options: { nowMs?: number; backend?: string } = {},
): Promise<number> {
  // After a restore, a payment may be missing in the database. If a lookup ended another payment of the same order as
  // failed, the merchant would get a failure, although the missing payment may have paid the order.
  if (deps.restoreGate.isClosed()) return 0
  const { nowMs, backend: only } = options
  const due = await listDueUpstreams(deps.db, nowMs)
  const upstreams = only === undefined ? due : due.filter((backend) => backend === only)
  const responded = await Promise.all(upstreams.map((backend) => reconcileUpstream(deps, backend, nowMs)))
  return responded.reduce((sum, count) => sum + count, 0)
}

async function reconcileUpstream(deps: PaymentDeps, backend: string, nowMs?: number): Promise<number> {
  const due = await claimDue(deps.db, {
    backend,
    quota: findQuota(deps, backend),
    limit: BATCH_MAX,
    nowMs,
    toNextCheckMs: (open, atMs) => toNextCheckMs(open, atMs, deps.config.actionTimeoutMin),
  })
  const responded = await Promise.all(due.map((one) => lookUpAndRecord(deps, one)))
  return responded.filter(Boolean).length
}

export async function refreshPayment(deps: PaymentDeps, payment: Payment): Promise<Payment> {
  // After a restore, a lookup could end this payment as failed, although a payment that is missing here may have paid the
  // order. The restore may also have lost what the adapter had stored about this payment.
  if (deps.restoreGate.isClosed()) return payment
  let found: Report | null
  try {
    const options = { timeoutMs: REFRESH_TIMEOUT_MS }
    found = await callUpstream(deps, payment, 'lookup', (backend) => backend.find(payment.id, options))
  } catch (error) {
    found = toNoResponse(deps, payment, error)
  }
  return found ? recordReport(deps, payment, found) : payment
}

/**
 * Used when a payer starts over while a bank's page is open. A new payment may be opened only after it is certain that
 * the old one can no longer be paid.
 */
export async function abandonBankStep(
  deps: PaymentDeps,
  payment: Payment,
): Promise<{ payment: Payment; mayStartOver: boolean }> {
  const isAtBank = payment.state === 'requires_action'
  // The lookup treats the payment as overdue, so it also closes the bank's page, unless the payer has finished there.
  const current = isAtBank
    ? await recordReport(deps, payment, await lookUp(deps, payment, 'overdue'))
    : payment
  return { payment: current, mayStartOver: isUnpaid(current) }
}
