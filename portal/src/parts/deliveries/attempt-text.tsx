import type { AttemptView, CallbackView } from '@pazar/contract'
import { formatDuration, formatExactDateTime, formatRelativeTime } from '@pazar/words'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'

const LISTENERS = 'listeners'

/** Whether the callback was forwarded to the CLI. The service does not see the response to a forwarded callback. */
export function isForwarded(attempt: AttemptView | null | undefined): boolean {
  return attempt?.outcome === 'delivered' && attempt.url === LISTENERS
}

export function isInInbox(attempt: AttemptView | null | undefined): boolean {
  return attempt?.outcome === 'delivered' && attempt.statusCode === null && attempt.url !== LISTENERS
}

export function isWithoutResponse(attempt: AttemptView | null): boolean {
  return attempt !== null && attempt.outcome !== 'delivered' && attempt.statusCode === null
}

/**
 * For example "HTTP 200". There are other texts if the callback was forwarded, was stored in the inbox or got no response.
 */
export function toResponseText(attempt: AttemptView | null): string {
  if (attempt === null) return '–'
  if (isForwarded(attempt)) return toReportedText(attempt)
  if (isInInbox(attempt)) return words().deliveries.inInbox
  if (attempt.statusCode !== null) return `HTTP ${attempt.statusCode}`
  return attempt.cause ?? attempt.outcome
}

/** The text names the CLI, because the service has not seen the response. */
function toReportedText({ reported }: AttemptView): string {
  const { deliveries } = words()
  if (!reported) return deliveries.inTerminal
  return deliveries.reported(
    reported.statusCode === null ? deliveries.noResponse : `HTTP ${reported.statusCode}`,
  )
}

/** A number and its unit stay on one line. */
export function toDurationText(attempt: AttemptView | null): string {
  const durationMs = isForwarded(attempt) ? attempt?.reported?.durationMs : attempt?.durationMs
  return durationMs === null || durationMs === undefined
    ? '–'
    : formatDuration(locale, durationMs).replaceAll(' ', '\u00a0')
}

export function findHost(attempt: AttemptView | null): string | null {
  return (attempt && URL.parse(attempt.url)?.host) ?? null
}

/** An attempt that is due within this time has its own text. "Just now" would sound as if the attempt were past. */
const NOW_MS = 60_000

export function NextAttempt({ callback: { nextAt } }: { callback: CallbackView }) {
  const { deliveries } = words()
  const { timeZone } = useAccount()
  if (nextAt === null) return null
  const nextDate = new Date(nextAt)
  const nowMs = Date.now()
  return (
    <time dateTime={nextAt} title={formatExactDateTime(locale, nextDate, timeZone)}>
      {nextDate.getTime() <= nowMs + NOW_MS
        ? deliveries.nextNow
        : deliveries.nextAt(formatRelativeTime(locale, nextDate, nowMs, timeZone))}
    </time>
  )
}

export function toTriggerText(trigger: AttemptView['trigger']): string {
  const { triggers } = words().deliveries.drawer
  const texts: Partial<Record<string, string>> = triggers
  return texts[trigger] ?? trigger
}
