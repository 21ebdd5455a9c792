import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { Stripe } from 'stripe'
import { createHttpBackend } from './http.ts'
import { readStripeWebhook } from './stripe-webhook.ts'

const NOW_SEC = 1_800_000_000
const clock = { nowMs: () => NOW_SEC * 1000 }
const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const [SECRET, PREVIOUS_SECRET, OTHER_SECRET] = ['s', 'p', 'x'].map((one) => one.repeat(32)) as [
  string,
  string,
  string,
]

const PAID_PAYMENT = JSON.stringify({
  id: ID,
  status: 'succeeded',
  amount: '1500',
  currency: 'EUR',
  chargeId: 'ch_1',
})

interface SentWebhook {
  secret?: string
  ageSec?: number
  signedBody?: string
}

function readHttp(
  { secret = SECRET, ageSec = 0, signedBody: body = PAID_PAYMENT }: SentWebhook,
  sentBody = body,
  secretPrevious: string | null = null,
) {
  const backend = createHttpBackend({ url: 'http://127.0.0.1:9', secret: SECRET, secretPrevious, clock })
  const headers = { ...signWebhook({ id: 'evt_1', timestampSec: NOW_SEC - ageSec, body, secret }) }
  return backend.readWebhook!({ rawBody: Buffer.from(sentBody), headers })
}

test('http: a signed webhook reports its payment', () => {
  const result = readHttp({})
  assert.ok(result.kind === 'report')
  const { id, status, amount, currency, chargeId, actionUrl } = result.charge
  assert.deepEqual(
    [id, status, amount, currency, chargeId, actionUrl],
    [ID, 'succeeded', 1500n, 'EUR', 'ch_1', null],
  )
})

test('http: the previous secret is accepted only while it is configured, and other secrets are never accepted', () => {
  assert.equal(readHttp({ secret: PREVIOUS_SECRET }, PAID_PAYMENT, PREVIOUS_SECRET).kind, 'report')
  assert.equal(readHttp({}, PAID_PAYMENT, PREVIOUS_SECRET).kind, 'report')
  assert.equal(readHttp({ secret: PREVIOUS_SECRET }).kind, 'forged')
  assert.equal(readHttp({ secret: OTHER_SECRET }, PAID_PAYMENT, PREVIOUS_SECRET).kind, 'forged')
})

test('http: a webhook is accepted if its time is at most five minutes before or after the current time', () => {
  for (const ageSec of [-300, 300]) assert.equal(readHttp({ ageSec }).kind, 'report', String(ageSec))
  for (const ageSec of [-301, 301]) assert.equal(readHttp({ ageSec }).kind, 'forged', String(ageSec))
})

test('http: a changed body is forged, and a signed body without a payment is unusable', () => {
  assert.equal(readHttp({}, PAID_PAYMENT.replace('1500', '1')).kind, 'forged')
  assert.equal(readHttp({ signedBody: '{"hello":"world"}' }).kind, 'unusable')
})

const OWN_INSTALLATION = 'installation-1'
const SESSION = {
  object: 'checkout.session',
  id: 'cs_live_1',
  livemode: true,
  status: 'complete',
  payment_status: 'paid',
  amount_total: 1500,
  currency: 'eur',
  expires_at: NOW_SEC + 60,
  url: null,
  metadata: { pazar_transaction: ID, pazar_project: 'shop', pazar_installation: OWN_INSTALLATION },
  payment_intent: 'pi_1',
}

function readStripe(
  type: string,
  object: unknown = SESSION,
  {
    secret = SECRET,
    ageSec = 0,
    signedBody: body = JSON.stringify({ type, data: { object } }),
  }: SentWebhook = {},
  webhookSecretPrevious: string | null = null,
) {
  const timestamp = NOW_SEC - ageSec
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  const options = {
    webhookSecret: SECRET,
    webhookSecretPrevious,
    livemode: true,
    installationId: OWN_INSTALLATION,
  }
  const message = { rawBody: Buffer.from(body), headers: { 'stripe-signature': header } }
  return readStripeWebhook(options, message, clock.nowMs())
}

const COMPLETED = 'checkout.session.completed'
const EXPIRED = 'checkout.session.expired'
const ASYNC_SUCCEEDED = 'checkout.session.async_payment_succeeded'
const ASYNC_FAILED = 'checkout.session.async_payment_failed'
const unpaidSession = { ...SESSION, payment_status: 'unpaid' }

test('stripe: a session event gives a report with the payment’s status, its charge id and a sequence number', () => {
  for (const [type, session, status, sequence, failureCode] of [
    [COMPLETED, SESSION, 'succeeded', 3, null],
    [COMPLETED, unpaidSession, 'processing', 2, null],
    [ASYNC_SUCCEEDED, SESSION, 'succeeded', 3, null],
    [ASYNC_FAILED, unpaidSession, 'failed', 3, 'declined'],
    [ASYNC_FAILED, SESSION, 'succeeded', 3, null],
    [EXPIRED, { ...unpaidSession, status: 'expired', payment_intent: null }, 'cancelled', 3, null],
    [
      EXPIRED,
      { ...unpaidSession, status: 'expired', payment_intent: null, expires_at: NOW_SEC },
      'cancelled',
      3,
      'expired',
    ],
  ] as const) {
    const result = readStripe(type, session)
    assert.ok(result.kind === 'report', type)
    const { charge } = result
    assert.deepEqual(
      [charge.status, charge.sequence, charge.failureCode],
      [status, sequence, failureCode],
      type,
    )
    assert.deepEqual([charge.id, charge.amount, charge.currency], [ID, 1500n, 'EUR'])
    assert.equal(charge.projectId, 'shop')
    assert.equal(charge.chargeId, session.payment_intent)
    assert.equal(charge.actionUrl, null)
  }
})

