/** The API's filter for a chosen status. Payments in review are a choice of their own, because their state may turn out to be wrong. */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
