import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { countIncidents, startPayments } from '../../test/payments.ts'
import { reserveRefund } from '../../test/refunds.ts'
import { createOpener } from '../../test/webhook-suite.ts'
import { GarbledResponseError, UnknownOutcomeError } from '../backends/backend.ts'
import type { Backend, NewRefund, RefundReport } from '../backends/backend.ts'
import { createHttpBackend } from '../backends/http.ts'
import { createHttpServer } from '../http/server.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { recordReport } from '../payments/record-report.ts'
import { registerUpstreamRoutes } from '../payments/webhook/routes.ts'
import { createRefundAndDisputeReceivers } from './receive.ts'
import type { Refund } from './refund.ts'
import { findRefund, listRefunds } from './refunds-store.ts'

const SECRET = 'the-secret-that-both-sides-have-0123'
const { deps, projectId } = await startPayments({
  BACKEND: 'http',
  BACKEND_URL: 'http://127.0.0.1:9',
  BACKEND_SECRET: SECRET,
})
const { db } = deps

/** What a lookup returns for each refund. Without an entry, the upstream has no such refund. */
const lookups = new Map<string, Partial<RefundReport> | Error>()
function toReport(refund: NewRefund): RefundReport | null {
  const found = lookups.get(refund.isOwn ? refund.id : (refund.upstreamRef ?? ''))
  if (!found) return null
  if (found instanceof Error) throw found
  const { id, paymentId, amount, currency } = refund
  const rest = { chargeId: null, upstreamRef: null, pendingReason: null, failureCode: null }
  return { id, paymentId, amount, currency, status: 'pending', ...rest, ...found }
}
const http = createHttpBackend({ url: 'http://127.0.0.1:9', secret: SECRET, clock: deps.clock })
const live: Backend = {
  ...http,
  refunds: { ...http.refunds!, findRefund: async (refund) => toReport(refund) },
}
const depsWithLookups = { ...deps, backends: { ...deps.backends, live } }
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, depsWithLookups, createRefundAndDisputeReceivers(depsWithLookups))
after(() => app.close())

const open = createOpener(deps, projectId, 'http')

async function pay(): Promise<Payment> {
  const payment = await open()
  const report = { status: 'succeeded', chargeId: 'ch_1', failureCode: null, actionUrl: null } as const
  const { id, amount, currency } = payment
  return recordReport(deps, payment, { id, amount, currency, projectId, ...report })
}

const reserve = (payment: Payment, amount: bigint) => reserveRefund(deps, payment, amount)

async function send(fields: Record<string, unknown>): Promise<number> {
  const body = JSON.stringify({ kind: 'refund', currency: 'EUR', ...fields })
  const timestampSec = Math.floor(Date.now() / 1000)
  const response = await app.inject({
    method: 'POST',
    url: '/upstream/http/webhook',
    headers: {
      'content-type': 'application/json',
      ...signWebhook({ id: 'evt_1', timestampSec, body, secret: SECRET }),
    },
    payload: body,
  })
  return response.statusCode
}

const toBody = (refund: Refund, status: string, fields: object = {}) => ({
  id: refund.id,
  paymentId: refund.transactionId,
  amount: refund.amount.toString(),
  status,
  ...fields,
})

async function stateOf({ id }: Refund): Promise<string> {
  return (await findRefund(db, id))!.state
}

async function refundedOf({ id }: Payment): Promise<bigint> {
  const text = 'select refunded from transactions where id = $1'
  return (await rows<{ refunded: bigint }>(db, text, [id]))[0]!.refunded
}

test('a webhook sets our refund to its final state; a repeat of the webhook is accepted and changes nothing', async () => {
  const payment = await pay()
  const refund = await reserve(payment, 500n)
  for (let round = 0; round < 3; round += 1)
    assert.equal(await send(toBody(refund, 'succeeded', { refundRef: 'rf_1' })), 200)
  assert.deepEqual([await stateOf(refund), await refundedOf(payment)], ['succeeded', 500n])
  assert.equal((await listRefunds(db, projectId, payment.id)).length, 1)
})

