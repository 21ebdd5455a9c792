import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { listCallbacks, countIncidents, requirePayment } from '../../../test/payments.ts'
import { signEvent, STRIPE_WEBHOOK_SECRET } from '../../../test/stripe-events.ts'
import { testWebhook } from '../../../test/webhook-suite.ts'
import { newUuidV7 } from '../../lib/id.ts'
import type { Payment } from '../payment.ts'
import { recordBankPage } from '../bank-step-store.ts'
import { startStripeWebhooks } from '../../../test/stripe-webhooks.ts'

const { COMPLETED, PREVIOUS, deps, projectId, db, app, open, toPaidSession, post, ACCEPTED } =
  await startStripeWebhooks()

const ARRIVED = 'checkout.session.async_payment_succeeded'
const LOST = 'checkout.session.async_payment_failed'
const EXPIRED = 'checkout.session.expired'

async function openAtBank(): Promise<Payment> {
  const { id } = await open()
  return (await recordBankPage(db, id, 'https://checkout.stripe.com/c/pay/cs_test_1'))!
}

test('a completed and paid session ends the payment; the same event again is accepted and changes nothing', async () => {
  const payment = await openAtBank()
  const event = signEvent(COMPLETED, toPaidSession(payment))
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await post(event), ACCEPTED)
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.upstreamRef], ['succeeded', 'pi_1'])
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
})

test('a webhook is accepted even if it arrives before the response with the session id', async () => {
  const payment = await open()
  assert.deepEqual(await post(signEvent(COMPLETED, toPaidSession(payment))), ACCEPTED)
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
})

test('with a method that takes days, "completed" leaves the payment open, and the later success or failure ends it', async () => {
  for (const [type, fields, state, code] of [
    [ARRIVED, {}, 'succeeded', null],
    [LOST, { payment_status: 'unpaid' }, 'failed', 'declined'],
  ] as const) {
    const payment = await openAtBank()
    assert.deepEqual(
      await post(signEvent(COMPLETED, toPaidSession(payment, { payment_status: 'unpaid' }))),
      ACCEPTED,
    )
    assert.equal((await requirePayment(db, payment.id)).state, 'requires_action')
    assert.deepEqual(await post(signEvent(type, toPaidSession(payment, fields))), ACCEPTED)
    const stored = await requirePayment(db, payment.id)
    assert.deepEqual([stored.state, stored.failureCode], [state, code])
    // The first event arrives again, later.
    assert.deepEqual(
      await post(signEvent(COMPLETED, toPaidSession(payment, { payment_status: 'unpaid' }))),
      ACCEPTED,
    )
    assert.equal((await requirePayment(db, payment.id)).state, state)
  }
})

test('a payment expires with the code "expired" if its session has expired, and with "cancelled" if the session was closed early', async () => {
  for (const [inSec, code] of [
    [-1, 'expired'],
    [900, 'cancelled'],
  ] as const) {
    const payment = await openAtBank()
    const fields = { status: 'expired', payment_status: 'unpaid', payment_intent: null }
    const expires_at = Math.floor(Date.now() / 1000) + inSec
    assert.deepEqual(
      await post(signEvent(EXPIRED, toPaidSession(payment, { ...fields, expires_at }))),
      ACCEPTED,
    )
    const stored = await requirePayment(db, payment.id)
    assert.deepEqual([stored.state, stored.failureCode], ['expired', code])
  }
})

test('an expired session with a payment intent changes nothing, because the event does not say whether the payment failed', async () => {
  const payment = await openAtBank()
  const stored = await requirePayment(db, payment.id)
  const event = signEvent(EXPIRED, toPaidSession(payment, { status: 'expired', payment_status: 'unpaid' }))
  assert.deepEqual(await post(event), ACCEPTED)
  assert.notEqual(stored.actionUrl, null)
  assert.deepEqual(await requirePayment(db, payment.id), stored)
})

test('a paid session of an expired payment puts the payment in review with an incident and does not change its state', async () => {
  const payment = await openAtBank()
  const closed = { status: 'expired', payment_status: 'unpaid', payment_intent: null }
  await post(signEvent(EXPIRED, toPaidSession(payment, closed)))
  assert.deepEqual(await post(signEvent(COMPLETED, toPaidSession(payment))), ACCEPTED)
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.needsReview], ['expired', true])
  assert.equal(await countIncidents(db, 'charged_after_end', payment.id), 1)
})

