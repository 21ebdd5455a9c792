import { toDate } from '../lib/clock.ts'
import { toCell, UsageError } from './command.ts'

const TIME = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/

/** Accepts a time with its zone, or a day, which begins at midnight UTC. */
export function parseTime(flag: string, text: string, nowMs: number): Date {
  const ms = TIME.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(ms))
    throw new UsageError(`${flag} must be a time such as 2026-11-16T12:00:00Z, not ${toCell(text)}.`)
  if (ms > nowMs) throw new UsageError(`${flag} is in the future.`)
  return toDate(ms)
}
