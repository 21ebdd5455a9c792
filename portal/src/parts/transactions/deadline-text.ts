import type { DisputeView } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import { locale, words } from '../../ui/language.ts'

const DAY_MS = 24 * 3_600_000

/** Null without a deadline. */
export function toDeadlineText({ respondBy }: DisputeView, timeZone: string): string | null {
  if (respondBy === null) return null
  const { dispute } = words().payments
  const until = new Date(respondBy)
  const leftMs = until.getTime() - Date.now()
  const leftText = leftMs <= 0 ? dispute.passed : dispute.left(Math.floor(leftMs / DAY_MS))
  return `${formatDateTime(locale, until, timeZone)} (${leftText})`
}
