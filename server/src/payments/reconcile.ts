// Asks the upstream about every payment that has no end yet, by the same idempotency key, until it knows. Never
// "failed" by guess: only once the upstream has promised that it cannot charge any more.
import type { PaymentDeps } from './deps.ts'
import { recordCharge } from './confirm.ts'
import type { Payment } from './payment.ts'
import { claimUnresolved } from './payments-store.ts'

const BATCH_MAX = 50

async function resolveOne(deps: PaymentDeps, payment: Payment): Promise<void> {
  const backend = deps.backends[payment.mode]
  const found = await backend.find(payment.id)
  // Unknown there, and the payer has left: closing it upstream first is what makes "not charged" true.
  await recordCharge(deps, payment, found ?? (await backend.cancel(payment.id)))
}

/** Brings one open payment up to date now, for a payer who is looking at it. */
export async function refreshPayment(deps: PaymentDeps, payment: Payment): Promise<Payment> {
  const found = await deps.backends[payment.mode].find(payment.id)
  return found ? recordCharge(deps, payment, found) : payment
}

/** One pass; returns how many payments were looked at. */
export async function reconcileOnce(deps: PaymentDeps): Promise<number> {
  const open = await claimUnresolved(deps.db, BATCH_MAX)
  for (const payment of open) {
    try {
      await resolveOne(deps, payment)
    } catch (error) {
      // It was put off when it was claimed, so the next pass asks again.
      deps.log.warn({ err: error, transactionId: payment.id }, 'the upstream could not be asked')
    }
  }
  return open.length
}
