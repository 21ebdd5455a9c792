import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toVerdict } from './verdict.ts'

const paid = { successful: true, state: 'succeeded' as const, amount: '1500', refunded: '0', disputed: '0' }

test('an order is called paid only while no part of it was refunded or disputed', () => {
  assert.equal(toVerdict(paid), 'paid')
  assert.equal(toVerdict({ ...paid, refunded: '1' }), 'partlyRefunded')
  assert.equal(toVerdict({ ...paid, refunded: '1500' }), 'refunded')
  assert.equal(toVerdict({ ...paid, disputed: '1500' }), 'disputed')
  assert.equal(toVerdict({ ...paid, refunded: '700', disputed: '800' }), 'disputed')
})

test('an order is called "dispute lost" if one of its disputes was lost and none is open', () => {
  const disputed = { ...paid, disputed: '1500' }
  assert.equal(toVerdict(disputed, { disputes: [{ state: 'open' }] }), 'disputed')
  assert.equal(toVerdict(disputed, { disputes: [{ state: 'lost' }] }), 'disputeLost')
  assert.equal(toVerdict(disputed, { disputes: [{ state: 'lost' }, { state: 'won' }] }), 'disputeLost')
  assert.equal(toVerdict(disputed, { disputes: [{ state: 'lost' }, { state: 'open' }] }), 'disputed')
})

test('a paid order in review is called paid but in review, unless it is disputed', () => {
  const inReview = { ...paid, needsReview: true }
  assert.equal(toVerdict(inReview), 'paidInReview')
  assert.equal(toVerdict(inReview, { refunds: [{ state: 'processing' }] }), 'paidInReview')
  assert.equal(toVerdict({ ...inReview, refunded: '700' }), 'paidInReview')
  assert.equal(toVerdict({ ...inReview, refunded: '1500' }), 'paidInReview')
  assert.equal(toVerdict({ ...inReview, disputed: '1500' }), 'disputed')
})

test('an order with a processing refund is called refunding; failed and returned refunds do not count', () => {
  assert.equal(toVerdict(paid, { refunds: [{ state: 'failed' }, { state: 'processing' }] }), 'refunding')
  assert.equal(toVerdict(paid, { refunds: [{ state: 'failed' }, { state: 'returned' }] }), 'paid')
})

test('an order that does not count as paid is called not paid, even if it was refunded', () => {
  assert.equal(toVerdict({ ...paid, successful: false, refunded: '1500' }), 'notPaid')
})

test('an order whose payment can still succeed is called "not paid yet", and an order whose payment ended is called "not paid"', () => {
  const unpaid = { ...paid, successful: false }
  assert.equal(toVerdict({ ...unpaid, state: 'processing' }), 'notPaidYet')
  assert.equal(toVerdict({ ...unpaid, state: 'requires_action' }), 'notPaidYet')
  assert.equal(toVerdict({ ...unpaid, state: 'failed', needsReview: true }), 'notPaidYet')
  assert.equal(toVerdict({ ...unpaid, state: 'failed' }), 'notPaid')
  assert.equal(toVerdict({ ...unpaid, state: 'expired' }), 'notPaid')
})

test('a paid order is called paid if a replica of the previous release sends no sums of refunds and disputes', () => {
  assert.equal(toVerdict({ successful: true, state: 'succeeded', amount: '1500' }), 'paid')
})
