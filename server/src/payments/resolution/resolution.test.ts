import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '../payment.ts'
import { isAboutSuccess, isEndedByOperator, judgeDecision, toNotice } from './resolution.ts'

type Facts = Pick<Payment, 'state' | 'needsReview' | 'resolution'>

const kindOf = (facts: Partial<Facts>, as: 'paid' | 'unpaid', isForced = false, hasIncident = false) =>
  judgeDecision({ state: 'failed', needsReview: false, resolution: null, ...facts }, hasIncident, {
    as,
    isForced,
  }).kind

test('a payment in review or with an open incident can be resolved; with force, every ended unpaid payment can be resolved as paid', () => {
  assert.equal(kindOf({}, 'paid'), 'not_in_review')
  assert.equal(kindOf({ needsReview: true }, 'paid'), 'resolve')
  assert.equal(kindOf({}, 'paid', false, true), 'resolve')
  for (const state of ['failed', 'expired'] as const) {
    assert.equal(kindOf({ state }, 'paid', true), 'resolve', state)
    assert.equal(kindOf({ state }, 'unpaid', true), 'not_in_review', state)
  }
  for (const state of ['processing', 'requires_action', 'succeeded'] as const)
    assert.equal(kindOf({ state }, 'paid', true), 'not_in_review', state)
})

test('a decision can be corrected; the same decision can be made again only after something new was reported', () => {
  assert.equal(kindOf({ resolution: 'paid' }, 'paid'), 'already')
  assert.equal(kindOf({ resolution: 'paid' }, 'unpaid'), 'resolve')
  assert.equal(kindOf({ resolution: 'paid', needsReview: true }, 'paid'), 'resolve')
  assert.equal(kindOf({ resolution: 'unpaid' }, 'unpaid', false, true), 'resolve')
})

test('the merchant is notified of a new result, but not of a failure while another payment has paid the order', () => {
  assert.equal(toNotice('paid', null, true), 'send')
  assert.equal(toNotice('paid', 'success', false), 'sent_or_queued')
  assert.equal(toNotice('paid', 'fail', false), 'send')
  assert.equal(toNotice('unpaid', 'success', false), 'send')
  assert.equal(toNotice('unpaid', 'success', true), 'order_paid')
  assert.equal(toNotice('unpaid', 'fail', true), 'sent_or_queued')
})

test('a success is in doubt after a second charge, a contradiction, or any incident that was raised after the success', () => {
  for (const kind of ['charged_twice', 'contradiction'])
    assert.ok(isAboutSuccess({ kind, facts: { state: 'processing' } }), kind)
  assert.ok(isAboutSuccess({ kind: 'mismatched', facts: { state: 'succeeded' } }))
  assert.ok(!isAboutSuccess({ kind: 'mismatched', facts: { state: 'processing' } }))
})

test('the failure code shows whether an operator ended the payment', () => {
  const codes = ['resolved_paid', 'resolved_unpaid', 'declined', null]
  assert.deepEqual(
    codes.map((failureCode) => isEndedByOperator({ failureCode })),
    [true, true, false, false],
  )
})
