// Webhooks of Stripe: signed like the SDK does, and recorded like every other report.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { callbacksOf, countIncidents, requireStored, startPayments } from '../../../test/payments.ts'
import { signEvent, signText, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../../test/stripe-stand-in.ts'
import type { SignedEvent } from '../../../test/stripe-stand-in.ts'
import { createOpener, testWebhook } from '../../../test/webhook-suite.ts'
import { createHttpServer } from '../../http/server.ts'
import { newUuidV7 } from '../../lib/id.ts'
import type { Payment } from '../payment.ts'
import { sendToBank } from '../bank-step-store.ts'
import { createRefundAndDisputeReceivers } from '../../refunds/receive.ts'
import { registerUpstreamRoutes } from './routes.ts'

const COMPLETED = 'checkout.session.completed'
const ARRIVED = 'checkout.session.async_payment_succeeded'
const LOST = 'checkout.session.async_payment_failed'
const EXPIRED = 'checkout.session.expired'

const PREVIOUS = 'whsec_theSecretBeforeThisOne0123456789'

const { deps, projectId, logs } = await startPayments({
  BACKEND: 'stripe',
  STRIPE_SECRET_KEY: STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  STRIPE_WEBHOOK_SECRET_PREVIOUS: PREVIOUS,
  STRIPE_API_BASE: 'http://127.0.0.1:9',
})
const { db } = deps
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, deps, createRefundAndDisputeReceivers(deps))
after(() => app.close())

const open = createOpener(deps, projectId, 'stripe')

async function openAtBank(): Promise<Payment> {
  const { id } = await open()
  return (await sendToBank(db, id, 'https://checkout.stripe.com/c/pay/cs_test_1'))!
}

function paid(payment: Pick<Payment, 'id'>, fields: Record<string, unknown> = {}): object {
  return {
    object: 'checkout.session',
    id: 'cs_test_1',
    livemode: false,
    status: 'complete',
    payment_status: 'paid',
    amount_total: 1500,
    currency: 'eur',
    expires_at: Math.floor(Date.now() / 1000) + 1800,
    url: null,
    metadata: { pazar_transaction: payment.id, pazar_project: projectId },
    payment_intent: 'pi_1',
    customer_details: { email: 'ana@example.com', address: { country: 'ME' } },
    ...fields,
  }
}

async function post({ body, headers }: SignedEvent) {
  const response = await app.inject({
    method: 'POST',
    url: '/upstream/stripe/webhook',
    headers,
    payload: body,
  })
  return { status: response.statusCode, code: response.json<{ code?: string }>().code }
}

const ACCEPTED = { status: 200, code: undefined }

test('a completed and paid session ends the payment; repeated, it is accepted and changes nothing', async () => {
  const payment = await openAtBank()
  const event = signEvent(COMPLETED, paid(payment))
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await post(event), ACCEPTED)
  const now = await requireStored(db, payment.id)
  assert.deepEqual([now.state, now.upstreamRef], ['succeeded', 'pi_1'])
  assert.equal((await callbacksOf(db, payment.id)).length, 1)
})

test('a webhook may arrive before the response with the session id', async () => {
  const payment = await open()
  assert.deepEqual(await post(signEvent(COMPLETED, paid(payment))), ACCEPTED)
  assert.equal((await requireStored(db, payment.id)).state, 'succeeded')
})

test('with a method that takes days, "completed" leaves the payment open, and the later success or failure ends it', async () => {
  for (const [type, fields, state, code] of [
    [ARRIVED, {}, 'succeeded', null],
    [LOST, { payment_status: 'unpaid' }, 'failed', 'declined'],
  ] as const) {
    const payment = await openAtBank()
    assert.deepEqual(await post(signEvent(COMPLETED, paid(payment, { payment_status: 'unpaid' }))), ACCEPTED)
    assert.equal((await requireStored(db, payment.id)).state, 'requires_action')
    assert.deepEqual(await post(signEvent(type, paid(payment, fields))), ACCEPTED)
    const now = await requireStored(db, payment.id)
    assert.deepEqual([now.state, now.failureCode], [state, code])
    // The first event again, later.
    assert.deepEqual(await post(signEvent(COMPLETED, paid(payment, { payment_status: 'unpaid' }))), ACCEPTED)
    assert.equal((await requireStored(db, payment.id)).state, state)
  }
})

test('an expired session and one that was closed early expire the payment, each with its own failure code', async () => {
  for (const [inSec, code] of [
    [-1, 'expired'],
    [900, 'cancelled'],
  ] as const) {
    const payment = await openAtBank()
    const fields = { status: 'expired', payment_status: 'unpaid', payment_intent: null }
    const expires_at = Math.floor(Date.now() / 1000) + inSec
    assert.deepEqual(await post(signEvent(EXPIRED, paid(payment, { ...fields, expires_at }))), ACCEPTED)
    const now = await requireStored(db, payment.id)
    assert.deepEqual([now.state, now.failureCode], ['expired', code])
  }
})

