// Asks the upstream about every payment that has no end yet, by the same idempotency key, until it knows. Never
// "failed" by guess: only once the upstream has promised that it cannot charge any more.
import type { Charge } from '../backends/backend.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import type { Unresolved } from './payments-store.ts'
import { claimUnresolved } from './payments-store.ts'
import { recordReport } from './record-report.ts'
import { requireBackend } from './upstream.ts'

/** Asked at once: enough to catch up after an outage, few enough not to be the next one. */
const BATCH_MAX = 16

/** A payer is looking at the page that asks; past this it shows what we know and asks again by itself. */
const REFRESH_TIMEOUT_MS = 3_000

async function ask(deps: PaymentDeps, { payment, isOverdue }: Unresolved): Promise<Charge> {
  const backend = requireBackend(deps, payment)
  const found = isOverdue ? null : await backend.find(payment.id)
  // Unknown there, or left open at the bank: closing it upstream first is what makes "not charged" true. The request
  // that opened it has ended by now, and one that is stuck on the way meets a closed door.
  return found ?? backend.cancel(payment.id)
}

async function resolveOne(deps: PaymentDeps, unresolved: Unresolved): Promise<void> {
  const { payment, isOverdue } = unresolved
  try {
    await recordReport(deps, payment, await ask(deps, unresolved), isOverdue ? 'expired' : 'cancelled')
  } catch (error) {
    // It was put off when it was claimed, so a later pass asks again.
    deps.log.warn({ err: error, transactionId: payment.id }, 'the upstream could not be asked')
  }
}

/** One pass; returns how many payments were looked at. */
export async function reconcileOnce(deps: PaymentDeps): Promise<number> {
  const open = await claimUnresolved(deps.db, BATCH_MAX, deps.config.actionTimeoutMin)
  await Promise.all(open.map((one) => resolveOne(deps, one)))
  return open.length
}

/** Brings one open payment up to date now, for a payer who is looking at it. */
export async function refreshPayment(deps: PaymentDeps, payment: Payment): Promise<Payment> {
  let found: Charge | null
  try {
    found = await requireBackend(deps, payment).find(payment.id, { timeoutMs: REFRESH_TIMEOUT_MS })
  } catch (error) {
    deps.log.warn({ err: error, transactionId: payment.id }, 'the upstream could not be asked for a payer')
    return payment
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
  let now = payment
  if (payment.state === 'requires_action') {
    try {
      now = await recordReport(deps, payment, await requireBackend(deps, payment).cancel(payment.id))
    } catch (error) {
      deps.log.warn({ err: error, transactionId: payment.id }, 'a bank step could not be closed upstream')
    }
  }
  return { payment: now, mayStartAnew: now.state === 'failed' || now.state === 'expired' }
}
