/**
 * True: the list shows only payments in review. False: the list shows no payments in review, because a payment in review
 * may still turn out to be paid. Undefined: the list does not filter by review.
 */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
