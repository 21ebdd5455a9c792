// Which days the figures show, as the address says it, and what the bars of those days are called.
import { addDays, formatClock, formatDate, formatDateTime, formatDayMonth, toDay } from '@pazar/words'
import type { Bar, Stats } from '../../api/figures.ts'
import { locale } from '../../app/language.ts'
import type { RangeSearch } from '../../app/search.ts'

/** What an address without days means. */
export const DAYS_USUAL = 7
export const DAYS_CHOICES = [DAYS_USUAL, 30, 90] as const
/** The service refuses longer ranges. */
export const DAYS_MAX = 92

/** Both included. */
export type Days = {
  from: string
  to: string
}

export function toDays({ days, from, to }: RangeSearch, timeZone: string): Days {
  if (from && to) return { from, to }
  const today = toDay(Date.now(), timeZone)
  return { from: addDays(today, 1 - (days ?? DAYS_USUAL)), to: today }
}

export function isAllowed({ from, to }: Days): boolean {
  return from !== '' && to !== '' && from <= to && to < addDays(from, DAYS_MAX)
}

export interface BarName {
  /** The day it lies in. */
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
