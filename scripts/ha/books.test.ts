import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBooks } from './books.ts'
import type { Facts } from './books.ts'

const paid = { id: 'p1', customId: 'order-1', state: 'succeeded', undelivered: 0 }
const callback = { webhookId: 'w1', paymentId: 'p1', status: 'success' }

/** One payment without a fault. */
const GOOD: Facts = {
  acknowledged: new Set(['p1']),
  stored: [paid],
  charges: ['p1'],
  arrivals: [callback],
}

function findFaults(changed: Partial<Facts>): Record<string, string[]> {
  const { lost, chargedTwice, stuck, wrongResults } = checkBooks({ ...GOOD, ...changed })
  const all = { lost, chargedTwice, stuck, wrongResults }
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0))
}

test('a payment that was charged, stored and reported once has no faults', () => {
  assert.deepEqual(findFaults({}), {})
  const declined = { ...paid, state: 'failed' }
  const arrivals = [{ ...callback, status: 'fail' }]
  assert.deepEqual(findFaults({ acknowledged: new Set(), stored: [declined], charges: [], arrivals }), {})
})

test('if a payer saw success but the payment is not stored, both the success and its charge count as lost', () => {
  assert.deepEqual(findFaults({ stored: [], arrivals: [] }), {
    lost: [
      'p1: the payer saw success, but the payment is not stored',
      'p1: charged, but the payment is not stored',
    ],
  })
})

test('a charge of a failed payment counts as lost', () => {
  const stored = [{ ...paid, state: 'failed' }]
  const arrivals = [{ ...callback, status: 'fail' }]
  assert.deepEqual(findFaults({ acknowledged: new Set(), stored, arrivals }), {
    lost: ['p1: charged, but the payment is failed'],
  })
})

test('a successful payment without a charge counts as lost', () => {
  assert.deepEqual(findFaults({ charges: [] }), { lost: ['p1: succeeded without a charge'] })
})

test('an ended payment counts as lost if its callback is stored as delivered but did not arrive', () => {
  assert.deepEqual(findFaults({ arrivals: [] }), {
    lost: ['p1: succeeded, but the merchant got no callback'],
  })
})

test('two charges of one payment, or of one order, are found', () => {
  assert.deepEqual(findFaults({ charges: ['p1', 'p1'] }), { chargedTwice: ['p1: charged 2 times'] })
  const second = { ...paid, id: 'p2' }
  const arrivals = [callback, { webhookId: 'w2', paymentId: 'p2', status: 'success' }]
  assert.deepEqual(findFaults({ stored: [paid, second], charges: ['p1', 'p2'], arrivals }), {
    chargedTwice: ['order-1: paid 2 times'],
  })
})

test('an open payment and an undelivered callback are stuck', () => {
  const open = { ...paid, state: 'processing' }
  assert.deepEqual(findFaults({ acknowledged: new Set(), stored: [open], arrivals: [] }), {
    stuck: ['p1: still processing'],
  })
  assert.deepEqual(findFaults({ stored: [{ ...paid, undelivered: 1 }], arrivals: [] }), {
    stuck: ['p1: callbacks not delivered: 1'],
  })
})

test('a callback is wrong if it has another result than the payment, or arrives with two different ids', () => {
  assert.deepEqual(findFaults({ arrivals: [{ ...callback, status: 'fail' }] }), {
    wrongResults: ['p1: succeeded, but the merchant got fail'],
  })
  assert.deepEqual(findFaults({ arrivals: [callback, { ...callback, webhookId: 'w2' }] }), {
    wrongResults: ['p1: 2 callbacks with different ids'],
  })
})

test('a callback that is repeated with the same id is counted but is not a fault', () => {
  const verdict = checkBooks({ ...GOOD, arrivals: [callback, callback, callback] })
  assert.equal(verdict.repeats, 2)
  assert.deepEqual(findFaults({ arrivals: [callback, callback, callback] }), {})
})
