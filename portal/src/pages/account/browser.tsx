import { toBrowserName } from '@pazar/words'

/** The full user agent is shown on hover. */
export function Browser({ userAgent }: { userAgent: string | null }) {
  return userAgent === null ? null : <span title={userAgent}>{toBrowserName(userAgent)}</span>
}
