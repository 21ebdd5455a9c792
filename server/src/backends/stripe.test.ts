// Why this is long: every promise of one adapter, tested with one stand-in for Stripe.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { rows } from '../../test/accounts.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { startStripeStandIn, STRIPE_KEY } from '../../test/stripe-stand-in.ts'
import type { PayerAct } from '../../test/stripe-sessions-stand-in.ts'
import { until } from '../../test/until.ts'
import { openDb } from '../db/pool.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Backend, NewCharge } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'
import { testBackend } from './backend-suite.ts'
import { testLists } from './list-suite.ts'
import { testRefunds } from './refund-suite.ts'
import type { StripeBackendOptions } from './stripe.ts'
import { createStripeBackend } from './stripe.ts'
import { openRow } from './stripe-store.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
const standIn = await startStripeStandIn()
after(async () => {
  await standIn.close()
  await db.close()
  await database.drop()
})

// A create with one of these amounts fails. So does a create with 4002, 4003 or 4005, which backend-suite.ts uses.
const LOST_BEFORE = 5003
const LOST_AFTER = 5002
const ERROR_AFTER = 5005
for (const [amount, fault] of [
  [4002, 'paid_lost_after'],
  [4003, 'lost_before'],
  [4005, 'paid_error_after'],
  [LOST_BEFORE, 'lost_before'],
  [LOST_AFTER, 'lost_after'],
  [ERROR_AFTER, 'error_after'],
] as const)
  standIn.faults.set(amount, fault)

function createBackend(fields: Partial<StripeBackendOptions> = {}): Backend {
  return createStripeBackend({
    ...standIn.options,
    db,
    clock: systemClock,
    callTimeoutMs: 2_000,
    ...fields,
  })
}
const backend = createBackend()

function newCharge(amount: number, fields: Partial<NewCharge> = {}): NewCharge {
  const id = newUuidV7(systemClock)
  const returnUrl = `http://localhost:3000/pay/${id}?return=1`
  const projectId = 'tz4a98xxat96iws9zmbrgj3a'
  const plain = {
    id,
    currency: 'EUR',
    scale: 2,
    projectId,
    mode: 'live' as const,
    customId: null,
    data: null,
  }
  return { ...plain, amount: BigInt(amount), returnUrl, ...fields }
}

const PAYER_ACTS: ReadonlyMap<bigint, PayerAct> = new Map([
  [4000n, 'card_declined'],
  [4001n, 'insufficient_funds'],
])

// A session alone charges nobody, so a simulated payer acts on its page immediately, except for the amount 4004.
async function createAndAct(charge: NewCharge) {
  const report = await backend.create(charge)
  if (report.status !== 'requires_action' || charge.amount === 4004n) return report
  standIn.act(charge.id, PAYER_ACTS.get(charge.amount) ?? 'pay')
  return (await backend.find(charge.id))!
}

for (const [amount, fault] of [
  [4000, 'refused'],
  [4002, 'lost_after'],
  [4003, 'lost_before'],
  [4005, 'error_after'],
] as const)
  standIn.refunds.faults.set(amount, fault)

testRefunds('stripe', async () => ({
  backend,
  async pay(amount) {
    const charge = newCharge(Number(amount))
    const { chargeId } = await createAndAct(charge)
    return { paymentId: charge.id, chargeId }
  },
  sumRefunds: async (paymentId) =>
    BigInt(standIn.refunds.sumOf(standIn.require(paymentId).payment_intent!.id)),
}))

testLists('stripe', async () => ({
  backend,
  async pay(amount, fields) {
    const charge = newCharge(Number(amount), fields)
    const { chargeId } = await createAndAct(charge)
    return { paymentId: charge.id, chargeId }
  },
  async dispute(paymentId, status) {
    standIn.dispute(paymentId, status === 'open' ? 'needs_response' : 'lost')
  },
}))

testBackend(
  'stripe',
  async () => ({
    backend: { ...backend, create: createAndAct },
    actAtBank: async (id, outcome) => standIn.act(id, outcome === 'approve' ? 'pay' : 'card_declined'),
    countCharges: async (id) => standIn.countCharges(id),
  }),
  ['declined', 'insufficient_funds'],
)