test('stripe: the report of an open page has the first sequence number and the address of the page', () => {
  const url = 'https://checkout.stripe.com/c/pay/cs_live_1'
  const result = readStripe(COMPLETED, { ...unpaidSession, status: 'open', url })
  assert.ok(result.kind === 'report')
  const { status, sequence, actionUrl } = result.charge
  assert.deepEqual([status, sequence, actionUrl], ['requires_action', 1, url])
})

test('stripe: "insufficient_funds" in code or decline_code is reported; any other reason becomes "declined"', () => {
  const failureCodeOf = (last_payment_error: object | null) => {
    const payment_intent = { id: 'pi_1', status: 'requires_payment_method', last_payment_error }
    const result = readStripe(COMPLETED, { ...unpaidSession, payment_intent })
    return result.kind === 'report' ? result.charge.failureCode : null
  }
  assert.equal(failureCodeOf({ code: 'insufficient_funds' }), 'insufficient_funds')
  assert.equal(
    failureCodeOf({ code: 'card_declined', decline_code: 'insufficient_funds' }),
    'insufficient_funds',
  )
  assert.equal(failureCodeOf({ code: 'card_declined', decline_code: 'stolen_card' }), 'declined')
  assert.equal(failureCodeOf(null), 'declined')
})

test('stripe: the event that a session has expired is ignored if a payment began on the session', () => {
  assert.equal(readStripe(EXPIRED, { ...unpaidSession, status: 'expired' }).kind, 'ignored')
})

test('stripe: unused event types, sessions without our metadata and sessions of another installation are ignored; a session without an installation id is reported', () => {
  assert.equal(readStripe('checkout.session.created').kind, 'ignored')
  assert.equal(readStripe(COMPLETED, { ...SESSION, metadata: {} }).kind, 'ignored')
  const { pazar_installation: _, ...older } = SESSION.metadata
  assert.equal(readStripe(COMPLETED, { ...SESSION, metadata: older }).kind, 'report', 'an older session')
  const ofOtherInstallation = { ...SESSION.metadata, pazar_installation: 'installation-2' }
  assert.equal(readStripe(COMPLETED, { ...SESSION, metadata: ofOtherInstallation }).kind, 'ignored')
})

test('stripe: a session of test mode, a session without a project and a body that is not an event are unusable', () => {
  assert.equal(readStripe(COMPLETED, { ...SESSION, livemode: false }).kind, 'unusable')
  assert.equal(readStripe(COMPLETED, { ...SESSION, metadata: { pazar_transaction: ID } }).kind, 'unusable')
  for (const body of ['no JSON', '{}', '{"type":"x"}'])
    assert.equal(readStripe('', null, { signedBody: body }).kind, 'unusable', body)
})

test('stripe: disputes and refunds of test mode are ignored in live mode', () => {
  const dispute = {
    ...{ object: 'dispute', id: 'du_1', amount: 1500, currency: 'eur', payment_intent: 'pi_1' },
    ...{
      status: 'needs_response',
      reason: 'fraudulent',
      evidence_details: { due_by: NOW_SEC },
      metadata: {},
    },
  }
  const refund = {
    ...{ object: 'refund', id: 're_1', amount: 500, currency: 'eur', payment_intent: 'pi_1' },
    ...{ status: 'succeeded', metadata: SESSION.metadata },
  }
  for (const [type, object, kind] of [
    ['charge.dispute.created', dispute, 'dispute'],
    ['refund.updated', refund, 'refund'],
  ] as const) {
    const read = (livemode: boolean) =>
      readStripe(type, null, { signedBody: JSON.stringify({ type, livemode, data: { object } }) }).kind
    assert.deepEqual([read(true), read(false)], [kind, 'ignored'], type)
  }
})

test('stripe: a webhook that was signed with an unknown secret or too long ago is forged', () => {
  assert.equal(readStripe(COMPLETED, SESSION, { secret: PREVIOUS_SECRET }).kind, 'forged')
  assert.equal(readStripe(COMPLETED, SESSION, { secret: PREVIOUS_SECRET }, PREVIOUS_SECRET).kind, 'report')
  assert.equal(readStripe(COMPLETED, SESSION, {}, PREVIOUS_SECRET).kind, 'report')
  assert.equal(readStripe(COMPLETED, SESSION, { secret: OTHER_SECRET }, PREVIOUS_SECRET).kind, 'forged')
  assert.equal(readStripe(COMPLETED, SESSION, { ageSec: 299 }).kind, 'report')
  assert.equal(readStripe(COMPLETED, SESSION, { ageSec: 301 }).kind, 'forged')
})
