import type { TransactionView } from '@pazar/contract'

/** A replica of the previous release does not send the sums of refunds and disputes. */
export type MaybeOldTransaction = Pick<TransactionView, 'amount' | 'currency' | 'scale'> &
  Partial<Pick<TransactionView, 'refunded' | 'disputed' | 'refundable'>>

/** What is left of a payment after refunds and disputes. Null if there were none, because then all of the amount is left. */
export function findNet({ amount, refunded = '0', disputed = '0' }: MaybeOldTransaction): string | null {
  if (refunded === '0' && disputed === '0') return null
  return String(BigInt(amount) - BigInt(refunded) - BigInt(disputed))
}
