// What a person is told about an order: paid, paid but in review, (partly) refunded or disputed, not paid yet, or not paid.
// The status checks of the portal and the CLI share these rules. The file has no schemas, because both load it.
import type { TransactionDetails } from './disputes.ts'
import type { TransactionView } from './transactions.ts'

export type OrderVerdict =
  | 'paid'
  | 'paidInReview'
  | 'partlyRefunded'
  | 'refunded'
  | 'disputed'
  | 'disputeLost'
  | 'refunding'
  | 'notPaidYet'
  | 'notPaid'

/** The sums are missing if only the state of the order is known. */
type OrderFacts = Pick<TransactionView, 'successful'> & {
  state: TransactionView['state'] | null
  needsReview?: boolean
} & Partial<Pick<TransactionView, 'amount' | 'refunded' | 'disputed'>>

interface MoneyBack {
  refunds?: readonly Pick<TransactionDetails['refunds'][number], 'state'>[]
  disputes?: readonly Pick<TransactionDetails['disputes'][number], 'state'>[]
}

/** An order whose payment can still succeed is not called unpaid, because the merchant would ask for the money again. */
function toUnpaidVerdict({ state, needsReview = false }: OrderFacts): 'notPaidYet' | 'notPaid' {
  return needsReview || state === 'processing' || state === 'requires_action' ? 'notPaidYet' : 'notPaid'
}

/** Whether a dispute was lost and none is open. While one of several is open, the merchant can still act. */
function isLost(disputes: NonNullable<MoneyBack['disputes']>): boolean {
  return disputes.some(({ state }) => state === 'lost') && disputes.every(({ state }) => state !== 'open')
}

/** A dispute is named first, because the merchant has to act on it, then a review, because they should wait for its decision. */
export function toOrderVerdict(
  order: OrderFacts,
  { refunds = [], disputes = [] }: MoneyBack = {},
): OrderVerdict {
  const { successful, needsReview = false, amount = '0', refunded = '0', disputed = '0' } = order
  if (!successful) return toUnpaidVerdict(order)
  if (disputed !== '0') return isLost(disputes) ? 'disputeLost' : 'disputed'
  if (needsReview) return 'paidInReview'
  if (refunded !== '0') return BigInt(refunded) >= BigInt(amount) ? 'refunded' : 'partlyRefunded'
  return refunds.some(({ state }) => state === 'processing') ? 'refunding' : 'paid'
}
