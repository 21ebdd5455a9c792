// Converts days in the account's time zone, which page addresses contain, to the instants that requests need.
import { addDays, toDayStartMs } from '@pazar/words'

export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

/** The instant at which this day starts in that zone. */
export function toDayStart(day: string, timeZone: string): string {
  return new Date(toDayStartMs(day, timeZone)).toISOString()
}

/** A page's range includes both days. In requests the end is exclusive. */
export function toInstants({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  return {
    ...(from ? { from: toDayStart(from, timeZone) } : {}),
    ...(to ? { to: toDayStart(addDays(to, 1), timeZone) } : {}),
  }
}
