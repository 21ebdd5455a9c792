import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitMerchant } from './await-merchant.ts'
import { toNextUrl } from './next-url.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
type Shown = Parameters<typeof toNextUrl>[1]

function nextUrl(fields: Partial<Shown>): string {
  const plain = { id: ID, needsReview: false, resolution: null, actionUrl: null, customId: null } as const
  const payment: Shown = { ...plain, state: 'succeeded', mode: 'live', ...fields }
  return toNextUrl('https://pay.example.me', payment, 'https://shop.me/thanks')
}

const toShop = (status: string) => `https://shop.me/thanks?status=${status}&transactionId=${ID}`
const OWN_PAGE = `https://pay.example.me/pay/${ID}?return=1`
const BANK = 'https://bank.example/step'

test('the payer is sent to the bank for a bank step, to our page for any other open payment, and otherwise to the merchant', () => {
  assert.equal(nextUrl({ state: 'requires_action', actionUrl: BANK }), BANK)
  assert.equal(nextUrl({ state: 'requires_action' }), OWN_PAGE)
  assert.equal(nextUrl({ state: 'processing', actionUrl: BANK }), OWN_PAGE)
  assert.equal(nextUrl({ state: 'succeeded', actionUrl: BANK }), toShop('success'))
  for (const state of ['failed', 'expired'] as const) assert.equal(nextUrl({ state }), toShop('fail'))
})

test('the return URL of a payment in review has status=pending, and that of a resolved payment has the decided status', () => {
  assert.equal(nextUrl({ state: 'requires_action', actionUrl: BANK, needsReview: true }), OWN_PAGE)
  assert.equal(nextUrl({ state: 'failed', needsReview: true }), toShop('pending'))
  assert.equal(nextUrl({ state: 'failed', resolution: 'paid' }), toShop('success'))
  assert.equal(nextUrl({ state: 'succeeded', resolution: 'unpaid' }), toShop('fail'))
})

test('the return URL names the order and test mode', () => {
  assert.equal(
    nextUrl({ customId: 'order-7', mode: 'test' }),
    `${toShop('success')}&customId=order-7&mode=test`,
  )
})

test('the redirect waits at most three seconds for the delivery of the callback', async () => {
  const waits: unknown[] = []
  const deliveryWaits = {
    waitForDelivery: async (...args: unknown[]) => waits.push(args) > 0,
    onRecorded: () => assert.fail('nothing is recorded'),
  }
  await awaitMerchant({ deliveryWaits }, ID)
  assert.deepEqual(waits, [[ID, 3_000]])
})
