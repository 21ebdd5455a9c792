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

test('a payment of which nothing was taken back has no other sum, even in a response of the previous release', () => {
  assert.equal(findNet({ ...PAYMENT, refunded: '0', disputed: '0' }), null)
  assert.equal(findNet(PAYMENT), null)
})

test('what went back has a minus, nothing has none', () => {
  assert.deepEqual(['500', '0', '-5'].map(negate), ['-500', '0', '5'])
})