test('a session is created with what the payer confirmed, our metadata and the return address', async () => {
  const charge = newCharge(1500, { customId: 'Narudžba 7', data: 'Kafa 1 kg – đ' })
  const report = await backend.create(charge)
  assert.equal(report.status, 'requires_action')
  assert.equal(report.projectId, charge.projectId)
  assert.equal(report.actionUrl, standIn.require(charge.id).url)
  const { headers, form } = standIn.receivedRequests.at(-1)!
  const metadata = {
    transaction: charge.id,
    project: charge.projectId,
    installation: standIn.options.installationId,
    custom_id: 'Narudžba 7',
    data: charge.data,
    mode: 'live',
    scale: '2',
  }
  const expectedForm: Record<string, string> = {
    mode: 'payment',
    ui_mode: 'hosted_page',
    submit_type: 'pay',
    client_reference_id: charge.id,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '1500',
    'line_items[0][price_data][product_data][name]': 'Pazar',
    'adaptive_pricing[enabled]': 'false',
    'payment_intent_data[description]': `Pazar ${charge.id}`,
    success_url: charge.returnUrl,
    cancel_url: charge.returnUrl,
  }
  for (const [key, value] of Object.entries(metadata)) {
    expectedForm[`metadata[pazar_${key}]`] = value!
    expectedForm[`payment_intent_data[metadata][pazar_${key}]`] = value!
  }
  const { expires_at: expiresAt, ...sentForm } = Object.fromEntries(form)
  assert.deepEqual(sentForm, expectedForm)
  assert.match(expiresAt!, /^\d{10}$/)
  assert.equal(headers['idempotency-key'], charge.id)
  assert.equal(headers.authorization, `Bearer ${STRIPE_KEY}`)
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('x-stripe-client')),
    [],
  )
})

test('a verified merchant is named on Stripe’s page and, if the name has Latin letters, on the statement', async () => {
  const fieldsOf = async (merchantName: string | null) => {
    await backend.create({ ...newCharge(1500), merchantName })
    const { form } = standIn.receivedRequests.at(-1)!
    return [
      'line_items[0][price_data][product_data][name]',
      'payment_intent_data[statement_descriptor_suffix]',
    ].map((field) => form.get(field))
  }
  assert.deepEqual(await fieldsOf('Knjižara Šćepan'), ['Knjižara Šćepan', 'Knjizara S'])
  assert.deepEqual(await fieldsOf('Пекара'), ['Пекара', null])
  assert.deepEqual(await fieldsOf(null), ['Pazar', null])
})

test('a text that is too long for one metadata value of Stripe is stored in several values', async () => {
  const charge = newCharge(1500, { data: `${'x'.repeat(499)}😀${'y'.repeat(10)}` })
  await backend.create(charge)
  const { metadata } = standIn.require(charge.id)
  assert.equal(metadata['pazar_data'], 'x'.repeat(499))
  assert.equal(metadata['pazar_data_2'], `😀${'y'.repeat(10)}`)
})

test('a session whose row was lost is listed, and a lookup finds the session again after adopt()', async () => {
  const since = toDate(systemClock.nowMs() - 60_000)
  const origin = { installationId: '', attemptId: randomUUID(), checkoutId: null, createdAt: since }
  const charge = newCharge(1500, { customId: 'Narudžba 8', origin })
  await backend.create(charge)
  await rows(db, 'delete from stripe_charges where id = $1', [charge.id])
  assert.equal(await backend.find(charge.id), null)
  const { items } = await backend.lists!.sessions!({ since, cursor: null })
  const listed = items.find(({ id }) => id === charge.id)!
  assert.equal(listed.status, 'requires_action')
  assert.equal(listed.origin?.customId, 'Narudžba 8')
  assert.equal(listed.origin?.attemptId, origin.attemptId)
  await backend.adopt!(listed)
  await backend.adopt!(listed)
  assert.equal((await backend.find(charge.id))?.status, 'requires_action')
})

test('a repeated create returns the existing session', async () => {
  const charge = newCharge(1500)
  const first = await backend.create(charge)
  const sessionsBefore = standIn.sessions.length
  assert.deepEqual(await backend.create(charge), first)
  assert.equal(standIn.sessions.length, sessionsBefore)
})

for (const [timeoutMin, lifetimeMin] of [
  [1, 35],
  [30, 35],
  [60, 65],
  [1440, 1435],
] as const) {
  test(`with a timeout of ${timeoutMin} minutes the session is valid for ${lifetimeMin} minutes`, async () => {
    const charge = newCharge(1500)
    await createBackend({ actionTimeoutMin: timeoutMin }).create(charge)
    const [row] = await rows<{ asked: number }>(
      db,
      'select floor(extract(epoch from asked_at))::int as asked from stripe_charges where id = $1',
      [charge.id],
    )
    assert.equal(standIn.require(charge.id).expires_at - row!.asked, lifetimeMin * 60)
  })
}

