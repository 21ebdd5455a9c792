import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsOperator, toAbsence, toPauseMs } from './check-plan.ts'
import { REFUND_EVENTS } from './reactions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

test('a refund is looked up at least every 15 seconds for ten minutes, then less and less often, but at least once an hour', () => {
  const pauses: [ageMs: number, checks: number, pauseMs: number][] = [
    [0, 0, 1_000],
    [0, 1, 2_000],
    [0, 2, 4_000],
    [0, 3, 8_000],
    [0, 4, 15_000],
    [10 * MINUTE_MS - 1, 1_000, 15_000],
    [10 * MINUTE_MS, 50, MINUTE_MS],
    [2 * HOUR_MS, 0, 12 * MINUTE_MS],
    [10 * HOUR_MS, 0, HOUR_MS],
    [30 * DAY_MS, 9_999, HOUR_MS],
  ]
  for (const [ageMs, checks, pauseMs] of pauses) assert.equal(toPauseMs(ageMs, checks), pauseMs)
})

test('a refund that the upstream does not know counts as failed only after a time limit, which is 20 hours by default', () => {
  assert.deepEqual([toAbsence(20 * HOUR_MS - 1), toAbsence(20 * HOUR_MS)], ['absent', 'absent_for_good'])
  assert.deepEqual([toAbsence(29, 30), toAbsence(30, 30)], ['absent', 'absent_for_good'])
})

test('an operator is needed if a refund gets no usable response for a day or is pending for two weeks, and for no other event', () => {
  const limits = { no_response: DAY_MS, garbled: DAY_MS, pending: 14 * DAY_MS }
  for (const [event, limitMs] of Object.entries(limits)) {
    assert.equal(needsOperator(event as keyof typeof limits, limitMs - 1), false, event)
    assert.equal(needsOperator(event as keyof typeof limits, limitMs), true, event)
  }
  for (const event of REFUND_EVENTS) if (!(event in limits)) assert.equal(needsOperator(event, 1e12), false)
})
