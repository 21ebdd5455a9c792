import { STATS_DAYS_MAX } from '@pazar/contract/limits'
import { addDays, formatClock, formatDate, formatDateTime, formatDayMonth, toDay } from '@pazar/words'
import type { Bar, Stats } from '../../api/stats.ts'
import { locale } from '../../ui/language.ts'
import { parseDay } from '../../parts/search.ts'
import type { RangeSearch } from '../../parts/search.ts'

export const DAYS_DEFAULT = 7
export const DAYS_CHOICES = [DAYS_DEFAULT, 30, 90] as const

/** The first and the last day are included. */
export type Days = {
  from: string
  to: string
}

export function toDays({ days, from, to }: RangeSearch, timeZone: string): Days {
  if (from && to) return { from, to }
  const today = toDay(Date.now(), timeZone)
  return { from: addDays(today, 1 - (days ?? DAYS_DEFAULT)), to: today }
}

/** Whether the page can show these days. It shows only the years 2000 to 2099, but a date field accepts any year. */
export function isAllowed({ from, to }: Days): boolean {
  return [from, to].every(parseDay) && from <= to && to < addDays(from, STATS_DAYS_MAX)
}

export interface BarName {
  day: string
  short: string
  full: string
}

export function toBarName({ at }: Bar, bucket: Stats['bucket'], timeZone: string): BarName {
  const date = new Date(at)
  const day = toDay(date.getTime(), timeZone)
  return bucket === 'hour'
    ? { day, short: formatClock(locale, date, timeZone), full: formatDateTime(locale, date, timeZone) }
    : { day, short: formatDayMonth(locale, date, timeZone), full: formatDate(locale, date, timeZone) }
}

export function toRate({ succeeded, failed }: Pick<Bar, 'succeeded' | 'failed'>): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
}

/**
 * A refund or dispute is counted on the day on which it happens. Money that returns to the merchant is counted on the day
 * of its return. So the net amount of a day can be negative (then `kept` is zero) or larger than the volume (then
 * `takenBack` is zero).
 */
export function toNetParts({ volume, net }: Pick<Bar, 'volume' | 'net'>): {
  kept: bigint
  takenBack: bigint
} {
  const kept = BigInt(net)
  const takenBack = BigInt(volume) - kept
  return { kept: kept > 0n ? kept : 0n, takenBack: takenBack > 0n ? takenBack : 0n }
}
