/** Failed and expired payments in review are left out, because they may still turn out to be paid. */
export function parseReview(status: string | undefined): boolean | undefined {
  if (status === 'in_review') return true
  return status === 'failed' || status === 'expired' ? false : undefined
}
