// The headline of the status check: paid, paid but in review, (partly) refunded or disputed, not paid yet, or not paid.
import type { TransactionDetails, TransactionView } from '@pazar/contract'

export type Verdict =
  | 'paid'
  | 'paidInReview'
  | 'partlyRefunded'
  | 'refunded'
  | 'disputed'
  | 'disputeLost'
  | 'refunding'
  | 'notPaidYet'
  | 'notPaid'

/** A replica of the previous release sends neither `refunded` nor `disputed`. */
type OrderSums = OrderState &
  Pick<TransactionView, 'amount'> &
  Partial<Pick<TransactionView, 'refunded' | 'disputed'>>

interface MoneyBack {
  refunds?: readonly Pick<TransactionDetails['refunds'][number], 'state'>[]
  disputes?: readonly Pick<TransactionDetails['disputes'][number], 'state'>[]
}

type OrderState = Pick<TransactionView, 'successful'> & {
  state: TransactionView['state'] | null
  needsReview?: boolean
}

/** An order whose payment can still succeed is not called unpaid, because the merchant would ask for the money again. */
export function toUnpaidVerdict({ state, needsReview = false }: OrderState): 'notPaidYet' | 'notPaid' {
  return needsReview || state === 'processing' || state === 'requires_action' ? 'notPaidYet' : 'notPaid'
}

/** Whether a dispute was lost and none is open. While one of several is open, the merchant can still act. */
function isLost(disputes: NonNullable<MoneyBack['disputes']>): boolean {
  return disputes.some(({ state }) => state === 'lost') && disputes.every(({ state }) => state !== 'open')
}

/** A dispute is named first, because the merchant has to act on it, then a review, because they should wait for its decision. */
export function toVerdict(payment: OrderSums, { refunds = [], disputes = [] }: MoneyBack = {}): Verdict {
  const { successful, needsReview = false, amount, refunded = '0', disputed = '0' } = payment
  if (!successful) return toUnpaidVerdict(payment)
  if (disputed !== '0') return isLost(disputes) ? 'disputeLost' : 'disputed'
  if (needsReview) return 'paidInReview'
  if (refunded !== '0') return BigInt(refunded) >= BigInt(amount) ? 'refunded' : 'partlyRefunded'
  return refunds.some(({ state }) => state === 'processing') ? 'refunding' : 'paid'
}
