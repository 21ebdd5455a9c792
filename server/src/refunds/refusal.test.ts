import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '../payments/payment.ts'
import type { Refund } from './refund.ts'
import { requireAmount, requireSame, requireWithinCap, toDecimals } from './refusal.ts'

const MONEY = { currency: 'EUR', scale: 2 }
const NONE = { refunded: 0n, processing: 0n, disputed: 0n }
const PAID = { state: 'succeeded', resolution: null, needsReview: false, amount: 1_000n } as Payment

function refusalOf(act: () => unknown): { code: string; fields: string[]; left: unknown } {
  try {
    act()
  } catch (error) {
    const { code, fields } = error as { code: string; fields: { code: string; params?: { left: string } }[] }
    return { code, fields: fields.map((one) => one.code), left: fields[0]?.params?.left ?? null }
  }
  return { code: 'none', fields: [], left: null }
}

test('without an amount, everything that can still be refunded is refunded', () => {
  assert.equal(requireAmount(PAID, NONE, null, MONEY), 1_000n)
  assert.equal(requireAmount(PAID, { refunded: 1n, processing: 20n, disputed: 300n }, null, MONEY), 679n)
  assert.equal(requireAmount(PAID, NONE, 1_000n, MONEY), 1_000n)
})

test('a refund of more than what is left is refused, and the error names what is left', () => {
  const sums = { refunded: 400n, processing: 100n, disputed: 0n }
  assert.deepEqual(
    refusalOf(() => requireAmount(PAID, sums, 501n, MONEY)),
    { code: 'refund_exceeds', fields: ['refund_left'], left: '500' },
  )
  assert.deepEqual(
    refusalOf(() => requireAmount(PAID, { ...NONE, refunded: 1_000n }, null, MONEY)),
    { code: 'refund_exceeds', fields: ['refund_left'], left: '0' },
  )
})

test('a payment that is unpaid, in review or disputed as a whole is not refundable', () => {
  const cases: [Partial<Payment>, object, string][] = [
    [{ state: 'failed' }, {}, 'refund_not_paid'],
    [{ resolution: 'unpaid' }, {}, 'refund_not_paid'],
    [{ needsReview: true }, {}, 'refund_in_review'],
    [{}, { disputed: 1_000n }, 'refund_disputed'],
  ]
  for (const [fields, sums, reason] of cases)
    assert.deepEqual(
      refusalOf(() => requireAmount({ ...PAID, ...fields }, { ...NONE, ...sums }, null, MONEY)),
      { code: 'not_refundable', fields: [reason], left: null },
    )
})

test('a token can refund up to its daily limit, and nothing above it', () => {
  requireWithinCap(300n, 1_000n, 700n, MONEY)
  assert.deepEqual(
    refusalOf(() => requireWithinCap(301n, 1_000n, 700n, MONEY)),
    { code: 'refund_exceeds', fields: ['refund_daily_cap'], left: '300' },
  )
  assert.deepEqual(
    refusalOf(() => requireWithinCap(1n, 1_000n, 1_500n, MONEY)),
    { code: 'refund_exceeds', fields: ['refund_daily_cap'], left: '0' },
  )
})

test('an amount is converted to another number of decimals, rounded down', () => {
  assert.deepEqual(
    [toDecimals(2_099n, 2, 0), toDecimals(20n, 0, 2), toDecimals(20n, 2, 2), toDecimals(9n, 2, 1)],
    [20n, 2_000n, 20n, 0n],
  )
})

test('the same idempotency key with another payment, amount or reason is a conflict', () => {
  const earlier = { transactionId: 't1', requestedAmount: 500n, reason: 'r' } as Refund
  const request = { transactionId: 't1', amount: 500n, reason: 'r', idempotencyKey: 'k' }
  assert.equal(requireSame(earlier, request), earlier)
  for (const change of [{ transactionId: 't2' }, { amount: 501n }, { amount: null }, { reason: null }])
    assert.deepEqual(
      refusalOf(() => requireSame(earlier, { ...request, ...change })),
      { code: 'idempotency_conflict', fields: ['key_used'], left: null },
    )
})
