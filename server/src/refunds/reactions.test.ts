import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundState } from '@pazar/contract'
import type { RefundState } from '@pazar/contract'
import type { RefundReport } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import { REFUND_EVENTS, REFUND_REACTIONS, toRefundEvent } from './reactions.ts'
import type { RefundReaction } from './reactions.ts'
import { MOVES } from './refund.ts'
import type { Refund } from './refund.ts'

const table = refundState.options.flatMap((state) =>
  REFUND_EVENTS.map((event) => ({ state, event, reaction: REFUND_REACTIONS[state][event] })),
)

const toTarget = (reaction: RefundReaction): RefundState | null =>
  reaction.act === 'end' ? reaction.state : null

test('REFUND_REACTIONS has a reaction for every state and event, and nothing else', () => {
  assert.deepEqual(Object.keys(REFUND_REACTIONS).sort(), refundState.options.toSorted())
  for (const state of refundState.options)
    assert.deepEqual(Object.keys(REFUND_REACTIONS[state]).sort(), REFUND_EVENTS.toSorted(), state)
})

test('events cause exactly the allowed moves', () => {
  const caused = table.flatMap(({ state, reaction }) => {
    const target = toTarget(reaction)
    return target === null ? [] : [`${state} → ${target}`]
  })
  const allowed = refundState.options.flatMap((state) => MOVES[state].map((target) => `${state} → ${target}`))
  assert.deepEqual([...new Set(caused)].sort(), allowed.sort())
})

test('an event that leaves the outcome open never ends a refund', () => {
  for (const state of refundState.options)
    for (const event of ['no_response', 'garbled', 'pending', 'mismatched', 'absent'] as const)
      assert.equal(toTarget(REFUND_REACTIONS[state][event]), null, `${state} + ${event}`)
})

test('a refund is sent again only while it is open and the upstream has no record of it', () => {
  const sent = table.filter(({ reaction }) => reaction.act === 'send')
  assert.deepEqual(
    sent.map(({ state, event }) => `${state} + ${event}`),
    ['processing + absent'],
  )
})

test('a success that is reported after a failure is adopted, so that the moved money is recorded', () => {
  assert.deepEqual(REFUND_REACTIONS.failed.succeeded, { act: 'adopt' })
})

const REFUND: Refund = {
  id: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  transactionId: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e60',
  mode: 'live',
  amount: 500n,
  currency: 'EUR',
  scale: 2,
  state: 'processing',
  origin: 'portal',
  requestedAmount: 500n,
  idempotencyKey: 'k',
  reason: null,
  chargeRef: null,
  upstreamRef: null,
  lookupId: null,
  pendingReason: null,
  failureCode: null,
  createdAt: toDate(0),
  completedAt: null,
  returnedAt: null,
}

const REPORT: RefundReport = {
  id: REFUND.id,
  paymentId: REFUND.transactionId,
  chargeId: null,
  status: 'succeeded',
  amount: 500n,
  currency: 'EUR',
  upstreamRef: null,
  pendingReason: null,
  failureCode: null,
}

test('a report of another payment, amount or currency counts as mismatched, whatever its status is', () => {
  for (const status of ['pending', 'succeeded', 'failed'] as const) {
    assert.equal(toRefundEvent(REFUND, { ...REPORT, status }), status)
    assert.equal(toRefundEvent(REFUND, { ...REPORT, status, paymentId: null }), status)
    for (const change of [{ amount: 499n }, { currency: 'USD' }, { paymentId: REFUND.id }])
      assert.equal(toRefundEvent(REFUND, { ...REPORT, status, ...change }), 'mismatched')
  }
})

test('a report with the id of another refund counts as garbled, except for a refund that was made at the upstream', () => {
  const other = { ...REPORT, id: REFUND.transactionId }
  for (const status of ['pending', 'succeeded', 'failed'] as const) {
    assert.equal(toRefundEvent(REFUND, { ...other, status }), 'garbled')
    assert.equal(toRefundEvent(REFUND, { ...other, status, id: null }), status)
    assert.equal(toRefundEvent({ ...REFUND, origin: 'upstream' }, { ...other, status }), status)
  }
})

test('after a refund has failed, a report of another amount is accepted, but a report of another currency or payment counts as mismatched', () => {
  const failed: Refund = { ...REFUND, state: 'failed', completedAt: toDate(0) }
  for (const status of ['pending', 'succeeded', 'failed'] as const) {
    assert.equal(toRefundEvent(failed, { ...REPORT, status, amount: 499n }), status)
    for (const change of [{ currency: 'USD' }, { paymentId: REFUND.id }])
      assert.equal(toRefundEvent(failed, { ...REPORT, status, ...change }), 'mismatched')
  }
})
