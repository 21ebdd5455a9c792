// Sums up an order in one word. This file imports no schemas, because the portal and the CLI load it.
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

type OrderFacts = Pick<TransactionView, 'successful'> & {
  state: TransactionView['state'] | null
  needsReview?: boolean
} & Partial<Pick<TransactionView, 'amount' | 'refunded' | 'disputed'>>

interface MoneyBack {
  refunds?: readonly Pick<TransactionDetails['refunds'][number], 'state'>[]
  disputes?: readonly Pick<TransactionDetails['disputes'][number], 'state'>[]
}

/**
 * An order is `notPaid` only when its payment can no longer succeed. A merchant who reads `notPaid` too early may ask for
 * the money twice.
 */
function toUnpaidVerdict({ state, needsReview = false }: OrderFacts): 'notPaidYet' | 'notPaid' {
  return needsReview || state === 'processing' || state === 'requires_action' ? 'notPaidYet' : 'notPaid'
}

/** An order with a lost dispute and an open one does not count as lost yet: the merchant can still act on the open dispute. */
function isLost(disputes: NonNullable<MoneyBack['disputes']>): boolean {
  return disputes.some(({ state }) => state === 'lost') && disputes.every(({ state }) => state !== 'open')
}

/**
 * The verdict on a paid order names a dispute before anything else, because the merchant has to act while the dispute is
 * open. It names a review before refunds, because the merchant should wait for the decision of the review.
 */
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