test('"failed" after "succeeded" sets the refund to "returned" when a lookup confirms the failure', async () => {
  const payment = await pay()
  const refund = await reserve(payment, 500n)
  await send(toBody(refund, 'succeeded'))
  lookups.set(refund.id, { status: 'succeeded' })
  assert.equal(await send(toBody(refund, 'failed')), 200)
  assert.equal(await stateOf(refund), 'succeeded', 'the webhook was late: the lookup still reports success')
  lookups.set(refund.id, { status: 'failed', failureCode: 'expired_card' })
  assert.equal(await send(toBody(refund, 'failed')), 200)
  assert.deepEqual([await stateOf(refund), await refundedOf(payment)], ['returned', 0n])
  assert.equal(await send(toBody(refund, 'succeeded')), 200)
  assert.equal(await stateOf(refund), 'returned')
  assert.equal(await countIncidents(db, 'refund_contradiction', refund.id), 0)
})

test('a webhook that contradicts the final state is refused with 503 while a lookup has no usable response', async () => {
  const payment = await pay()
  const refund = await reserve(payment, 500n)
  await send(toBody(refund, 'succeeded'))
  for (const error of [new UnknownOutcomeError('no response'), new GarbledResponseError('no JSON')]) {
    lookups.set(refund.id, error)
    assert.equal(await send(toBody(refund, 'failed')), 503, error.name)
    assert.equal(await stateOf(refund), 'succeeded')
  }
  lookups.set(refund.id, { status: 'failed' })
  assert.equal(await send(toBody(refund, 'failed')), 200)
  assert.deepEqual([await stateOf(refund), await refundedOf(payment)], ['returned', 0n])
})

test('"succeeded" after "failed" is recorded as a second refund', async () => {
  const payment = await pay()
  const refund = await reserve(payment, 500n)
  await send(toBody(refund, 'failed', { failureCode: 'declined' }))
  assert.equal(await refundedOf(payment), 0n)
  lookups.set(refund.id, { status: 'succeeded', upstreamRef: 'rf_late' })
  for (let round = 0; round < 3; round += 1)
    assert.equal(await send(toBody(refund, 'succeeded', { refundRef: 'rf_late' })), 200)
  const found = await listRefunds(db, projectId, payment.id)
  assert.deepEqual(
    found.map(({ state, origin }) => [state, origin]),
    [
      ['failed', 'api'],
      ['succeeded', 'upstream'],
    ],
  )
  assert.equal(await refundedOf(payment), 500n)
  // A later report with the upstream id rf_late changes the second refund.
  lookups.set('rf_late', { id: null, status: 'failed', upstreamRef: 'rf_late' })
  assert.equal(await send(toBody(refund, 'failed', { refundRef: 'rf_late' })), 200)
  assert.equal(await refundedOf(payment), 0n)
})

test('a refund made at the upstream is recorded once by its upstream id; if such refunds exceed the payment, an incident is raised', async () => {
  const payment = await pay()
  const upstreamRefund = { id: 'rf_own', paymentId: payment.id, amount: '900' }
  await send({ ...upstreamRefund, status: 'processing' })
  const [adopted] = await listRefunds(db, projectId, payment.id)
  assert.deepEqual(
    [adopted!.state, adopted!.origin, adopted!.upstreamRef],
    ['processing', 'upstream', 'rf_own'],
  )
  for (let round = 0; round < 3; round += 1) await send({ ...upstreamRefund, status: 'succeeded' })
  assert.equal(await refundedOf(payment), 900n)
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 0)
  for (let round = 0; round < 3; round += 1)
    await send({ id: 'rf_other', paymentId: payment.id, amount: '900', status: 'succeeded' })
  assert.equal(await refundedOf(payment), 1800n)
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 1)
  assert.equal((await listRefunds(db, projectId, payment.id)).length, 2)
})

