import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { parseUpstreamWebhook } from './http-webhook.ts'
import { readStripeWebhook } from './stripe-webhook.ts'

const [PAYMENT, REFUND] = ['019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913', '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914']
const MONEY = { amount: '700', currency: 'EUR' }

const readHttp = (value: object) => parseUpstreamWebhook(Buffer.from(JSON.stringify(value)))

test('http: a webhook about a refund reports the refund; without a valid refund, the webhook is unusable', () => {
  const refund = { kind: 'refund', id: REFUND, paymentId: PAYMENT, status: 'succeeded', ...MONEY }
  const result = readHttp(refund)
  assert.ok(result.kind === 'refund')
  const { paymentId, amount, currency, status } = result.refund
  assert.deepEqual([paymentId, amount, currency, status], [PAYMENT, 700n, 'EUR', 'succeeded'])
  for (const broken of [{ status: 'refunded' }, { amount: '-1' }, { paymentId: 'x' }])
    assert.deepEqual(readHttp({ ...refund, ...broken }), { kind: 'unusable', reason: 'no refund' })
})

test('http: a webhook about a dispute reports the dispute and its deadline; without a valid dispute, the webhook is unusable', () => {
  const respondBy = '2026-12-01T12:00:00.000Z'
  const dispute = { kind: 'dispute', id: 'du_1', paymentId: PAYMENT, status: 'open', ...MONEY, respondBy }
  const result = readHttp(dispute)
  assert.ok(result.kind === 'dispute')
  assert.deepEqual(
    [result.dispute.upstreamRef, result.dispute.amount, result.dispute.respondBy?.toISOString()],
    ['du_1', 700n, respondBy],
  )
  assert.equal(result.dispute.chargeId, null)
  const named = readHttp({ ...dispute, chargeId: 'ch_2' })
  assert.ok(named.kind === 'dispute' && named.dispute.chargeId === 'ch_2')
  const withoutDeadline = readHttp({ ...dispute, respondBy: null })
  assert.ok(withoutDeadline.kind === 'dispute' && withoutDeadline.dispute.respondBy === null)
  for (const broken of [{ status: 'new' }, { amount: '0' }, { paymentId: 'x' }, { respondBy: 'tomorrow' }])
    assert.deepEqual(readHttp({ ...dispute, ...broken }), { kind: 'unusable', reason: 'no dispute' })
})

test('http: a webhook without a kind reports a payment, and a webhook of an unknown kind is unusable', () => {
  const payment = { id: PAYMENT, status: 'succeeded', ...MONEY }
  for (const kind of [undefined, null, 'payment'])
    assert.equal(readHttp({ ...payment, kind }).kind, 'report', String(kind))
  for (const kind of ['payout', 'Refund', '', 7, {}])
    assert.deepEqual(readHttp({ ...payment, kind }), { kind: 'unusable', reason: 'unknown kind' })
})

const NOW_SEC = 1_800_000_000
const SECRET = 'whsec_0123456789abcdef0123456789abcdef'
const OPTIONS = { webhookSecret: SECRET, webhookSecretPrevious: null, livemode: true, installationId: 'ours' }

function readStripe(type: string, object: object, headers: Record<string, unknown> = {}) {
  const payload = JSON.stringify({ type, livemode: true, data: { object } })
  const signed = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: NOW_SEC })
  const message = { rawBody: Buffer.from(payload), headers: { 'stripe-signature': signed, ...headers } }
  return readStripeWebhook(OPTIONS, message, NOW_SEC * 1000)
}

test('stripe: charge.refunded reports that refunds of its payment_intent have changed; without a payment_intent, the event is ignored', () => {
  assert.deepEqual(readStripe('charge.refunded', { object: 'charge', payment_intent: 'pi_1' }), {
    ...{ kind: 'refunds_changed', paymentId: null, chargeId: 'pi_1' },
  })
  assert.deepEqual(readStripe('charge.refunded', { object: 'charge', payment_intent: null }), {
    kind: 'ignored',
  })
})

test('stripe: refund.updated and charge.refund.updated report a refund, unless the refund is of another installation', () => {
  const refund = {
    ...{ object: 'refund', id: 're_1', amount: 700, currency: 'eur', status: 'succeeded' },
    ...{ payment_intent: 'pi_1', metadata: {} },
  }
  for (const type of ['refund.updated', 'charge.refund.updated']) {
    const result = readStripe(type, refund)
    assert.ok(result.kind === 'refund', type)
    assert.deepEqual([result.refund.upstreamRef, result.refund.amount], ['re_1', 700n])
  }
  const foreign = { ...refund, metadata: { pazar_refund: REFUND, pazar_installation: 'another' } }
  assert.equal(readStripe('refund.updated', foreign).kind, 'ignored')
  assert.deepEqual(readStripe('refund.updated', { object: 'charge' }), {
    ...{ kind: 'unusable', reason: 'no refund' },
  })
})

test('stripe: a dispute event is unusable if its object is not a dispute, its status is unknown or its amount is zero', () => {
  const dispute = {
    ...{ object: 'dispute', id: 'du_1', amount: 700, currency: 'eur', payment_intent: 'pi_1' },
    status: 'needs_response',
  }
  assert.equal(readStripe('charge.dispute.created', dispute).kind, 'dispute')
  for (const broken of [{ object: 'charge' }, { status: 'new' }, { amount: 0 }])
    assert.deepEqual(readStripe('charge.dispute.created', { ...dispute, ...broken }), {
      ...{ kind: 'unusable', reason: 'no dispute' },
    })
})

test('stripe: a webhook with no signature header or with several signature headers counts as forged', () => {
  for (const header of [undefined, '', ['a', 'b']])
    assert.equal(readStripe('refund.updated', {}, { 'stripe-signature': header }).kind, 'forged')
})
