import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countIncidents, requirePayment } from '../../../test/payments.ts'
import { signEvent, signText, STRIPE_WEBHOOK_SECRET } from '../../../test/stripe-events.ts'
import { STRIPE_KEY } from '../../../test/stripe-stand-in.ts'
import type { SignedEvent } from '../../../test/stripe-events.ts'
import { startStripeWebhooks } from '../../../test/stripe-webhooks.ts'

const { COMPLETED, logs, db, open, toPaidSession, post, ACCEPTED } = await startStripeWebhooks()

const FORGED: readonly [string, (object: object) => SignedEvent][] = [
  ["another secret's signature", (one) => signEvent(COMPLETED, one, { secret: 'whsec_ofSomebodyElse0123' })],
  ['a time six minutes ago', (one) => signEvent(COMPLETED, one, { agoSec: 360 })],
  ['the signature of another body', (one) => withHeaders(one, signEvent(COMPLETED, {}).headers)],
  ['no signature', (one) => withHeaders(one, { 'content-type': 'application/json' })],
  ['an empty signature', (one) => withSignature(one, () => '')],
  ['a signature without a time', (one) => withSignature(one, (text) => text.replace(/t=\d+,/, ''))],
  [
    'a time that differs from the signed time',
    (one) => withSignature(one, (text) => text.replace(/t=\d+/, 't=4000000000')),
  ],
  ['a signature of an older scheme', (one) => withSignature(one, (text) => text.replace('v1=', 'v0='))],
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

for (const [caseName, sign] of FORGED) {
  test(`a webhook with ${caseName} is 401 and changes nothing`, async () => {
    const payment = await open()
    assert.deepEqual(await post(sign(toPaidSession(payment))), { status: 401, code: 'invalid_hash' })
    assert.equal((await requirePayment(db, payment.id)).state, 'processing')
    assert.equal(await countIncidents(db, 'mismatch', payment.id), 0)
  })
}

test('the signature is checked before the body: an invalid body is 401 if unsigned and 400 if signed', async () => {
  const { headers } = signEvent(COMPLETED, {})
  assert.equal((await post({ body: '{"id":', headers })).status, 401)
  assert.equal((await post({ body: '', headers })).status, 401)
  // A thin event contains no session. Stripe sends thin events to endpoints that are configured for them.
  const thinEvent = signText('{"object":"v2.core.event","type":"checkout.session.completed"}')
  for (const event of [signText('{"id":'), signText('[]'), thinEvent])
    assert.deepEqual(await post(event), { status: 400, code: 'invalid_request' })
  for (const object of [
    toPaidSession({ id: 'x' }, { amount_total: null }),
    toPaidSession({ id: 'x' }, { currency: 'EURO' }),
  ])
    assert.deepEqual(await post(signEvent(COMPLETED, object)), { status: 400, code: 'invalid_request' })
})

test('a content type that is not valid is 415, and a body over 64 KiB is 413', async () => {
  const payment = await open()
  const { body, headers } = signEvent(COMPLETED, toPaidSession(payment))
  assert.equal((await post({ body, headers: { ...headers, 'content-type': 'nonsense' } })).status, 415)
  assert.equal(
    (await post(signEvent(COMPLETED, toPaidSession(payment, { note: 'x'.repeat(70_000) })))).status,
    413,
  )
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
})

test('an event of a kind that the service does not use, and a session that is not ours, are accepted and ignored', async () => {
  const payment = await open()
  for (const [type, object] of [
    ['payment_intent.succeeded', { object: 'payment_intent', metadata: { pazar_transaction: payment.id } }],
    ['checkout.session.something_new', toPaidSession(payment)],
    ['invoice.paid', {}],
    [COMPLETED, toPaidSession(payment, { metadata: {} })],
    [COMPLETED, toPaidSession(payment, { metadata: null })],
  ] as const)
    assert.deepEqual(await post(signEvent(type, object)), ACCEPTED)
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
})

test('a session of the other mode is 400 and settles nothing', async () => {
  const payment = await open()
  const event = signEvent(COMPLETED, toPaidSession(payment, { livemode: true }), { livemode: true })
  assert.deepEqual(await post(event), { status: 400, code: 'invalid_request' })
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
})

test('the log contains neither keys nor request bodies', () => {
  const text = logs.join('\n')
  assert.match(text, /the signature does not match/)
  for (const secret of [STRIPE_KEY, STRIPE_WEBHOOK_SECRET, 'ana@example.com'])
    assert.equal(text.includes(secret), false, secret)
})