for (const amount of [LOST_AFTER, ERROR_AFTER]) {
  test(`amount ${amount}: if the response to a create is not usable, a lookup finds the session, and the payer can continue`, async () => {
    const charge = newCharge(amount)
    await assert.rejects(backend.create(charge), UnknownOutcomeError)
    const report = await backend.find(charge.id)
    assert.equal(report?.actionUrl, standIn.require(charge.id).url)
    standIn.act(charge.id, 'pay')
    assert.equal((await backend.find(charge.id))?.status, 'succeeded')
  })
}

test('if the search for a session fails, the payment counts as cancelled once the session has expired', async () => {
  const charge = newCharge(LOST_AFTER)
  await assert.rejects(backend.create(charge), UnknownOutcomeError)
  const garbled = { ...standIn.require(charge.id), id: 7 as never }
  standIn.sessions.unshift(garbled)
  await assert.rejects(backend.find(charge.id), UnknownOutcomeError)
  await rows(db, "update stripe_charges set asked_at = asked_at - interval '1 day' where id = $1", [
    charge.id,
  ])
  assert.equal((await backend.find(charge.id))?.status, 'cancelled')
  assert.equal((await backend.cancel(charge.id)).status, 'cancelled')
  assert.equal((await backend.create(charge)).status, 'cancelled')
  standIn.sessions.splice(0, 1)
})

test('a session whose id was lost is found among hundreds of others', async () => {
  const charge = newCharge(LOST_AFTER)
  await assert.rejects(backend.create(charge), UnknownOutcomeError)
  const own = standIn.require(charge.id)
  // Half of these sessions have no metadata of ours. The others are of another installation with the same account.
  const ofOtherInstallation = { ...own.metadata, pazar_installation: 'another' }
  const others = Array.from({ length: 250 }, (_, n) => ({
    ...own,
    id: `cs_test_other${n}`,
    metadata: n % 2 === 0 ? {} : ofOtherInstallation,
  }))
  standIn.sessions.unshift(...others)
  const requestsBefore = standIn.receivedRequests.length
  assert.equal((await backend.find(charge.id))?.actionUrl, own.url)
  // The requests read three pages of the list, and the session that was found.
  assert.equal(standIn.receivedRequests.length - requestsBefore, 4)
  standIn.sessions.splice(0, others.length)
})

test('the time limit of a lookup is for all its requests together', async (t) => {
  const page = { has_more: true, data: [{ id: 'cs_test_other', metadata: {} }] }
  const respond = plainResponse('200 OK', JSON.stringify(page), 'content-type: application/json')
  const slow = await startRawServer(t, (socket, request) => void setTimeout(respond, 50, socket, request))
  const charge = newCharge(1500)
  await openRow(db, charge)
  const lookup = createBackend({ apiBase: `http://127.0.0.1:${slow.port}` })
  await assert.rejects(lookup.find(charge.id, { timeoutMs: 300 }), UnknownOutcomeError)
  assert.ok(slow.requests.length <= 6, `${slow.requests.length} requests`)
})

test('closing a payment whose session id is still unknown also closes the session', async () => {
  const charge = newCharge(LOST_AFTER)
  await assert.rejects(backend.create(charge), UnknownOutcomeError)
  assert.equal((await backend.cancel(charge.id)).status, 'cancelled')
  assert.equal(standIn.require(charge.id).status, 'expired')
  assert.equal((await backend.find(charge.id))?.status, 'cancelled')
  assert.equal((await backend.cancel(charge.id)).status, 'cancelled')
})

test('no payer gets the address of a session once the payment is closed', async () => {
  const charge = newCharge(1500)
  // The payment is closed after Stripe has created the session and before its id is stored.
  const slow: typeof db = {
    ...db,
    async query(what, values) {
      if (what.name === 'stripe.store_session_id')
        assert.equal((await backend.cancel(charge.id)).status, 'cancelled')
      return db.query(what, values)
    },
  }
  const report = await createBackend({ db: slow }).create(charge)
  assert.deepEqual([report.status, report.actionUrl], ['cancelled', null])
  assert.equal(standIn.require(charge.id).status, 'expired')
})

test('a payment without a session is closed without a request to Stripe, and no session is created later', async () => {
  const charge = newCharge(1500)
  const requestsBefore = standIn.receivedRequests.length
  assert.equal((await backend.cancel(charge.id)).status, 'cancelled')
  assert.equal((await backend.create(charge)).status, 'cancelled')
  assert.equal((await backend.find(charge.id))?.status, 'cancelled')
  assert.equal(standIn.receivedRequests.length, requestsBefore)
})

