// Webhooks arrive before the response, a hundred times, out of order or a day late. Some contradict each other.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { newUuidV7 } from '../../src/lib/id.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { openPayment } from '../../src/payments/payments-store.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree, findDifferences } from '../ledger-check.ts'
import type { Movement } from '../ledger-check.ts'
import { addPayProject } from '../payer.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../payments.ts'
import { freePort } from '../service-process.ts'
import { until } from '../until.ts'
import { startUpstream, UPSTREAM_SECRET } from '../upstream-process.ts'
import { serve } from './serve.ts'

const port = await freePort()
const webhookUrl = `http://127.0.0.1:${port}/upstream/http/webhook`
const upstream = await startUpstream({ webhookUrl })
const { deps } = await startPayments(upstream.env)
const { db } = deps
const shop = await addPayProject(deps)
const baseUrl = await serve(deps, port)
after(() => upstream.stop())

async function open(): Promise<Payment> {
  return (await openPayment(db, newUuidV7(deps.clock), newOrder(shop.id), 'http'))!
}

const reportedCharges = new Map<string, Movement>()

/**
 * Only payments in review may differ from the upstream's charges. The upstream charged these payments after they had failed
 * or expired.
 */
async function assertBooksAgreeExceptReviews(): Promise<void> {
  const movements = [...reportedCharges.values(), ...(await upstream.books()).charges]
  const text = `select t.id, t.state from transactions t join incidents i on i.transaction_id = t.id
    where t.needs_review and i.kind = 'charged_after_end' and i.closed_at is null`
  const reviews = await rows<{ id: string; state: string }>(db, text)
  assert.deepEqual(
    (await findDifferences(db, movements)).toSorted(),
    reviews.map(({ id, state }) => `${id} was charged but is ${state}`).toSorted(),
  )
}

type Status = 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled'

let sent = 0
async function send(payment: Payment, status: Status, fields: Record<string, unknown> = {}): Promise<number> {
  sent += 1
  const { amount, currency } = payment
  if (status === 'succeeded')
    reportedCharges.set(payment.id, { paymentId: payment.id, amount: String(amount), currency })
  const body = JSON.stringify({
    id: payment.id,
    status,
    amount: String(amount),
    currency,
    projectId: shop.id,
    ...(status === 'requires_action' ? { redirectUrl: 'https://bank.example/3ds' } : {}),
    ...fields,
  })
  const timestampSec = Math.floor(Date.now() / 1000)
  const signed = signWebhook({ id: `evt_${sent}`, timestampSec, body, secret: UPSTREAM_SECRET })
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { ...signed, 'content-type': 'application/json' },
    body,
  })
  await response.body?.cancel()
  return response.status
}

async function findIncidentKinds(payment: Payment): Promise<string[]> {
  const text = 'select kind from incidents where transaction_id = $1 order by kind'
  return (await rows<{ kind: string }>(db, text, [payment.id])).map((row) => row.kind)
}

test('a webhook that arrives before the upstream’s response ends the payment once, with one callback', async () => {
  const token = await openForToken(baseUrl, shop, { amount: '4018', customId: 'F20' })
  assert.equal(toOutcome(await pressPay(baseUrl, token)), 'succeeded')
  const { payments } = await upstream.books()
  assert.equal((await listCallbacks(db, payments[0]!.id)).length, 1)
  await assertBooksAgree(db, await upstream.books())
})

test('a hundred webhooks at the same moment, and another a day later, end a payment once', async () => {
  const payment = await open()
  const statuses = await Promise.all(Array.from({ length: 100 }, () => send(payment, 'succeeded')))
  assert.deepEqual(new Set(statuses), new Set([200]))
  const age = `update transactions set created_at = created_at - interval '25 hours' where id = $1`
  await rows(db, age, [payment.id])
  assert.equal(await send(payment, 'succeeded'), 200)
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
  assert.deepEqual(await findIncidentKinds(payment), [])
  await assertBooksAgreeExceptReviews()
})

test('a webhook with "failed" after one with "succeeded" is accepted, but only raises an incident', async () => {
  const payment = await open()
  await send(payment, 'succeeded')
  assert.equal(await send(payment, 'failed'), 200)
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
  assert.deepEqual(await findIncidentKinds(payment), ['contradiction'])
  await assertBooksAgreeExceptReviews()
})

test('ten webhooks with "succeeded" for a failed payment put it in review and raise one incident', async () => {
  const payment = await open()
  await send(payment, 'failed', { failureCode: 'declined' })
  await Promise.all(Array.from({ length: 10 }, () => send(payment, 'succeeded')))
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.needsReview], ['failed', true])
  assert.deepEqual(await findIncidentKinds(payment), ['charged_after_end'])
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
  await assertBooksAgreeExceptReviews()
})

