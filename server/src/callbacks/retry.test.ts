import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_SCHEDULE_SEC } from '@pazar/contract'
import type { AttemptResult, AttemptPlace } from './retry.ts'
import { parseRetryAfterSec, planNext } from './retry.ts'

const NOW_MS = Date.UTC(2026, 10, 15, 3)
const HOUR = 3600

const FIRST_ATTEMPT: AttemptPlace = { mode: 'live', trigger: 'auto', nth: 1, withoutStep: 0 }
const FAILED_RESULT: AttemptResult = {
  outcome: 'http_error',
  statusCode: 500,
  retryAfter: null,
  isEgressFault: false,
}

const plan = (attempt: Partial<AttemptPlace>, response: Partial<AttemptResult> = {}, random = 0.5) =>
  planNext({ ...FIRST_ATTEMPT, ...attempt }, { ...FAILED_RESULT, ...response }, NOW_MS, random)

function delaySec(
  attempt: Partial<AttemptPlace>,
  response: Partial<AttemptResult> = {},
  random = 0.5,
): number {
  const next = plan(attempt, response, random)
  assert.equal(next.status, 'pending')
  return next.status === 'pending' ? next.delaySec : assert.fail()
}

test('a live callback is attempted eleven times over about 76 hours, then given up', () => {
  const delays = RETRY_SCHEDULE_SEC.live.map((_step, index) => delaySec({ nth: index + 1 }))
  assert.deepEqual(
    delays.map((sec) => Math.round(sec * 1000) / 1000),
    [5, 30, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  )
  assert.equal(Math.round(delays.reduce((sum, sec) => sum + sec) / HOUR), 76)
  assert.deepEqual(plan({ nth: 11 }), { status: 'exhausted' })
})

test('the callback of a test payment is attempted four times', () => {
  for (const nth of [1, 2, 3]) assert.equal(plan({ mode: 'test', nth }).status, 'pending')
  assert.deepEqual(plan({ mode: 'test', nth: 4 }), { status: 'exhausted' })
})

test('a test callback and a callback of the exam get one attempt', () => {
  for (const trigger of ['test', 'exam'] as const)
    assert.deepEqual(plan({ mode: 'test', trigger }), { status: 'exhausted' })
})

test('the delays are varied by up to a fifth', () => {
  assert.equal(delaySec({ nth: 2 }, {}, 0), 24)
  assert.ok(Math.abs(delaySec({ nth: 2 }, {}, 0.999_999) - 36) < 0.01)
})

test('a 2xx or 410 response ends the attempts', () => {
  assert.deepEqual(plan({}, { outcome: 'delivered', statusCode: 204 }), { status: 'delivered' })
  assert.deepEqual(plan({}, { statusCode: 410 }), { status: 'exhausted' })
})

for (const statusCode of [429, 503]) {
  test(`the Retry-After of a ${statusCode} response sets the delay, between once and twice the planned delay`, () => {
    const wait = (retryAfter: string) => delaySec({ nth: 3 }, { statusCode, retryAfter })
    assert.equal(wait('400'), 400)
    assert.equal(wait('1'), 300)
    assert.equal(wait('86400'), 600)
    assert.equal(wait('Sun, 15 Nov 2026 03:07:00 GMT'), 420)
    assert.equal(wait('soon'), 300)
  })
}

test('the Retry-After of a 500 response is ignored', () => {
  assert.equal(delaySec({ nth: 3 }, { statusCode: 500, retryAfter: '400' }), 300)
})

for (const statusCode of [409, 425]) {
  test(`a callback that gets a ${statusCode} is retried after five seconds, and three such retries use no step of the schedule`, () => {
    const response = { statusCode }
    assert.deepEqual(plan({ nth: 1 }, response), { status: 'pending', delaySec: 5, usesNoStep: true })
    assert.deepEqual(plan({ nth: 3, withoutStep: 2 }, response), {
      status: 'pending',
      delaySec: 5,
      usesNoStep: true,
    })
    // The fourth such response is an ordinary failure, and the first that uses a step of the schedule.
    assert.deepEqual(plan({ nth: 4, withoutStep: 3 }, response), {
      status: 'pending',
      delaySec: 5,
      usesNoStep: false,
    })
    assert.deepEqual(plan({ nth: 5, withoutStep: 3 }, response), {
      status: 'pending',
      delaySec: 30,
      usesNoStep: false,
    })
    assert.deepEqual(plan({ nth: 14, withoutStep: 3 }, response), { status: 'exhausted' })
  })
}

test('an invalid Retry-After is ignored, and a Retry-After with a past date means no delay', () => {
  for (const header of [null, '', '-5', '1.5', '1e3', 'tomorrow', '9'.repeat(40), 'Sun, nonsense'])
    assert.equal(parseRetryAfterSec(header, NOW_MS), null, String(header))
  assert.equal(parseRetryAfterSec('Sun, 15 Nov 2026 02:00:00 GMT', NOW_MS), 0)
})

test('when our egress proxy fails, ten attempts over about an hour use no step, and then the schedule applies', () => {
  const wait = (withoutStep: number) => plan({ nth: withoutStep + 1, withoutStep }, { isEgressFault: true })
  const waits = Array.from({ length: 10 }, (_step, attempt) => wait(attempt))
  assert.ok(waits.every((next) => next.status === 'pending' && next.usesNoStep))
  const sum = waits.reduce((sec, next) => sec + (next.status === 'pending' ? next.delaySec : 0), 0)
  assert.ok(sum > 0.9 * HOUR && sum < 1.5 * HOUR, String(sum))
  assert.deepEqual(wait(10), { status: 'pending', delaySec: 5, usesNoStep: false })
  assert.deepEqual(plan({ nth: 21, withoutStep: 10 }, { isEgressFault: true }), { status: 'exhausted' })
})
