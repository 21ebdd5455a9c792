import { toBrowserName } from '@pazar/words'

/** By the name people know; the whole line stays there for those who can read it. */
export function Browser({ userAgent }: { userAgent: string | null }) {
  return userAgent === null ? null : <span title={userAgent}>{toBrowserName(userAgent)}</span>
}
