// Relative times and durations. Intl is not used, because its Montenegrin relative times are ekavian ("pre 5 minuta").
import { toCalendarDay, formatDate, formatNumber } from './format.ts'
import { plural } from './plural.ts'
import type { Locale } from './locale.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// Clocks differ slightly, so an event that has just happened can seem to be in the future.
const CLOCK_SKEW_MS = 5 * SECOND_MS

const DAYS_IN_WORDS_MAX = 6

/** "prije 5 min", "juče", "za 4 min". A time more than six calendar days away is written as its date. */
export function formatRelativeTime(locale: Locale, date: Date, nowMs: number, timeZone: string): string {
  const aheadMs = date.getTime() - nowMs
  if (aheadMs <= CLOCK_SKEW_MS && aheadMs > -MINUTE_MS) return locale === 'cnr' ? 'upravo sada' : 'just now'
  const distanceMs = Math.abs(aheadMs)
  const formatSpan = aheadMs < 0 ? formatPast : formatFuture
  if (aheadMs > 0 && aheadMs < MINUTE_MS) return locale === 'cnr' ? 'za manje od 1 min' : 'in under 1 min'
  if (distanceMs < HOUR_MS) return formatSpan(locale, `${Math.floor(distanceMs / MINUTE_MS)} min`)

  // On a day of 25 hours, a time 24 hours away can be on the same day (`days === 0`).
  const days = Math.abs(toDayNumber(date, timeZone) - toDayNumber(nowMs, timeZone))
  if (distanceMs < DAY_MS || days === 0) return formatSpan(locale, `${Math.floor(distanceMs / HOUR_MS)} h`)
  if (days === 1) return aheadMs < 0 ? YESTERDAY[locale] : TOMORROW[locale]
  if (days <= DAYS_IN_WORDS_MAX) return formatSpan(locale, formatDays(locale, days))
  return formatDate(locale, date, timeZone)
}

const YESTERDAY: Readonly<Record<Locale, string>> = { cnr: 'juče', en: 'yesterday' }
const TOMORROW: Readonly<Record<Locale, string>> = { cnr: 'sjutra', en: 'tomorrow' }

function formatPast(locale: Locale, span: string): string {
  return locale === 'cnr' ? `prije ${span}` : `${span} ago`
}

function formatFuture(locale: Locale, span: string): string {
  return locale === 'cnr' ? `za ${span}` : `in ${span}`
}

function formatDays(locale: Locale, days: number): string {
  const word =
    locale === 'cnr'
      ? plural(locale, days, { one: 'dan', few: 'dana', other: 'dana' })
      : plural(locale, days, { one: 'day', other: 'days' })
  return `${formatNumber(locale, days)} ${word}`
}

// Calendar days, so that "yesterday" changes at midnight.
function toDayNumber(date: Date | number, timeZone: string): number {
  const { year, month, day } = toCalendarDay(date, timeZone)
  return Date.UTC(year, month - 1, day) / DAY_MS
}

/** "42 ms", "1,2 s", "2 min 5 s", "3 h 4 min", "2 dana 3 h". */
export function formatDuration(locale: Locale, durationMs: number): string {
  const wholeMs = Math.max(0, Math.round(durationMs))
  if (wholeMs < SECOND_MS) return `${wholeMs} ms`
  const tenths = Math.round(wholeMs / (SECOND_MS / 10))
  if (tenths < 600) return `${formatNumber(locale, tenths / 10)} s`
  const seconds = Math.round(wholeMs / SECOND_MS)
  if (seconds < 3600) return join(`${Math.floor(seconds / 60)} min`, seconds % 60, 's')
  const minutes = Math.round(wholeMs / MINUTE_MS)
  if (minutes < 24 * 60) return join(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
  const hours = Math.round(wholeMs / HOUR_MS)
  return join(formatDays(locale, Math.floor(hours / 24)), hours % 24, 'h')
}

function join(larger: string, rest: number, unit: string): string {
  return rest === 0 ? larger : `${larger} ${rest} ${unit}`
}

/** Rounded up, so that a retry is not too early: "14 min". */
export function formatWait(locale: Locale, waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS))
  if (seconds < 60) return `${seconds} s`
  const unitMs = waitMs > 24 * HOUR_MS ? HOUR_MS : MINUTE_MS
  return formatDuration(locale, Math.ceil(waitMs / unitMs) * unitMs)
}
