// Converts days in the account's time zone to the instants that requests need.
import { addDays, toDayStartMs } from '@pazar/words'

export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

export function toDayStart(day: string, timeZone: string): string {
  return new Date(toDayStartMs(day, timeZone)).toISOString()
}

/** A page's range includes both days. In requests, the end is exclusive. */
export function toInstants({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  return {
    ...(from ? { from: toDayStart(from, timeZone) } : {}),
    ...(to ? { to: toDayStart(addDays(to, 1), timeZone) } : {}),
  }
}
