// Looks up every open payment at its upstream, by the same idempotency key, until it ends. A payment fails only once the
// upstream confirms that it cannot charge any more, and it is always looked up before it is closed.
import { callUpstream } from './call-upstream.ts'
import type { Phase } from './check-plan.ts'
import { needsPerson, phaseOf, toClosing, toNextCheckMs } from './check-plan.ts'
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

/** Concurrent lookups: enough to catch up after an outage, few enough not to overload an upstream that recovers. */
const BATCH_MAX = 16

/** A payer is waiting for the page; after this it shows the stored state and polls again. */
const REFRESH_TIMEOUT_MS = 3_000

const DAY_MS = 24 * 3_600_000

async function lookUp(deps: PaymentDeps, payment: Payment, phase: Phase): Promise<Report> {
  try {
    const found = await callUpstream(deps, payment, 'lookup', (backend) => backend.find(payment.id))
    const closing = toClosing(phase, found?.status ?? null)
    if (found !== null && closing === 'none') return found
    const isUnderway = closing === 'underway'
    return await callUpstream(deps, payment, 'lookup', (backend) =>
      backend.cancel(payment.id, { isUnderway }),
    )
  } catch (error) {
    // Claiming it has set the time of its next lookup.
    return toNoResponse(deps, payment, error)
  }
}

/** No lookup ends this payment, so an operator has to. */
async function raiseUnresolved(
  deps: PaymentDeps,
  due: DuePayment,
  now: Payment,
  phase: Phase,
): Promise<void> {
  const facts = {
    state: now.state,
    phase,
    backend: now.backend,
    amount: now.amount.toString(),
    currency: now.currency,
    // Changes once a day, so that an incident closed while the payment is still open opens again the next day.
    openForDays: Math.floor((due.nowMs - due.open.createdMs) / DAY_MS).toString(),
  }
  const incident = { kind: 'unresolved' as const, transactionId: now.id, subject: now.id, facts }
  await raiseIncident(deps, incident, { needsReview: true, onlyWhileOpen: true })
}

async function recordFound(deps: PaymentDeps, due: DuePayment, phase: Phase, report: Report): Promise<void> {
  const { actionTimeoutMin } = deps.config
  const isLate = phase === 'overdue' || phase === 'overlong'
  const now = await recordReport(deps, due.payment, report, { cancelledAs: isLate ? 'expired' : 'cancelled' })
  // One in review is listed already.
  if (isFinal(now.state) || due.open.needsReview) return
  const open = { ...due.open, state: now.state, actionUrl: now.actionUrl }
  if (needsPerson(open, toEvent(now, report), due.nowMs, actionTimeoutMin))
    await raiseUnresolved(deps, due, now, phase)
}

/** Whether the upstream responded. */
async function resolveOne(deps: PaymentDeps, due: DuePayment): Promise<boolean> {
  const phase = phaseOf(due.open, due.nowMs, deps.config.actionTimeoutMin)
  const report = await lookUp(deps, due.payment, phase)
  try {
    await recordFound(deps, due, phase, report)
  } catch (error) {
    deps.log.error(
      { err: error, transactionId: due.payment.id },
      "the upstream's report could not be recorded",
    )
  }
  return typeof report !== 'string'
}

/**
 * One pass; returns for how many payments an upstream responded. With none, nothing was due or the upstreams are down, so
 * the next pass may wait.
 */
export async function reconcileOnce(
  deps: PaymentDeps,
  options: { nowMs?: number; backend?: string } = {},
): Promise<number> {
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
  const responded = await Promise.all(due.map((one) => resolveOne(deps, one)))
  return responded.filter(Boolean).length
}

/** Brings one open payment up to date for a payer who has its page open. */
export async function refreshPayment(deps: PaymentDeps, payment: Payment): Promise<Payment> {
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
 * For a payer who wants to start over although a bank's page is still open: the old payment is closed upstream, and only
 * once that is confirmed may another one be opened.
 */
export async function abandonBankStep(
  deps: PaymentDeps,
  payment: Payment,
): Promise<{ payment: Payment; mayStartOver: boolean }> {
  const isOpen = payment.state === 'requires_action'
  const now = isOpen ? await recordReport(deps, payment, await lookUp(deps, payment, 'overdue')) : payment
  return { payment: now, mayStartOver: isUnpaid(now) }
}
