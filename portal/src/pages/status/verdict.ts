// What the check says about an order first: paid, paid but (partly) refunded or disputed, not paid.
import type { TransactionDetails, TransactionView } from '@pazar/contract'

export type Verdict = 'paid' | 'partlyRefunded' | 'refunded' | 'disputed' | 'refunding' | 'notPaid'

/** A replica of the previous release sends neither sum. */
type Sums = Pick<TransactionView, 'successful' | 'amount'> &
  Partial<Pick<TransactionView, 'refunded' | 'disputed'>>

/** A dispute is named before a refund, because the merchant has to act on it. */
export function toVerdict(
  { successful, amount, refunded = '0', disputed = '0' }: Sums,
  refunds: readonly Pick<TransactionDetails['refunds'][number], 'state'>[] = [],
): Verdict {
  if (!successful) return 'notPaid'
  if (disputed !== '0') return 'disputed'
  if (refunded !== '0') return BigInt(refunded) >= BigInt(amount) ? 'refunded' : 'partlyRefunded'
  return refunds.some(({ state }) => state === 'processing') ? 'refunding' : 'paid'
}
