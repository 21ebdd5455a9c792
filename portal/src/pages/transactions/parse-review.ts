/** A payment in review is not listed as failed or expired, because it may still turn out to be paid. */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
