// Days are days of the account's zone: where one begins, which one it is now, and the day after.
function partsOf(timeMs: number, timeZone: string): number[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]))
  return (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((type) => parts.get(type) ?? 0)
}

function offsetMs(timeMs: number, timeZone: string): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = partsOf(timeMs, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1000) * 1000
}

/** The instant at which this day begins there. Asked twice, because the offset itself may change in between. */
export function toDayStart(day: string, timeZone: string): string {
  const wallMs = Date.parse(`${day}T00:00:00Z`)
  const guessMs = wallMs - offsetMs(wallMs, timeZone)
  return new Date(wallMs - offsetMs(guessMs, timeZone)).toISOString()
}

export function toDay(timeMs: number, timeZone: string): string {
  const [year = 0, month = 1, day = 1] = partsOf(timeMs, timeZone)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

/** Both days included on the page; on the wire the end is the first instant that is out. */
export function toInstants({ from, to }: DayRange, timeZone: string): { from?: string; to?: string } {
  return {
    ...(from ? { from: toDayStart(from, timeZone) } : {}),
    ...(to ? { to: toDayStart(addDays(to, 1), timeZone) } : {}),
  }
}
