import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant, toUnixSeconds } from './clock.ts'
import { newRequestId, newToken, newUuidV7 } from './id.ts'
import { createMetrics } from './metrics.ts'
import { invalidField, ServiceError } from './service-error.ts'

const NO_GAUGES = {
  callbacksDue: 0,
  callbacksOldestDueSec: 0,
  laneOwners: 0,
  paymentsOpen: 0,
  paymentsOldestOpenSec: 0,
  incidentsOpen: 0,
  mailsWaiting: 0,
  schemaVersion: 1,
  clockOffsetSec: 0,
  restoreGateClosed: 0,
}

test('every event is counted under its own name and labels', async () => {
  const metrics = createMetrics(async () => ({
    callbacksDue: 1,
    callbacksOldestDueSec: 2,
    laneOwners: 8,
    paymentsOpen: 3,
    paymentsOldestOpenSec: 4,
    incidentsOpen: 5,
    mailsWaiting: 6,
    schemaVersion: 7,
    clockOffsetSec: 0.5,
    restoreGateClosed: 1,
  }))
  metrics.countIncident('mismatch')
  metrics.countIncident('mismatch')
  metrics.countEndedPayment('live', 'failed')
  metrics.countAttempt('timeout')
  metrics.recordUpstreamCall('stripe', 'rate_limited', 1_200)
  metrics.recordResponse('GET', '/pay', 200, 30)
  metrics.recordResponse('GET', '/pay', 200, 30)
  metrics.recordResponse('GET', '/pay', 404, 30)
  metrics.countDroppedSpans(3)
  metrics.recordLoopStep('delivery')
  const text = await metrics.text()
  for (const line of [
    'pazar_incidents_total{kind="mismatch"} 2',
    'pazar_payments_total{mode="live",state="failed"} 1',
    'pazar_callback_attempts_total{outcome="timeout"} 1',
    'pazar_upstream_calls_total{upstream="stripe",outcome="rate_limited"} 1',
    'pazar_http_answers_total{method="GET",route="/pay",status="200"} 2',
    'pazar_http_answers_total{method="GET",route="/pay",status="404"} 1',
    'pazar_http_request_seconds_bucket{le="0.02",route="/pay"} 0',
    'pazar_http_request_seconds_bucket{le="0.05",route="/pay"} 3',
    'pazar_upstream_call_seconds_bucket{le="1",upstream="stripe",outcome="rate_limited"} 0',
    'pazar_upstream_call_seconds_bucket{le="2.5",upstream="stripe",outcome="rate_limited"} 1',
    'pazar_lane_owners 8',
    'pazar_spans_dropped_total 3',
    'pazar_callbacks_due 1',
    'pazar_callbacks_oldest_due_seconds 2',
    'pazar_payments_open 3',
    'pazar_payments_oldest_open_seconds 4',
    'pazar_incidents_open 5',
    'pazar_mails_waiting 6',
    'pazar_schema_version 7',
    'pazar_clock_offset_seconds 0.5',
  ])
    assert.ok(text.includes(`${line}\n`), `${line} is missing in:\n${text}`)
  assert.match(text, /pazar_loop_heartbeat_seconds\{loop="delivery"\} \d/)
  assert.match(text, /nodejs_eventloop_lag/)
  assert.match(
    await metrics.text(),
    /pazar_http_answers_total\{[^}]*status="200"\} 2/,
    'reading the metrics changes no counter',
  )
})

test('several reads of the metrics query the database once, and a failed query is repeated at the next read', async () => {
  let reads = 0
  const metrics = createMetrics(async () => {
    reads += 1
    return { ...NO_GAUGES, paymentsOpen: 7 }
  })
  await Promise.all([metrics.text(), metrics.text()])
  await metrics.text()
  assert.equal(reads, 1)
  const failing = createMetrics(async () => {
    reads += 1
    throw new Error('the database is lost')
  })
  await failing.text()
  // No query has succeeded, so the gauge has its initial value.
  assert.match(await failing.text(), /pazar_payments_open 0/)
  assert.equal(reads, 3)
})

test('a loop counts as running for the given time after its last step', () => {
  const metrics = createMetrics(async () => NO_GAUGES)
  assert.deepEqual(metrics.listActiveLoops(60), [])
  metrics.startLoopAge('delivery')
  assert.deepEqual(metrics.listActiveLoops(60), [])
  metrics.recordLoopStep('delivery')
  assert.deepEqual(metrics.listActiveLoops(60), ['delivery'])
  assert.deepEqual(metrics.listActiveLoops(0), [])
})

test('ids are UUIDs of version 7 that sort by time; tokens and request ids do not repeat', () => {
  const newIdAt = (nowMs: number) => newUuidV7({ nowMs: () => nowMs })
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (let n = 0; n < 100; n += 1) assert.match(newIdAt(Date.now()), pattern)
  assert.equal(newIdAt(0x0199_0000_0001).slice(0, 13), '01990000-0001')
  assert.ok(newIdAt(1_800_000_000_000) < newIdAt(1_800_000_000_001))
  const ids = Array.from({ length: 2_000 }, newRequestId)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{16}$/)
  const tokens = Array.from({ length: 100 }, newToken)
  assert.equal(new Set(tokens).size, tokens.length)
  assert.equal(Buffer.from(tokens[0]!, 'base64url').length, 32)
})

test('toUnixSeconds rounds down to whole seconds, and toInstant parses a time in any time zone', () => {
  assert.equal(toUnixSeconds(1_999), 1)
  assert.equal(toInstant('2026-11-16T03:00:00+01:00').toISOString(), '2026-11-16T02:00:00.000Z')
})

test('an error has the status of its code, and its message is the code, not the log text', () => {
  const error = new ServiceError('unavailable', { retryAfterSec: 2, log: 'the disk is full', cause: 1 })
  assert.deepEqual([error.status, error.message, error.retryAfterSec], [503, 'unavailable', 2])
  assert.equal(error.cause, 1)
  const invalid = invalidField('amount', 'too_big', { max: 3 })
  assert.deepEqual(
    [invalid.status, invalid.fields],
    [400, [{ path: 'amount', code: 'too_big', params: { max: 3 } }]],
  )
  assert.deepEqual(invalidField('a', 'b').fields, [{ path: 'a', code: 'b' }])
})