test('an expired session on which a payment had begun changes nothing: a card may have been declined there', async () => {
  const payment = await openAtBank()
  const before = await requireStored(db, payment.id)
  const event = signEvent(EXPIRED, paid(payment, { status: 'expired', payment_status: 'unpaid' }))
  assert.deepEqual(await post(event), ACCEPTED)
  assert.notEqual(before.actionUrl, null)
  assert.deepEqual(await requireStored(db, payment.id), before)
})

test('an event that contradicts an ended payment changes nothing and is an incident', async () => {
  const payment = await openAtBank()
  const closed = { status: 'expired', payment_status: 'unpaid', payment_intent: null }
  await post(signEvent(EXPIRED, paid(payment, closed)))
  assert.deepEqual(await post(signEvent(COMPLETED, paid(payment))), ACCEPTED)
  const now = await requireStored(db, payment.id)
  assert.deepEqual([now.state, now.needsReview], ['expired', true])
  assert.equal(await countIncidents(db, 'charged_after_end', payment.id), 1)
})

test('while the secret is being replaced, both are accepted', async () => {
  for (const secret of [STRIPE_WEBHOOK_SECRET, PREVIOUS]) {
    const payment = await openAtBank()
    assert.deepEqual(await post(signEvent(COMPLETED, paid(payment), { secret })), ACCEPTED)
    assert.equal((await requireStored(db, payment.id)).state, 'succeeded')
  }
})

test('a session of another installation on the same account is ignored without an incident', async () => {
  const [own] = await rows<{ id: string }>(db, 'select id from installation')
  const installation = own!.id
  const unknown = newUuidV7(deps.clock)
  const mark = (id: string, of: string) => ({
    metadata: { pazar_transaction: id, pazar_project: projectId, pazar_installation: of },
  })
  const foreign = paid({ id: unknown }, mark(unknown, newUuidV7(deps.clock)))
  assert.deepEqual(await post(signEvent(COMPLETED, foreign)), ACCEPTED)
  assert.equal(await countIncidents(db, 'unknown_payment', unknown), 0)
  // Without the installation's metadata, or with ours, the payment is searched as before.
  for (const known of [paid({ id: unknown }), paid({ id: unknown }, mark(unknown, installation))])
    assert.equal((await post(signEvent(COMPLETED, known))).status, 404)
  assert.equal(await countIncidents(db, 'unknown_payment', unknown), 1)
  const payment = await openAtBank()
  assert.deepEqual(await post(signEvent(COMPLETED, paid(payment, mark(payment.id, installation)))), ACCEPTED)
  assert.equal((await requireStored(db, payment.id)).state, 'succeeded')
})

const FORGED: readonly [string, (object: object) => SignedEvent][] = [
  ["another secret's signature", (one) => signEvent(COMPLETED, one, { secret: 'whsec_ofSomebodyElse0123' })],
  ['a recording from six minutes ago', (one) => signEvent(COMPLETED, one, { agoSec: 360 })],
  ['the signature of another body', (one) => withHeaders(one, signEvent(COMPLETED, {}).headers)],
  ['no signature', (one) => withHeaders(one, { 'content-type': 'application/json' })],
  ['an empty signature', (one) => withSignature(one, () => '')],
  ['a signature without a time', (one) => withSignature(one, (text) => text.replace(/t=\d+,/, ''))],
  [
    'another time than was signed',
    (one) => withSignature(one, (text) => text.replace(/t=\d+/, 't=4000000000')),
  ],
  ['an older scheme', (one) => withSignature(one, (text) => text.replace('v1=', 'v0='))],
  ['an empty digest', (one) => withSignature(one, (text) => text.replace(/v1=.*/, 'v1='))],
]

function withHeaders(object: object, headers: Record<string, string>): SignedEvent {
  return { ...signEvent(COMPLETED, object), headers }
}

function withSignature(object: object, change: (signature: string) => string): SignedEvent {
  const event = signEvent(COMPLETED, object)
  return withHeaders(object, {
    ...event.headers,
    'stripe-signature': change(event.headers['stripe-signature']!),
  })
}

for (const [what, sign] of FORGED) {
  test(`${what}: 401, and nothing changes`, async () => {
    const payment = await open()
    assert.deepEqual(await post(sign(paid(payment))), { status: 401, code: 'invalid_hash' })
    assert.equal((await requireStored(db, payment.id)).state, 'processing')
    assert.equal(await countIncidents(db, 'mismatch', payment.id), 0)
  })
}

