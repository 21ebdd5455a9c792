import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionView } from '@pazar/contract'
import { hasOrderNotice, toChecks } from './review-checks.ts'

const paid = { amount: '1500', successful: true, resolution: 'paid', needsReview: false } as TransactionView
const listToDos = (payment: TransactionView) =>
  toChecks(payment).flatMap(([name, , hasToDo]) => (hasToDo ? [name] : []))

test('a refund, a dispute or a new review removes the advice to treat the order as paid', () => {
  assert.deepEqual(listToDos(paid), ['resolvedPaid'])
  assert.deepEqual(listToDos({ ...paid, refunded: '0', disputed: '0' }), ['resolvedPaid'])
  assert.deepEqual(listToDos({ ...paid, refunded: '1500', disputed: '0' }), [])
  assert.deepEqual(listToDos({ ...paid, refunded: '500', disputed: '0' }), [])
  assert.deepEqual(listToDos({ ...paid, refunded: '0', disputed: '1500' }), [])
  assert.deepEqual(listToDos({ ...paid, needsReview: true }), ['inReviewPaid'])
})

test('the decision of the operator is shown even if the merchant has nothing to do', () => {
  const refunded = { ...paid, refunded: '1500', disputed: '0' }
  assert.deepEqual(toChecks(refunded), [['resolvedPaid', 'ok', false]])
})

test('if the bank sends a new report after the decision, the decision and the new review are both shown', () => {
  const unpaid = { ...paid, successful: false, resolution: 'unpaid', needsReview: true } as TransactionView
  assert.deepEqual(listToDos(unpaid), ['resolvedUnpaid', 'inReview'])
})

test('a payment that counts as paid and is in review again has no notice with a link to its order', () => {
  assert.equal(hasOrderNotice({ ...paid, needsReview: true }), false)
  assert.equal(hasOrderNotice({ ...paid, resolution: null, successful: false, needsReview: true }), true)
  assert.equal(hasOrderNotice(paid), false)
})