test('a payment whose request never reached Stripe is not found, and can be cancelled', async () => {
  const charge = newCharge(LOST_BEFORE)
  await assert.rejects(backend.create(charge), UnknownOutcomeError)
  assert.equal(await backend.find(charge.id), null)
  assert.equal((await backend.cancel(charge.id)).status, 'cancelled')
  assert.equal((await backend.create({ ...charge, amount: 1500n })).status, 'cancelled')
})

test('a payment that takes days stays open, and cannot be closed, until the money arrives or the payment fails', async () => {
  for (const [act, status, code] of [
    ['pay', 'succeeded', null],
    ['insufficient_funds', 'failed', 'insufficient_funds'],
  ] as const) {
    const charge = newCharge(1500)
    await backend.create(charge)
    standIn.act(charge.id, 'pay_later')
    assert.equal((await backend.find(charge.id))?.status, 'processing')
    assert.equal((await backend.cancel(charge.id)).status, 'processing')
    standIn.arrive(charge.id, act)
    const report = await backend.find(charge.id)
    assert.deepEqual([report?.status, report?.failureCode], [status, code])
    assert.equal(report?.chargeId, standIn.require(charge.id).payment_intent?.id)
  }
})

test('a bank transfer that never arrived is cancelled only with evenIfPayerFinished', async () => {
  const charge = newCharge(1500)
  await backend.create(charge)
  standIn.act(charge.id, 'promise_transfer')
  assert.equal((await backend.cancel(charge.id)).status, 'processing')
  assert.equal((await backend.cancel(charge.id, { evenIfPayerFinished: true })).status, 'cancelled')
  assert.equal(standIn.require(charge.id).payment_intent?.status, 'canceled')
  assert.equal((await backend.find(charge.id))?.status, 'cancelled')
  const debit = newCharge(1500)
  await backend.create(debit)
  standIn.act(debit.id, 'pay_later')
  assert.equal((await backend.cancel(debit.id, { evenIfPayerFinished: true })).status, 'processing')
  standIn.arrive(debit.id, 'pay')
  assert.equal((await backend.cancel(debit.id, { evenIfPayerFinished: true })).status, 'succeeded')
})

test('a payment whose session has expired is reported as "cancelled", with the failure code "expired"', async () => {
  const charge = newCharge(1500)
  await backend.create(charge)
  const session = standIn.require(charge.id)
  Object.assign(session, { status: 'expired', url: null, expires_at: Math.floor(Date.now() / 1000) })
  const report = await backend.find(charge.id)
  assert.deepEqual([report?.status, report?.failureCode], ['cancelled', 'expired'])
})

test('with the key of another account, a lookup and a cancel leave the outcome unknown', async () => {
  const charge = newCharge(1500)
  await backend.create(charge)
  const withOtherKey = createBackend({ secretKey: 'sk_test_ofAnotherAccount0123' })
  await assert.rejects(withOtherKey.find(charge.id), UnknownOutcomeError)
  await assert.rejects(withOtherKey.cancel(charge.id), UnknownOutcomeError)
  assert.equal(standIn.require(charge.id).status, 'open')
})

test('if the session id cannot be stored, the create fails, and a lookup finds the session', async () => {
  const charge = newCharge(1500)
  const failing: typeof db = {
    ...db,
    query: (what, values) =>
      what.name === 'stripe.store_session_id' ? Promise.reject(new Error('cut off')) : db.query(what, values),
  }
  await assert.rejects(createBackend({ db: failing }).create(charge), /cut off/)
  assert.equal((await backend.find(charge.id))?.actionUrl, standIn.require(charge.id).url)
})

test('if a payment is paid and closed at the same time, only one of the two succeeds, and our result is the same as Stripe’s', async () => {
  for (let round = 0; round < 10; round += 1) {
    const charge = newCharge(1500)
    await backend.create(charge)
    const closing = backend.cancel(charge.id)
    const requestsBefore = standIn.receivedRequests.length
    if (round % 2 === 0) await until(() => standIn.receivedRequests.length > requestsBefore)
    standIn.act(charge.id, 'pay')
    const { status } = await closing
    assert.equal((await backend.find(charge.id))?.status, status)
    assert.equal(standIn.countCharges(charge.id), status === 'succeeded' ? 1 : 0)
  }
})