test('the signature is checked before the body: an invalid body is 401 if unsigned and 400 if signed', async () => {
  const { headers } = signEvent(COMPLETED, {})
  assert.equal((await post({ body: '{"id":', headers })).status, 401)
  assert.equal((await post({ body: '', headers })).status, 401)
  // A thin event, which an endpoint with another configuration gets, contains no session.
  const thin = signText('{"object":"v2.core.event","type":"checkout.session.completed"}')
  for (const event of [signText('{"id":'), signText('[]'), thin])
    assert.deepEqual(await post(event), { status: 400, code: 'invalid_request' })
  for (const object of [paid({ id: 'x' }, { amount_total: null }), paid({ id: 'x' }, { currency: 'EURO' })])
    assert.deepEqual(await post(signEvent(COMPLETED, object)), { status: 400, code: 'invalid_request' })
})

test('a content type that is not valid is 415, a body over 64 KiB is 413', async () => {
  const payment = await open()
  const { body, headers } = signEvent(COMPLETED, paid(payment))
  assert.equal((await post({ body, headers: { ...headers, 'content-type': 'nonsense' } })).status, 415)
  assert.equal((await post(signEvent(COMPLETED, paid(payment, { note: 'x'.repeat(70_000) })))).status, 413)
  assert.equal((await requireStored(db, payment.id)).state, 'processing')
})

test('another kind of event, and a session that is not ours, are accepted and ignored', async () => {
  const payment = await open()
  for (const [type, object] of [
    ['payment_intent.succeeded', { object: 'payment_intent', metadata: { pazar_transaction: payment.id } }],
    ['checkout.session.something_new', paid(payment)],
    ['invoice.paid', {}],
    [COMPLETED, paid(payment, { metadata: {} })],
    [COMPLETED, paid(payment, { metadata: null })],
  ] as const)
    assert.deepEqual(await post(signEvent(type, object)), ACCEPTED)
  assert.equal((await requireStored(db, payment.id)).state, 'processing')
})

test('a session of the other mode is 400 and settles nothing', async () => {
  const payment = await open()
  const event = signEvent(COMPLETED, paid(payment, { livemode: true }), { livemode: true })
  assert.deepEqual(await post(event), { status: 400, code: 'invalid_request' })
  assert.equal((await requireStored(db, payment.id)).state, 'processing')
})

testWebhook({
  deps,
  open,
  other: 'http',
  send: (id, changes = {}) => {
    const metadata = { pazar_transaction: id, pazar_project: changes.projectId ?? projectId }
    const amount_total = changes.amount ?? 1500
    const currency = (changes.currency ?? 'EUR').toLowerCase()
    return post(signEvent(COMPLETED, paid({ id }, { amount_total, currency, metadata })))
  },
})

test('only the configured upstream has a webhook route', async () => {
  const response = await app.inject({ method: 'POST', url: '/upstream/http/webhook', payload: {} })
  assert.equal(response.statusCode, 404)
})

test('the log contains neither keys nor request bodies', () => {
  const text = logs.join('\n')
  assert.match(text, /the signature does not fit/)
  for (const secret of [STRIPE_KEY, STRIPE_WEBHOOK_SECRET, 'ana@example.com'])
    assert.equal(text.includes(secret), false, secret)
})

test('a dispute is recorded by the payment it names, and closed when Stripe says so', async () => {
  const payment = await openAtBank()
  await post(signEvent(COMPLETED, paid(payment, { payment_intent: 'pi_disputed' })))
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
  const states = async () =>
    rows(db, 'select state, respond_by, reason from disputes where transaction_id = $1', [payment.id])
  // Of the other mode, and of a payment that is not on record.
  assert.deepEqual(await send('created', {}, true), ACCEPTED)
  assert.deepEqual(await send('created', { id: 'du_2', payment_intent: 'pi_of_others' }), ACCEPTED)
  assert.deepEqual(await states(), [])
  assert.deepEqual(await send('created'), ACCEPTED)
  const facts = { respond_by: new Date(1_800_000_000_000), reason: 'fraudulent' }
  assert.deepEqual(await states(), [{ state: 'inquiry', ...facts }])
  assert.deepEqual(await send('updated', { status: 'needs_response' }), ACCEPTED)
  assert.deepEqual(await states(), [{ state: 'open', ...facts }])
  for (const type of ['closed', 'funds_reinstated'])
    assert.deepEqual(await send(type, { status: 'won' }), ACCEPTED)
  assert.deepEqual(await states(), [{ state: 'won', ...facts }])
  assert.equal((await send('updated', { status: 'of_the_future' })).status, 400)
})
