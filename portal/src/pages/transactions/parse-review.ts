/**
 * The API's filter `needsReview` for a chosen status. Failed and expired payments in review may still turn out to be paid.
 */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
