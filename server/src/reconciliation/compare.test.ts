import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Side } from './compare.ts'
import { findTrouble } from './compare.ts'

const MOVED: Side = { amount: 1500n, currency: 'EUR', scale: 2, state: 'succeeded', hasMoved: true }
const UNPAID: Side = { ...MOVED, state: 'failed', hasMoved: false }

test('money that moved on one side only is missing on the other side', () => {
  for (const none of [null, UNPAID]) {
    assert.equal(findTrouble(MOVED, none), 'missing_there')
    assert.equal(findTrouble(none, MOVED), 'missing_here')
    assert.equal(findTrouble(none, none), null)
    assert.equal(findTrouble(none, UNPAID), null)
  }
})

test('currency, scale and amount are compared, and an unknown scale equals every scale', () => {
  assert.equal(findTrouble(MOVED, { ...MOVED, state: 'paid' }), null)
  assert.equal(findTrouble(MOVED, { ...MOVED, currency: 'USD' }), 'currency')
  assert.equal(findTrouble(MOVED, { ...MOVED, scale: 3 }), 'scale')
  assert.equal(findTrouble({ ...MOVED, scale: 0 }, MOVED), 'scale')
  for (const scale of [null, 2]) {
    assert.equal(findTrouble(MOVED, { ...MOVED, scale }), null)
    assert.equal(findTrouble({ ...MOVED, scale }, MOVED), null)
    assert.equal(findTrouble({ ...MOVED, scale }, { ...MOVED, amount: 1499n }), 'amount')
  }
})
