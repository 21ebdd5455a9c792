// Days and hours in a time zone: the day of an instant, and the start of a day or an hour.
import { toCalendarDay, toClockParts } from './format.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** The offset from UTC in that zone at that instant. */
function toOffsetMs(timeMs: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = toClockParts(timeMs, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1000) * 1000
}

function writeDay({ year, month, day }: { year: number; month: number; day: number }): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** "2026-07-26", the calendar day in that zone. */
export function toDay(timeMs: number, timeZone: string): string {
  return writeDay(toCalendarDay(timeMs, timeZone))
}

export function addDays(day: string, days: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS, 'UTC')
}

/**
 * The first instant of that day in the zone. Where clocks change at midnight, the day has no 00:00, or has it twice. So the
 * offsets of the day before and of the day after are both tried. The earlier of the two instants that has the day's date is
 * used.
 */
export function toDayStartMs(day: string, timeZone: string): number {
  const wallMs = Date.parse(`${day}T00:00:00Z`)
  const starts = [wallMs - DAY_MS, wallMs + DAY_MS].map((nearMs) => wallMs - toOffsetMs(nearMs, timeZone))
  const [earlier, later] = starts.toSorted((a, b) => a - b) as [number, number]
  return earlier !== later && toDay(earlier, timeZone) === day ? earlier : later
}

/** The last full hour in that zone, at that instant or before it. */
export function toHourStartMs(timeMs: number, timeZone: string): number {
  const wallMs = timeMs + toOffsetMs(timeMs, timeZone)
  return timeMs - (((wallMs % HOUR_MS) + HOUR_MS) % HOUR_MS)
}
