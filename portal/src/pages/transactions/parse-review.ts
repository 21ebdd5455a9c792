/** The lists of failed and of expired payments leave out payments in review, which may still turn out to be paid. */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
