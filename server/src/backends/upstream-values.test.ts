import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { createLogger } from '../lib/logger.ts'
import { createHttpBackend } from './http.ts'
import { createHttpDisputes, toDisputeReport } from './http-disputes.ts'
import { createHttpRefunds } from './http-refunds.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { toCharge, toRefundReport } from './http-wire.ts'
import { INSTALLATION_KEY, PROJECT_KEY, TRANSACTION_KEY } from './metadata.ts'
import { parseDispute } from './stripe-dispute.ts'
import { parsePaymentIntent } from './stripe-payment.ts'
import { RATE_LIMIT_RETRY } from './upstream-agent.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'

const DISPUTE = { object: 'dispute', id: 'dp_1', amount: 500, currency: 'eur', payment_intent: 'pi_1' }

test('each known status of a Stripe dispute becomes one of our statuses; a dispute with another status is not reported', () => {
  const expected = {
    warning_needs_response: 'inquiry',
    warning_under_review: 'inquiry',
    warning_closed: 'won',
    needs_response: 'open',
    under_review: 'open',
    prevented: 'won',
    won: 'won',
    lost: 'lost',
    charge_refunded: undefined,
  }
  for (const [status, ours] of Object.entries(expected))
    assert.equal(parseDispute({ ...DISPUTE, status })?.status, ours, status)
})

test('a dispute at Stripe is parsed with its charge, amount, reason and deadline', () => {
  const evidence_details = { due_by: 1_790_000_000 }
  assert.deepEqual(parseDispute({ ...DISPUTE, status: 'lost', reason: 'fraudulent', evidence_details }), {
    paymentId: null,
    chargeId: 'pi_1',
    status: 'lost',
    amount: 500n,
    currency: 'EUR',
    upstreamRef: 'dp_1',
    reason: 'fraudulent',
    respondBy: new Date(1_790_000_000_000),
  })
  const plain = parseDispute({ ...DISPUTE, status: 'lost', reason: '<b>' })
  assert.deepEqual([plain?.reason, plain?.respondBy], [null, null])
  assert.equal(parseDispute({ ...DISPUTE, status: 'lost', amount: 0 }), null)
})

test('a Stripe payment is reported with one of our statuses, and a successful payment with the received amount', () => {
  const own = { livemode: true, installationId: 'here' }
  const metadata = { [TRANSACTION_KEY]: ID, [PROJECT_KEY]: 'ab', [INSTALLATION_KEY]: 'here' }
  const payment = {
    object: 'payment_intent',
    id: 'pi_1',
    livemode: true,
    amount: 1500,
    amount_received: 1400,
    currency: 'eur',
    metadata,
  }
  const expected = {
    succeeded: ['succeeded', 1400n],
    processing: ['processing', 1500n],
    canceled: ['cancelled', 1500n],
    requires_payment_method: ['failed', 1500n],
    requires_action: ['requires_action', 1500n],
    requires_capture: ['requires_action', 1500n],
  }
  for (const [status, ours] of Object.entries(expected)) {
    const charge = parsePaymentIntent({ ...payment, status }, own)
    assert.deepEqual([charge?.status, charge?.amount], ours, status)
  }
  const found = parsePaymentIntent({ ...payment, status: 'succeeded' }, own)
  assert.deepEqual([found?.id, found?.projectId, found?.chargeId, found?.currency], [ID, 'ab', 'pi_1', 'EUR'])
  const others = [
    { livemode: false },
    { metadata: { ...metadata, [INSTALLATION_KEY]: 'elsewhere' } },
    { metadata: {} },
  ]
  for (const fields of others)
    assert.equal(parsePaymentIntent({ ...payment, status: 'succeeded', ...fields }, own), null)
})

