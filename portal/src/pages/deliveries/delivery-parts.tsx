import type { AttemptView, CallbackView } from '@pazar/contract'
import { formatDuration, formatExactDateTime, formatRelativeTime } from '@pazar/words'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../app/language.ts'

/** Stands in the log where a URL would. */
const LISTENERS = 'listeners'

/** Nobody has answered it yet as far as the service knows: a program that listens took it along. */
export function isHandedOver(attempt: AttemptView | null | undefined): boolean {
  return attempt?.outcome === 'delivered' && attempt.url === LISTENERS
}

/** "HTTP 200", or the cause in words where there was no answer. */
export function toAnswerText(attempt: AttemptView | null): string {
  if (attempt === null) return '–'
  if (isHandedOver(attempt)) return words().deliveries.inTerminal
  if (attempt.statusCode !== null) return `HTTP ${attempt.statusCode}`
  return attempt.cause ?? attempt.outcome
}

/** Nothing was measured of what a listener took along. */
export function toDurationText(attempt: AttemptView | null): string {
  const durationMs = isHandedOver(attempt) ? null : attempt?.durationMs
  return durationMs === null || durationMs === undefined ? '–' : formatDuration(locale, durationMs)
}

/** Null where it went to no address. */
export function findHost(attempt: AttemptView | null): string | null {
  return (attempt && URL.parse(attempt.url)?.host) ?? null
}

/** When it comes again; nothing for one that does not. */
export function NextAttempt({ callback: { nextAt } }: { callback: CallbackView }) {
  const { deliveries } = words()
  const { timeZone } = useAccount()
  if (nextAt === null) return null
  const at = new Date(nextAt)
  const nowMs = Date.now()
  return (
    <time dateTime={nextAt} title={formatExactDateTime(locale, at, timeZone)}>
      {at.getTime() <= nowMs
        ? deliveries.nextNow
        : deliveries.nextAt(formatRelativeTime(locale, at, nowMs, timeZone))}
    </time>
  )
}

export function toTriggerText(trigger: AttemptView['trigger']): string {
  const { triggers } = words().deliveries.drawer
  const known: Partial<Record<string, string>> = triggers
  return known[trigger] ?? trigger
}
