// The amount of a payment that can still be refunded. A trigger enforces the same limit for refunds that we request.
import type { Payment } from './payment.ts'
import { isPaid } from './payment.ts'

export interface RefundSums {
  refunded: bigint
  /** The sum of refunds that have not ended. */
  processing: bigint
  /** The sum of disputes that are open or lost. */
  disputed: bigint
}

/** Returns at least 0, even if the upstream has refunded more than the amount of the payment. */
export function toRemaining(amount: bigint, { refunded, processing, disputed }: RefundSums): bigint {
  const remaining = amount - refunded - processing - disputed
  return remaining > 0n ? remaining : 0n
}

/** Returns 0 for a payment that does not count as paid, and for a payment that waits for an operator's decision. */
export function toRefundable(
  payment: Pick<Payment, 'amount' | 'state' | 'resolution' | 'needsReview'>,
  sums: RefundSums,
): bigint {
  return isPaid(payment) && !payment.needsReview ? toRemaining(payment.amount, sums) : 0n
}
