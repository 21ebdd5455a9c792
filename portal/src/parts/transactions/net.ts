import type { TransactionView } from '@pazar/contract'

/** A replica of the previous release sends no `refunded`, `disputed` or `refundable`. */
export type MaybeOldTransaction = Pick<TransactionView, 'amount' | 'currency' | 'scale'> &
  Partial<Pick<TransactionView, 'refunded' | 'disputed' | 'refundable'>>

/** Null if nothing was refunded or disputed. */
export function findNet({ amount, refunded = '0', disputed = '0' }: MaybeOldTransaction): string | null {
  if (refunded === '0' && disputed === '0') return null
  return String(BigInt(amount) - BigInt(refunded) - BigInt(disputed))
}