test('while a declined payment is in review, its order cannot be charged again', async () => {
  const fields = { amount: '4000', customId: 'F22' }
  const openedBefore = await openForToken(baseUrl, shop, fields)
  const token = await openForToken(baseUrl, shop, fields)
  assert.equal(toOutcome(await pressPay(baseUrl, token)), 'payment_failed')
  const readStored = () => rows<{ id: string }>(db, "select id from transactions where custom_id = 'F22'")
  const [first] = await readStored()
  const payment = await requirePayment(db, first!.id)
  assert.equal(await send(payment, 'succeeded'), 200)
  const openedAfter = await openForToken(baseUrl, shop, fields)
  for (const other of [openedBefore, openedAfter])
    assert.equal(toOutcome(await pressPay(baseUrl, other)), 'processing')
  const secondPress = await pressPay(baseUrl, token)
  assert.equal(toOutcome(secondPress), 'payment_failed')
  assert.match(String(secondPress.body['detail']), /Do not pay again/)
  assert.equal((await readStored()).length, 1)
  const { payments, charges } = await upstream.books()
  const ofThisOrder = new Set(payments.filter((one) => one.customId === 'F22').map((one) => one.id))
  assert.deepEqual([ofThisOrder.size, charges.filter((one) => ofThisOrder.has(one.paymentId)).length], [1, 0])
  await assertBooksAgreeExceptReviews()
})

/** The state and incidents that a payment must have after these reports. */
function predict(reports: readonly Status[]): { state: string; incidents: string[] } {
  let state = 'processing'
  const incidents = new Set<string>()
  for (const report of reports) {
    const isOpen = state === 'processing' || state === 'requires_action'
    if (isOpen && report === 'cancelled') state = state === 'processing' ? 'failed' : 'expired'
    else if (isOpen && report !== 'processing') state = report
    else if (state === 'succeeded' && (report === 'failed' || report === 'cancelled'))
      incidents.add('contradiction')
    else if (!isOpen && state !== 'succeeded' && report === 'succeeded') incidents.add('charged_after_end')
  }
  return { state, incidents: [...incidents].sort() }
}

const STATUSES: readonly Status[] = ['processing', 'requires_action', 'succeeded', 'failed', 'cancelled']
const PER_PAYMENT = 10

test('after any sequence of webhooks, a payment has the state and incidents that the rules predict', async (t) => {
  const total = countRounds('upstreamWebhooks', t)
  const sendRandomReports = async () => {
    const payment = await open()
    const reports = Array.from(
      { length: PER_PAYMENT },
      () => STATUSES[Math.floor(Math.random() * STATUSES.length)]!,
    )
    for (const report of reports) assert.equal(await send(payment, report), 200)
    const { state, incidents } = predict(reports)
    const stored = await requirePayment(db, payment.id)
    assert.equal(stored.state, state, reports.join())
    assert.deepEqual(await findIncidentKinds(payment), incidents, reports.join())
    const isOpen = state === 'processing' || state === 'requires_action'
    assert.equal((await listCallbacks(db, payment.id)).length, isOpen ? 0 : 1)
  }
  // Each payment gets its reports one after the other. To save time, several payments get reports at once.
  const AT_ONCE = 8
  let paymentsLeft = Math.ceil(total / PER_PAYMENT)
  const worker = async () => {
    while (paymentsLeft > 0) {
      paymentsLeft -= 1
      await sendRandomReports()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await assertBooksAgreeExceptReviews()
})

test('webhooks with every status at the same moment end a payment once, with one callback and one incident', async () => {
  for (let round = 0; round < 20; round += 1) {
    const payment = await open()
    await Promise.all(STATUSES.flatMap((status) => [send(payment, status), send(payment, status)]))
    const stored = await requirePayment(db, payment.id)
    assert.ok(['succeeded', 'failed', 'expired'].includes(stored.state), stored.state)
    assert.deepEqual(await findIncidentKinds(payment), [
      stored.state === 'succeeded' ? 'contradiction' : 'charged_after_end',
    ])
    assert.equal((await listCallbacks(db, payment.id)).length, 1)
  }
  await assertBooksAgreeExceptReviews()
})

test('a payment that the payer approves at the bank succeeds by webhook, before the payer returns', async () => {
  const token = await openForToken(baseUrl, shop, { amount: '4004', customId: 'bank' })
  const response = await pressPay(baseUrl, token)
  assert.equal(toOutcome(response), 'requires_action')
  const id = String(response.body['transactionId'])
  await upstream.actAtBank(id, 'approve')
  await until(async () => (await requirePayment(db, id)).state === 'succeeded', 'the webhook arrives')
  assert.equal((await listCallbacks(db, id)).length, 1)
})
