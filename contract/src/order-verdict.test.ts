import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOrderVerdict } from './order-verdict.ts'

const paid = { successful: true, state: 'succeeded' as const, amount: '1500', refunded: '0', disputed: '0' }

test('refunds and disputes change the verdict of a paid order', () => {
  assert.equal(toOrderVerdict(paid), 'paid')
  assert.equal(toOrderVerdict({ ...paid, refunded: '1' }), 'partlyRefunded')
  assert.equal(toOrderVerdict({ ...paid, refunded: '1500' }), 'refunded')
  assert.equal(toOrderVerdict({ ...paid, disputed: '1500' }), 'disputed')
  assert.equal(toOrderVerdict({ ...paid, refunded: '700', disputed: '800' }), 'disputed')
})

test('an order with a lost dispute and no open dispute is “disputeLost”', () => {
  const disputed = { ...paid, disputed: '1500' }
  assert.equal(toOrderVerdict(disputed, { disputes: [{ state: 'open' }] }), 'disputed')
  assert.equal(toOrderVerdict(disputed, { disputes: [{ state: 'lost' }] }), 'disputeLost')
  assert.equal(toOrderVerdict(disputed, { disputes: [{ state: 'lost' }, { state: 'won' }] }), 'disputeLost')
  assert.equal(toOrderVerdict(disputed, { disputes: [{ state: 'lost' }, { state: 'open' }] }), 'disputed')
})

test('a paid order in review is “paidInReview”, unless it is disputed', () => {
  const inReview = { ...paid, needsReview: true }
  assert.equal(toOrderVerdict(inReview), 'paidInReview')
  assert.equal(toOrderVerdict(inReview, { refunds: [{ state: 'processing' }] }), 'paidInReview')
  assert.equal(toOrderVerdict({ ...inReview, refunded: '700' }), 'paidInReview')
  assert.equal(toOrderVerdict({ ...inReview, refunded: '1500' }), 'paidInReview')
  assert.equal(toOrderVerdict({ ...inReview, disputed: '1500' }), 'disputed')
})

test('while a refund is processing, a paid order is “refunding”', () => {
  assert.equal(toOrderVerdict(paid, { refunds: [{ state: 'failed' }, { state: 'processing' }] }), 'refunding')
  assert.equal(toOrderVerdict(paid, { refunds: [{ state: 'failed' }, { state: 'returned' }] }), 'paid')
})

test('a refunded order that does not count as paid is “notPaid”', () => {
  assert.equal(toOrderVerdict({ ...paid, successful: false, refunded: '1500' }), 'notPaid')
})

test('an unpaid order is “notPaidYet” while its payment can still succeed or is in review', () => {
  const unpaid = { ...paid, successful: false }
  assert.equal(toOrderVerdict({ ...unpaid, state: 'processing' }), 'notPaidYet')
  assert.equal(toOrderVerdict({ ...unpaid, state: 'requires_action' }), 'notPaidYet')
  assert.equal(toOrderVerdict({ ...unpaid, state: 'failed', needsReview: true }), 'notPaidYet')
  assert.equal(toOrderVerdict({ ...unpaid, state: 'failed' }), 'notPaid')
  assert.equal(toOrderVerdict({ ...unpaid, state: 'expired' }), 'notPaid')
})

test('a paid order whose refunded and disputed amounts are unknown is “paid”, or “paidInReview” if it needs a review', () => {
  assert.equal(toOrderVerdict({ successful: true, state: 'succeeded' }), 'paid')
  assert.equal(toOrderVerdict({ successful: true, state: 'succeeded', needsReview: true }), 'paidInReview')
})