test('a refund at an http upstream is reported with one of our statuses, and with our id only if we requested the refund', () => {
  const refund = { id: ID, paymentId: ID, amount: '500', currency: 'EUR' }
  for (const [status, ours] of [
    ['processing', 'pending'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['returned', undefined],
  ])
    assert.equal(toRefundReport({ ...refund, status })?.status, ours, status)
  const own = toRefundReport({ ...refund, status: 'failed', refundRef: 'r-1', failureCode: 'no_account' })
  assert.deepEqual([own?.id, own?.upstreamRef, own?.failureCode], [ID, 'r-1', 'no_account'])
  const theirs = toRefundReport({ ...refund, id: 'r-2', status: 'failed', pendingReason: 'At the bank' })
  assert.deepEqual([theirs?.id, theirs?.upstreamRef, theirs?.pendingReason], [null, 'r-2', null])
  assert.equal(toRefundReport({ ...refund, status: 'failed', amount: '0' }), null)
  assert.equal(toRefundReport({ ...refund, status: 'failed', paymentId: 'p-1' }), null)
})

test('a dispute of an http upstream is parsed with its reason and deadline, and is not accepted if a field is invalid', () => {
  const dispute = { id: 'd-1', paymentId: ID, status: 'open', amount: 500, currency: 'EUR' }
  assert.deepEqual(toDisputeReport({ ...dispute, reason: 'fraud', respondBy: '2026-12-01T00:00:00+01:00' }), {
    paymentId: ID,
    chargeId: null,
    status: 'open',
    amount: 500n,
    currency: 'EUR',
    upstreamRef: 'd-1',
    reason: 'fraud',
    respondBy: new Date('2026-11-30T23:00:00Z'),
  })
  for (const fields of [{ status: 'closed' }, { amount: 0 }, { paymentId: 'p-1' }, { respondBy: 'tomorrow' }])
    assert.equal(toDisputeReport({ ...dispute, ...fields }), null, JSON.stringify(fields))
})

test('the address of the bank page and the charge id of a payment at an http upstream have a maximum length', () => {
  const payment = { id: ID, status: 'requires_action', amount: '1500', currency: 'EUR' }
  const page = (length: number) =>
    `https://bank.example/${'x'.repeat(length - 'https://bank.example/'.length)}`
  assert.equal(toCharge({ ...payment, redirectUrl: page(2048) })?.actionUrl, page(2048))
  assert.equal(toCharge({ ...payment, redirectUrl: page(2049) }), null)
  assert.equal(toCharge({ ...payment, redirectUrl: 'javascript:alert(1)' }), null)
  const paid = { ...payment, status: 'succeeded' }
  assert.equal(toCharge({ ...paid, chargeId: 'x'.repeat(128) })?.chargeId?.length, 128)
  for (const chargeId of ['x'.repeat(129), 'a b', '']) assert.equal(toCharge({ ...paid, chargeId }), null)
})

test('what an http upstream declares about refunds is cached for a minute, and longer while the upstream does not respond', async () => {
  let nowMs = 0
  let requestCount = 0
  let info: UpstreamInfo | Error = { currency: 'EUR', scale: 2, refunds: true }
  const refunds = createHttpRefunds({
    call: () => assert.fail('a request'),
    fetchInfo: async () => {
      requestCount += 1
      if (info instanceof Error) throw info
      return info
    },
    clock: { nowMs: () => nowMs },
    timeoutMs: 1,
  })
  assert.equal(await refunds.isOffered(), true)
  info = { currency: 'EUR', scale: 2 }
  nowMs = 59_999
  assert.deepEqual([await refunds.isOffered(), requestCount], [true, 1])
  nowMs = 60_000
  assert.deepEqual([await refunds.isOffered(), requestCount], [false, 2])
  info = new Error('no response')
  nowMs = 120_000
  assert.deepEqual([await refunds.isOffered(), requestCount], [false, 3])
})

test('disputes are listed every ten minutes, and only at an upstream that declares both disputes and lists', async () => {
  const isOffered = (info: object | null) => {
    const fetchInfo = async () => (info ? { currency: 'EUR', scale: 2, ...info } : null)
    const disputes = createHttpDisputes({ call: () => assert.fail('a request'), fetchInfo, timeoutMs: 1 })
    assert.equal(disputes.pollMs, 600_000)
    return disputes.isOffered()
  }
  assert.deepEqual(
    [
      await isOffered({ disputes: true, lists: true }),
      await isOffered({ disputes: true }),
      await isOffered({ lists: true }),
      await isOffered(null),
    ],
    [true, false, false, false],
  )
})

test('the quota of an http upstream is 20 lookups a second, and the pause after a 429 is one second', () => {
  const backend = createHttpBackend({ url: 'http://127.0.0.1:9', secret: 'x'.repeat(32), clock: systemClock })
  assert.deepEqual(backend.quota, { perSec: 20, burst: 16, waitingPerSec: 5, waitingBurst: 8 })
  assert.deepEqual(RATE_LIMIT_RETRY, { pauseMs: 1_000, timeoutMs: 3_000 })
})

test('a call to an http upstream may take ten seconds, and a call to /info three', async (t) => {
  const timeouts = t.mock.method(AbortSignal, 'timeout')
  const money = { currency: 'EUR', scale: 2 }
  const backend = createHttpBackend({
    url: 'http://127.0.0.1:9',
    secret: 'x'.repeat(32),
    clock: systemClock,
    terms: { money, log: createLogger('fatal') },
  })
  await assert.rejects(backend.find(ID))
  await backend.findTermsProblem!()
  // The list may also contain timeouts of other code in this process.
  const waits = timeouts.mock.calls.map((call) => call.arguments[0])
  assert.deepEqual([waits.includes(10_000), waits.includes(3_000)], [true, true])
})
