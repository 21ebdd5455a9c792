/** What the list is asked for: a payment in review has a choice of its own, because its state may turn out to be wrong. */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
