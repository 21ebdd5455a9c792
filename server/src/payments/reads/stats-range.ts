import { STATS_DAYS_MAX } from '@pazar/contract'
import type { StatsQuery } from '@pazar/contract'
import { addDays, toDay, toDayStartMs, toHourStartMs } from '@pazar/words'
import { toDate } from '../../lib/clock.ts'
import { invalidField } from '../../lib/service-error.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Stats are stored per quarter of an hour, because hours and days begin at a full quarter in every time zone. */
const QUARTER_MS = 15 * MINUTE_MS
/**
 * Two days, and one hour for clocks that go back. A longer range has one bar per day, because it would otherwise have too
 * many bars.
 */
const BY_HOUR_UP_TO_MS = 49 * HOUR_MS
/** The longest range, including the extra hour when clocks go back. */
const RANGE_MS_MAX = STATS_DAYS_MAX * DAY_MS + HOUR_MS
/** Seven days, including today. */
const DAYS_BEFORE_TODAY = 6
/** No payment is outside these years. In earlier centuries, time zone offsets are not whole quarters of an hour. */
const TIMES_FROM_MS = Date.UTC(2000, 0, 1)
const TIMES_TO_MS = Date.UTC(2200, 0, 1)

export interface StatsRange {
  bucket: 'hour' | 'day'
  from: Date
  to: Date
  /** The whole quarters of an hour in the range. Before and after these quarters, payments are counted one by one. */
  wholeFrom: Date
  wholeTo: Date
  /** When each hour or day begins. The first may begin before the range does. */
  starts: Date[]
}

function parseTime(path: 'from' | 'to', text: string): number {
  const timeMs = Date.parse(text)
  if (!(timeMs >= TIMES_FROM_MS && timeMs < TIMES_TO_MS)) throw invalidField(path, 'invalid_time')
  return timeMs
}

function toEnds(query: Pick<StatsQuery, 'from' | 'to'>, timeZone: string, nowMs: number): [number, number] {
  const dayOf = (timeMs: number, days: number) =>
    toDayStartMs(addDays(toDay(timeMs, timeZone), days), timeZone)
  const toMs = query.to === undefined ? dayOf(nowMs, 1) : parseTime('to', query.to)
  // `toMs - 1` is on the last day of the range, even if the range ends at midnight.
  const fromMs =
    query.from === undefined ? dayOf(toMs - 1, -DAYS_BEFORE_TODAY) : parseTime('from', query.from)
  if (fromMs > toMs) throw invalidField('to', 'ends_before_it_begins')
  if (toMs - fromMs > RANGE_MS_MAX) throw invalidField('from', 'range_too_long', { max: STATS_DAYS_MAX })
  return [fromMs, toMs]
}

function toStarts(bucket: StatsRange['bucket'], fromMs: number, toMs: number, timeZone: string): number[] {
  const nextOf = (startMs: number) =>
    bucket === 'hour'
      ? toHourStartMs(startMs + HOUR_MS, timeZone)
      : toDayStartMs(addDays(toDay(startMs, timeZone), 1), timeZone)
  const starts: number[] = []
  const firstMs =
    bucket === 'hour' ? toHourStartMs(fromMs, timeZone) : toDayStartMs(toDay(fromMs, timeZone), timeZone)
  for (let startMs = firstMs; startMs < toMs; startMs = nextOf(startMs)) starts.push(startMs)
  return fromMs === toMs ? [] : starts
}

export function planRange(
  query: Pick<StatsQuery, 'from' | 'to'>,
  timeZone: string,
  nowMs: number,
): StatsRange {
  const [fromMs, toMs] = toEnds(query, timeZone, nowMs)
  const bucket = toMs - fromMs <= BY_HOUR_UP_TO_MS ? 'hour' : 'day'
  const wholeFromMs = Math.min(Math.ceil(fromMs / QUARTER_MS) * QUARTER_MS, toMs)
  const wholeToMs = Math.max(Math.floor(toMs / QUARTER_MS) * QUARTER_MS, wholeFromMs)
  return {
    bucket,
    from: toDate(fromMs),
    to: toDate(toMs),
    wholeFrom: toDate(wholeFromMs),
    wholeTo: toDate(wholeToMs),
    starts: toStarts(bucket, fromMs, toMs, timeZone).map(toDate),
  }
}