test('a report with a different amount or currency raises an incident and puts the payment in review; the refund stays "processing"', async () => {
  for (const change of [{ amount: '501' }, { currency: 'USD' }]) {
    const payment = await pay()
    const refund = await reserve(payment, 500n)
    assert.equal(await send(toBody(refund, 'succeeded', change)), 200)
    assert.equal(await stateOf(refund), 'processing')
    assert.equal(await countIncidents(db, 'refund_mismatch', refund.id), 1)
    const text = 'select from transactions where id = $1 and needs_review'
    assert.equal((await rows(db, text, [payment.id])).length, 1)
  }
})

test('a report that names our refund and another payment changes neither, and raises an incident', async () => {
  const [payment, otherPayment] = [await pay(), await pay()]
  const refund = await reserve(payment, 500n)
  assert.equal(await send(toBody(refund, 'succeeded', { paymentId: otherPayment.id })), 200)
  assert.equal(await stateOf(refund), 'processing')
  assert.deepEqual(await listRefunds(db, projectId, otherPayment.id), [])
  assert.equal(await countIncidents(db, 'refund_mismatch', otherPayment.id), 1)
})

test('a refund made at the upstream in another currency is not stored, but raises an incident', async () => {
  const payment = await pay()
  await send({ id: 'rf_usd', paymentId: payment.id, amount: '10', currency: 'USD', status: 'succeeded' })
  assert.deepEqual(await listRefunds(db, projectId, payment.id), [])
  assert.equal(await countIncidents(db, 'refund_mismatch', payment.id), 1)
})

test('a webhook about an unknown payment gets 404 and raises an incident; an invalid webhook gets 400, and an unsigned webhook gets 401', async () => {
  for (const kind of ['refund', 'dispute']) {
    const paymentId = newUuidV7(deps.clock)
    const status = kind === 'refund' ? 'succeeded' : 'lost'
    assert.equal(await send({ kind, id: 'rf', paymentId, amount: '5', status }), 404)
    assert.equal(await countIncidents(db, 'unknown_payment', paymentId), 1)
  }
  assert.equal(await send({ id: 'rf', amount: '5', status: 'succeeded' }), 400)
  const payment = await pay()
  assert.equal(await send({ id: 'rf', paymentId: payment.id, amount: '0', status: 'succeeded' }), 400)
  const body = JSON.stringify({ kind: 'refund', id: 'rf', paymentId: payment.id, amount: '5' })
  const response = await app.inject({ method: 'POST', url: '/upstream/http/webhook', payload: body })
  assert.equal(response.statusCode, 401)
  assert.deepEqual(await listRefunds(db, projectId, payment.id), [])
})

test('whatever the order of its webhooks, a refund that lookups report as failed counts as not refunded, and no result is sent twice', async () => {
  const orders = [
    ['processing', 'succeeded', 'failed'],
    ['succeeded', 'processing', 'failed'],
    ['failed', 'processing', 'succeeded'],
    ['succeeded', 'failed', 'succeeded'],
  ] as const
  await rows(db, "update projects set events = '{payment.result,refund.result}' where id = $1", [projectId])
  for (const order of orders) {
    const payment = await pay()
    const refund = await reserve(payment, 300n)
    // At the upstream the refund has failed, whatever the webhooks say.
    lookups.set(refund.id, { status: 'failed' })
    for (const status of [...order, ...order]) assert.equal(await send(toBody(refund, status)), 200)
    assert.equal(await refundedOf(payment), 0n, order.join())
    const text = 'select from callback_states where refund_id = $1'
    const ends = (await stateOf(refund)) === 'returned' ? 2 : 1
    assert.equal((await rows(db, text, [refund.id])).length, ends, order.join())
  }
})

test('a refund of a second charge is recorded, but does not change the sums of the payment', async () => {
  const payment = await pay()
  const body = { paymentId: payment.id, status: 'succeeded', amount: '1500' }
  assert.equal(await send({ ...body, id: 'rf_second', chargeId: 'ch_2' }), 200)
  assert.equal((await listRefunds(db, projectId, payment.id)).length, 1)
  assert.equal(await refundedOf(payment), 0n)
  assert.equal(await send({ ...body, id: 'rf_own', chargeId: 'ch_1' }), 200)
  assert.equal(await refundedOf(payment), 1500n)
})
