import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negate } from '../negate.ts'
import { findNet } from './net.ts'

const PAYMENT = { amount: '1500', currency: 'EUR', scale: 2 }

test('what is left of a payment is its amount without refunds and disputes', () => {
  assert.equal(findNet({ ...PAYMENT, refunded: '500', disputed: '0' }), '1000')
  assert.equal(findNet({ ...PAYMENT, refunded: '0', disputed: '1500' }), '0')
  assert.equal(findNet({ ...PAYMENT, refunded: '500', disputed: '1500' }), '-500')
})

test('a payment without refunds and disputes has no net amount, even in a response of the previous release', () => {
  assert.equal(findNet({ ...PAYMENT, refunded: '0', disputed: '0' }), null)
  assert.equal(findNet(PAYMENT), null)
})

test('a negated amount has a minus, and zero has none', () => {
  assert.deepEqual(['500', '0', '-5'].map(negate), ['-500', '0', '5'])
})
