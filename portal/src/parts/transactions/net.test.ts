import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negate } from '../negate.ts'
import { findNet } from './net.ts'

const PAYMENT = { amount: '1500', currency: 'EUR', scale: 2 }

test('refunds and disputes are subtracted from the amount', () => {
  assert.equal(findNet({ ...PAYMENT, refunded: '500', disputed: '0' }), '1000')
  assert.equal(findNet({ ...PAYMENT, refunded: '0', disputed: '1500' }), '0')
  assert.equal(findNet({ ...PAYMENT, refunded: '500', disputed: '1500' }), '-500')
})

test('a payment without refunds and disputes has no net amount', () => {
  assert.equal(findNet({ ...PAYMENT, refunded: '0', disputed: '0' }), null)
  assert.equal(findNet(PAYMENT), null)
})

test('negating changes the sign of an amount, and zero has no sign', () => {
  assert.deepEqual(['500', '0', '-5'].map(negate), ['-500', '0', '5'])
})
