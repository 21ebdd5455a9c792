import { toDate } from '../lib/clock.ts'
import { toCell, UsageError } from './command.ts'

const TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/
const DAY_LENGTH = '2026-11-16'.length

/** The time at which a day such as 2026-11-16 begins in UTC. NaN for any other text. */
export function parseDayMs(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN
  // JavaScript reads 30 February as a day of March.
  return !Number.isNaN(ms) && toDate(ms).toISOString().startsWith(day) ? ms : NaN
}

/** Accepts a time with its zone, or a day. Returns the time itself, or the time at which the day begins in UTC. */
export function parseTime(flag: string, text: string, nowMs: number): Date {
  const isTime = TIME.test(text) && !Number.isNaN(parseDayMs(text.slice(0, DAY_LENGTH)))
  const ms = isTime ? Date.parse(text) : NaN
  if (Number.isNaN(ms))
    throw new UsageError(`${flag} must be a time such as 2026-11-16T12:00:00Z, not ${toCell(text)}.`)
  if (ms > nowMs) throw new UsageError(`${flag} is in the future.`)
  return toDate(ms)
}
