// Asks the upstream about every payment that has no end yet, by the same idempotency key, until it knows. Never
// "failed" by guess: only once the upstream has promised that it cannot charge any more.
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import { isInReview } from './payment.ts'
import type { Unresolved } from './payments-store.ts'
import { claimUnresolved } from './payments-store.ts'
import type { Report } from './reactions.ts'
import { recordReport } from './record-report.ts'
import { requireBackend, toUnheard } from './upstream.ts'

/** Asked at once: enough to catch up after an outage, few enough not to be the next one. */
const BATCH_MAX = 16

/** A payer is looking at the page that asks; past this it shows what we know and asks again by itself. */
const REFRESH_TIMEOUT_MS = 3_000

async function ask(deps: PaymentDeps, { payment, isOverdue }: Unresolved): Promise<Report> {
  try {
    const backend = requireBackend(deps, payment)
    const found = isOverdue ? null : await backend.find(payment.id)
    // Unknown there, or left open at the bank: closing it upstream first is what makes "not charged" true. The request
    // that opened it has ended by now, and one that is stuck on the way meets a closed door.
    return found ?? (await backend.cancel(payment.id))
  } catch (error) {
    // It was put off when it was claimed, so a later pass asks again.
    return toUnheard(deps, payment, error)
  }
}

/** Whether the upstream had a word to say about it. */
async function resolveOne(deps: PaymentDeps, unresolved: Unresolved): Promise<boolean> {
  const { payment, isOverdue } = unresolved
  const report = await ask(deps, unresolved)
  try {
    await recordReport(deps, payment, report, isOverdue ? 'expired' : 'cancelled')
  } catch (error) {
    deps.log.error({ err: error, transactionId: payment.id }, "the upstream's word could not be written down")
  }
  return typeof report !== 'string'
}

/**
 * One pass; returns of how many payments the upstream had a word to say. None means that there is nothing to ask, or
 * nobody to answer: either way the next pass may wait, and an upstream that is down is not run down further.
 */
export async function reconcileOnce(deps: PaymentDeps): Promise<number> {
  const open = await claimUnresolved(deps.db, BATCH_MAX, deps.config.actionTimeoutMin)
  const heard = await Promise.all(open.map((one) => resolveOne(deps, one)))
  return heard.filter(Boolean).length
}

/** Brings one open payment up to date now, for a payer who is looking at it. */
export async function refreshPayment(deps: PaymentDeps, payment: Payment): Promise<Payment> {
  let found: Report | null
  try {
    found = await requireBackend(deps, payment).find(payment.id, { timeoutMs: REFRESH_TIMEOUT_MS })
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
  const now = isOpen
    ? await recordReport(deps, payment, await ask(deps, { payment, isOverdue: true }))
    : payment
  const hasEnded = now.state === 'failed' || now.state === 'expired'
  return { payment: now, mayStartAnew: hasEnded && !isInReview(now) }
}
