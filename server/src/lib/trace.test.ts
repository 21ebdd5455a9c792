import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findTrace,
  findTraceparent,
  parseRequestId,
  parseTraceparent,
  runInTrace,
  runWithoutTrace,
  startTrace,
  toChild,
  toTraceHeaders,
  toTraceparent,
} from './trace.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT_ID = '00f067aa0ba902b7'
const VALID_TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`

test('a W3C traceparent is read, even a traceparent of a later version with more fields', () => {
  const sent = { traceId: TRACE_ID, parentId: PARENT_ID, flags: '01' }
  assert.deepEqual(parseTraceparent(VALID_TRACEPARENT), sent)
  assert.deepEqual(parseTraceparent(`cc-${TRACE_ID}-${PARENT_ID}-01-what-the-future-brings`), sent)
})

const INVALID_TRACEPARENTS: unknown[] = [
  undefined,
  '',
  'garbage',
  VALID_TRACEPARENT.toUpperCase(),
  `${VALID_TRACEPARENT}-more`,
  `ff-${TRACE_ID}-${PARENT_ID}-01`,
  `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
  `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  `00-${TRACE_ID}-${PARENT_ID}`,
  `${VALID_TRACEPARENT}\n`,
  ` ${VALID_TRACEPARENT}`,
  `${VALID_TRACEPARENT}, ${VALID_TRACEPARENT}`,
  `cc-${TRACE_ID}-${PARENT_ID}-01-${'x'.repeat(10_000)}`,
  [VALID_TRACEPARENT],
]

test('an invalid traceparent is ignored', () => {
  for (const value of INVALID_TRACEPARENTS) assert.equal(parseTraceparent(value), null, String(value))
})

test('a request id has 8 to 64 plain characters', () => {
  for (const id of ['0a1b2c3d', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'a'.repeat(64)])
    assert.equal(parseRequestId(id), id)
  for (const id of [
    undefined,
    '',
    'short',
    'a'.repeat(65),
    'has space',
    'line\nbreak',
    '<script>',
    '-rf /////',
    'čćžšđčćž',
  ])
    assert.equal(parseRequestId(id), null, String(id))
})

test('a trace continues the traceparent that was sent, and its children have the same trace id', () => {
  const trace = startTrace(parseTraceparent(VALID_TRACEPARENT), false, 'request-1')
  assert.equal(trace.traceId, TRACE_ID)
  assert.equal(trace.parentId, PARENT_ID)
  const child = toChild(trace)
  assert.deepEqual([child.traceId, child.parentId], [TRACE_ID, trace.spanId])
  assert.notEqual(child.spanId, trace.spanId)
  assert.deepEqual(parseTraceparent(toTraceparent(child))?.parentId, child.spanId)
})

test('findTrace returns the trace of the current work, and null after the traced request has ended', async () => {
  const trace = startTrace(parseTraceparent(VALID_TRACEPARENT), false)
  await runInTrace(trace, async () => {
    await Promise.resolve()
    assert.equal(findTrace(), trace)
    assert.equal(findTraceparent(), toTraceparent(trace))
    assert.equal(
      runWithoutTrace(() => findTrace()),
      null,
    )
    trace.isOver = true
    assert.equal(findTrace(), null)
  })
  assert.equal(findTrace(), null)
})

test('other systems get a traceparent only if the caller sent a traceparent or if spans are exported', () => {
  const headersOf = (sent: string | null, isExported: boolean) =>
    Object.keys(toTraceHeaders(startTrace(parseTraceparent(sent), isExported, 'request-1')))
  assert.deepEqual(headersOf(null, false), ['x-request-id'])
  assert.deepEqual(headersOf(VALID_TRACEPARENT, false), ['traceparent', 'x-request-id'])
  assert.deepEqual(headersOf(null, true), ['traceparent', 'x-request-id'])
})