test('while the secret is being replaced, both secrets are accepted', async () => {
  for (const secret of [STRIPE_WEBHOOK_SECRET, PREVIOUS]) {
    const payment = await openAtBank()
    assert.deepEqual(await post(signEvent(COMPLETED, toPaidSession(payment), { secret })), ACCEPTED)
    assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
  }
})

test('a session of another installation on the same account is ignored without an incident', async () => {
  const [own] = await rows<{ id: string }>(db, 'select id from installation')
  const installation = own!.id
  const unknown = newUuidV7(deps.clock)
  const toMetadata = (id: string, installationId: string) => ({
    metadata: { pazar_transaction: id, pazar_project: projectId, pazar_installation: installationId },
  })
  const ofOtherInstallation = toPaidSession({ id: unknown }, toMetadata(unknown, newUuidV7(deps.clock)))
  assert.deepEqual(await post(signEvent(COMPLETED, ofOtherInstallation)), ACCEPTED)
  assert.equal(await countIncidents(db, 'unknown_payment', unknown), 0)
  // Sessions with the id of our installation, or without the id of any installation, must name one of our payments.
  for (const session of [
    toPaidSession({ id: unknown }),
    toPaidSession({ id: unknown }, toMetadata(unknown, installation)),
  ])
    assert.equal((await post(signEvent(COMPLETED, session))).status, 404)
  assert.equal(await countIncidents(db, 'unknown_payment', unknown), 1)
  const payment = await openAtBank()
  assert.deepEqual(
    await post(signEvent(COMPLETED, toPaidSession(payment, toMetadata(payment.id, installation)))),
    ACCEPTED,
  )
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
})

testWebhook({
  deps,
  open,
  other: 'http',
  send: (id, changes = {}) => {
    const metadata = { pazar_transaction: id, pazar_project: changes.projectId ?? projectId }
    const amount_total = changes.amount ?? 1500
    const currency = (changes.currency ?? 'EUR').toLowerCase()
    return post(signEvent(COMPLETED, toPaidSession({ id }, { amount_total, currency, metadata })))
  },
})

test('an upstream that is not configured has no webhook route', async () => {
  const response = await app.inject({ method: 'POST', url: '/upstream/http/webhook', payload: {} })
  assert.equal(response.statusCode, 404)
})

test('a dispute is recorded for the payment that it names, and closed when Stripe reports its end', async () => {
  const payment = await openAtBank()
  await post(signEvent(COMPLETED, toPaidSession(payment, { payment_intent: 'pi_disputed' })))
  const dispute = {
    object: 'dispute',
    id: 'du_1',
    amount: 1500,
    currency: 'eur',
    payment_intent: 'pi_disputed',
    status: 'warning_needs_response',
    reason: 'fraudulent',
    evidence_details: { due_by: 1_800_000_000 },
    metadata: {},
  }
  const send = (type: string, fields: object = {}, livemode = false) =>
    post(signEvent(`charge.dispute.${type}`, { ...dispute, ...fields }, { livemode }))
  const listDisputes = async () =>
    rows(db, 'select state, respond_by, reason from disputes where transaction_id = $1', [payment.id])
  // Disputes of the other mode, and of a payment that is not ours, are accepted, but not recorded.
  deps.backends.live.findPaymentId = async () => null
  assert.deepEqual(await send('created', {}, true), ACCEPTED)
  assert.deepEqual(await send('created', { id: 'du_2', payment_intent: 'pi_of_others' }), ACCEPTED)
  assert.deepEqual(await listDisputes(), [])
  assert.deepEqual(await send('created'), ACCEPTED)
  const facts = { respond_by: new Date(1_800_000_000_000), reason: 'fraudulent' }
  assert.deepEqual(await listDisputes(), [{ state: 'inquiry', ...facts }])
  assert.deepEqual(await send('updated', { status: 'needs_response' }), ACCEPTED)
  assert.deepEqual(await listDisputes(), [{ state: 'open', ...facts }])
  for (const type of ['closed', 'funds_reinstated'])
    assert.deepEqual(await send(type, { status: 'won' }), ACCEPTED)
  assert.deepEqual(await listDisputes(), [{ state: 'won', ...facts }])
  assert.equal((await send('updated', { status: 'of_the_future' })).status, 400)
})
