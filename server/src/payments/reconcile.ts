// Looks up every payment that has no end yet at its upstream, by the same idempotency key, until it has one. Never "failed"
// by guess: only once the upstream has promised that it cannot charge any more. It is asked before anything is closed.
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
import { findQuota, toUnheard } from './upstream.ts'

/** Asked at once: enough to catch up after an outage, few enough not to be the next one. */
const BATCH_MAX = 16

/** A payer is looking at the page that asks; past this it shows what we know and asks again by itself. */
const REFRESH_TIMEOUT_MS = 3_000

const DAY_MS = 24 * 3_600_000

async function ask(deps: PaymentDeps, payment: Payment, phase: Phase): Promise<Report> {
  try {
    const found = await callUpstream(deps, payment, 'lookup', (backend) => backend.find(payment.id))
    const closing = toClosing(phase, found?.status ?? null)
    if (found !== null && closing === 'none') return found
    const isUnderway = closing === 'underway'
    return await callUpstream(deps, payment, 'lookup', (backend) =>
      backend.cancel(payment.id, { isUnderway }),
    )
  } catch (error) {
    // It was put off when it was claimed, so a later pass asks again.
    return toUnheard(deps, payment, error)
  }
}

/** One that no lookup brings to its end: it is listed, and an operator's command ends it. */
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
    // Where it was closed by hand and the payment is open still, it is listed again the next day.
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

/** Whether the upstream answered. */
async function resolveOne(deps: PaymentDeps, due: DuePayment): Promise<boolean> {
  const phase = phaseOf(due.open, due.nowMs, deps.config.actionTimeoutMin)
  const report = await ask(deps, due.payment, phase)
  try {
    await recordFound(deps, due, phase, report)
  } catch (error) {
    deps.log.error(
      { err: error, transactionId: due.payment.id },
      "the upstream's answer could not be written down",
    )
  }
  return typeof report !== 'string'
}

/**
 * One pass; returns about how many payments the upstreams answered. None means that there is nothing to ask, or nobody to
 * answer: either way the next pass may wait, and an upstream that is down is not overloaded further.
 */
export async function reconcileOnce(
  deps: PaymentDeps,
  options: { nowMs?: number; backend?: string } = {},
): Promise<number> {
  const { nowMs, backend: only } = options
  const due = await listDueUpstreams(deps.db, nowMs)
  const upstreams = only === undefined ? due : due.filter((backend) => backend === only)
  const answered = await Promise.all(upstreams.map((backend) => reconcileUpstream(deps, backend, nowMs)))
  return answered.reduce((sum, count) => sum + count, 0)
}

async function reconcileUpstream(deps: PaymentDeps, backend: string, nowMs?: number): Promise<number> {
  const due = await claimDue(deps.db, {
    backend,
    quota: findQuota(deps, backend),
    limit: BATCH_MAX,
    nowMs,
    toNextCheckMs: (open, atMs) => toNextCheckMs(open, atMs, deps.config.actionTimeoutMin),
  })
  const answered = await Promise.all(due.map((one) => resolveOne(deps, one)))
  return answered.filter(Boolean).length
}

/** Brings one open payment up to date now, for a payer who is looking at it. */
export async function refreshPayment(deps: PaymentDeps, payment: Payment): Promise<Payment> {
  let found: Report | null
  try {
    const options = { timeoutMs: REFRESH_TIMEOUT_MS }
    found = await callUpstream(deps, payment, 'lookup', (backend) => backend.find(payment.id, options))
  } catch (error) {
    found = toUnheard(deps, payment, error)
  }
  return found ? recordReport(deps, payment, found) : payment
}

/**
 * For a payer who wants to begin anew although a bank's page is still open: the old attempt is closed upstream, and
 * only once that is confirmed may another one go on.
 */
export async function abandonBankStep(
  deps: PaymentDeps,
  payment: Payment,
): Promise<{ payment: Payment; mayStartAnew: boolean }> {
  const isOpen = payment.state === 'requires_action'
  const now = isOpen ? await recordReport(deps, payment, await ask(deps, payment, 'overdue')) : payment
  return { payment: now, mayStartAnew: isUnpaid(now) }
}
