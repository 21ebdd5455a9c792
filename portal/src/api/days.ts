// Days of the account's zone, as the pages' addresses have them, and the instants that the service is asked with.
import { addDays, toDayStartMs } from '@pazar/words'

export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

/** The instant at which this day begins there. */
export function toDayStart(day: string, timeZone: string): string {
  return new Date(toDayStartMs(day, timeZone)).toISOString()
}

/** Both days included on the page; on the wire the end is the first instant that is out. */
export function toInstants({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  return {
    ...(from ? { from: toDayStart(from, timeZone) } : {}),
    ...(to ? { to: toDayStart(addDays(to, 1), timeZone) } : {}),
  }
}
