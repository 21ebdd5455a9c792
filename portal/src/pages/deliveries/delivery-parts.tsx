import type { AttemptView } from '@pazar/contract'
import { formatDuration } from '@pazar/words'
import { locale, words } from '../../app/language.ts'

/** "200", or the cause in words where there was no answer. */
export function toAnswerText(attempt: AttemptView | null): string {
  if (attempt === null) return '–'
  if (attempt.statusCode !== null) return `HTTP ${attempt.statusCode}`
  return attempt.cause ?? attempt.outcome
}

export function toDurationText(attempt: AttemptView | null): string {
  return attempt?.durationMs === null || attempt === null ? '–' : formatDuration(locale, attempt.durationMs)
}

export function toHost(attempt: AttemptView | null): string {
  return (attempt && URL.parse(attempt.url)?.host) ?? '–'
}

export function toTriggerText(trigger: AttemptView['trigger']): string {
  const { triggers } = words().deliveries.drawer
  const known: Partial<Record<string, string>> = triggers
  return known[trigger] ?? trigger
}
