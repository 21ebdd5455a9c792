/**
 * The API's filter `needsReview` for a chosen status. The lists of failed and expired payments leave out those in review,
 * because they may still turn out to be paid.
 */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
