import type { TransactionView } from '@pazar/contract'
import { findNet } from '../../parts/transactions/net.ts'

type Name = 'resolvedPaid' | 'resolvedUnpaid' | 'inReviewPaid' | 'inReview'

/** `hasToDo`: whether to show the text about what the merchant has to do. */
export type Check = [name: Name, tone: 'ok' | 'info' | 'warn', hasToDo: boolean]

/** If the bank sends a new report after the operator's decision, the decision and the new review are both shown. */
export function toChecks(payment: TransactionView): Check[] {
  const { resolution, needsReview, successful } = payment
  const checks: Check[] = []
  // The text says to treat the order as paid, so it is not shown if money was returned or is disputed.
  if (resolution === 'paid') checks.push(['resolvedPaid', 'ok', !needsReview && findNet(payment) === null])
  if (resolution === 'unpaid') checks.push(['resolvedUnpaid', 'info', true])
  if (needsReview) checks.push([successful ? 'inReviewPaid' : 'inReview', 'warn', true])
  return checks
}

/** Whether the notice about the review can link to the payments of the order, because another payment may have paid it. */
export function hasOrderNotice(payment: TransactionView): boolean {
  return toChecks(payment).some(([name]) => name === 'inReview')
}
