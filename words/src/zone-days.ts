// Days and hours in a time zone.
import { toCalendarDay, toClockParts } from './format.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

function toOffsetMs(timeMs: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = toClockParts(timeMs, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1000) * 1000
}

function writeDay({ year, month, day }: { year: number; month: number; day: number }): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The calendar day in the zone, such as "2026-07-26". */
export function toDay(timeMs: number, timeZone: string): string {
  return writeDay(toCalendarDay(timeMs, timeZone))
}

export function addDays(day: string, days: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS, 'UTC')
}

/**
 * The first instant of the day. Where clocks change at midnight, 00:00 can be missing or occur twice. So the offsets
 * of the day before and of the day after are both tried.
 */
export function toDayStartMs(day: string, timeZone: string): number {
  const wallMs = Date.parse(`${day}T00:00:00Z`)
  const starts = [wallMs - DAY_MS, wallMs + DAY_MS].map((nearMs) => wallMs - toOffsetMs(nearMs, timeZone))
  const [earlier, later] = starts.toSorted((a, b) => a - b) as [number, number]
  return earlier !== later && toDay(earlier, timeZone) === day ? earlier : later
}

/** The start of the hour in which the instant falls, on the clocks of the zone. */
export function toHourStartMs(timeMs: number, timeZone: string): number {
  const wallMs = timeMs + toOffsetMs(timeMs, timeZone)
  return timeMs - (((wallMs % HOUR_MS) + HOUR_MS) % HOUR_MS)
}
