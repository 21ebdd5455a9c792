import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../../lib/service-error.ts'
import { planRange } from './stats-range.ts'

const PODGORICA = 'Europe/Podgorica'
/** A Sunday, at 09:30 in Podgorica. */
const NOW = Date.parse('2026-11-15T08:30:00Z')

function plan(from?: string, to?: string, zone = PODGORICA) {
  const { starts, ...range } = planRange({ from, to }, zone, NOW)
  return { ...range, starts: starts.map((start) => start.toISOString()) }
}

function readRefusal(from?: string, to?: string): string {
  try {
    plan(from, to)
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    assert.equal(error.code, 'invalid_request')
    const [field] = error.fields
    return `${field?.path} ${field?.code}`
  }
  throw new Error('the range was accepted')
}

test('the default range is seven days in the reader’s time zone, including today', () => {
  const range = plan()
  assert.equal(range.bucket, 'day')
  assert.equal(range.from.toISOString(), '2026-11-08T23:00:00.000Z')
  assert.equal(range.to.toISOString(), '2026-11-15T23:00:00.000Z')
  assert.equal(range.starts.length, 7)
  assert.equal(range.starts[6], '2026-11-14T23:00:00.000Z')
})

test('if only the beginning is given, the range ends with today; if only the end is given, the range begins seven days before the end', () => {
  assert.equal(plan('2026-11-01T00:00:00Z').to.toISOString(), '2026-11-15T23:00:00.000Z')
  assert.equal(plan(undefined, '2026-10-31T23:00:00Z').from.toISOString(), '2026-10-24T22:00:00.000Z')
})

test('ranges of up to two days have hourly bars, even if clocks go back; longer ranges have daily bars', () => {
  assert.equal(plan('2026-11-14T23:00:00Z', '2026-11-15T23:00:00Z').bucket, 'hour')
  const clocksBack = plan('2026-10-24T22:00:00Z', '2026-10-26T23:00:00Z')
  assert.equal(clocksBack.bucket, 'hour')
  assert.equal(clocksBack.starts.length, 49)
  assert.equal(plan('2026-10-24T22:00:00Z', '2026-10-26T23:00:00.001Z').bucket, 'day')
})

test('a day of 23 hours, on which clocks go forward, is one bar', () => {
  const spring = plan('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z')
  assert.deepEqual(spring.starts, [
    '2026-03-27T23:00:00.000Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ])
})

test('each hourly bar begins at a full hour of the time zone, even if UTC is then at 15 minutes past the hour', () => {
  const kathmandu = plan('2026-11-14T10:20:00Z', '2026-11-14T12:00:00Z', 'Asia/Kathmandu')
  assert.deepEqual(kathmandu.starts, ['2026-11-14T10:15:00.000Z', '2026-11-14T11:15:00.000Z'])
})

test('a range is split into whole quarters of an hour and the shorter parts before and after them', () => {
  const { wholeFrom, wholeTo } = plan('2026-11-14T10:01:00Z', '2026-11-14T12:59:00Z')
  assert.equal(wholeFrom.toISOString(), '2026-11-14T10:15:00.000Z')
  assert.equal(wholeTo.toISOString(), '2026-11-14T12:45:00.000Z')
  const withinBucket = plan('2026-11-14T10:01:00Z', '2026-11-14T10:09:00Z')
  assert.equal(withinBucket.wholeFrom.toISOString(), withinBucket.to.toISOString())
  assert.equal(withinBucket.wholeTo.toISOString(), withinBucket.to.toISOString())
})

test('an empty range has no bars', () => {
  assert.deepEqual(plan('2026-11-14T10:00:00Z', '2026-11-14T10:00:00Z').starts, [])
})

test('the longest range is 92 days, even if clocks change in it; an end before the beginning is refused', () => {
  assert.equal(plan('2026-08-24T22:00:00Z', '2026-11-24T23:00:00Z').starts.length, 92)
  assert.equal(readRefusal('2026-08-24T21:59:59Z', '2026-11-24T23:00:00Z'), 'from range_too_long')
  assert.equal(readRefusal('2025-01-01T00:00:00Z'), 'from range_too_long')
  assert.equal(readRefusal('2026-11-15T10:00:00Z', '2026-11-15T09:59:59Z'), 'to ends_before_it_begins')
  assert.equal(readRefusal('2026-12-24T10:00:00Z'), 'to ends_before_it_begins')
})

test('a time outside the allowed years is refused, and the error names its field', () => {
  assert.equal(readRefusal('0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z'), 'to invalid_time')
  assert.equal(readRefusal('1999-12-31T23:59:59Z', '2026-01-02T00:00:00Z'), 'from invalid_time')
  assert.equal(readRefusal(undefined, '9999-12-31T23:59:59-12:00'), 'to invalid_time')
})

test('times from the years 2000 to 2199 are accepted', () => {
  assert.equal(plan('2000-01-01T00:00:00Z', '2000-01-01T01:00:00Z').bucket, 'hour')
  assert.equal(readRefusal('1999-12-31T23:59:59.999Z', '2000-01-01T01:00:00Z'), 'from invalid_time')
  assert.equal(plan('2199-12-31T22:00:00Z', '2199-12-31T23:59:59.999Z').bucket, 'hour')
  assert.equal(readRefusal('2199-12-31T22:00:00Z', '2200-01-01T00:00:00Z'), 'to invalid_time')
})
