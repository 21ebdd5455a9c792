// To look up a refund at an http upstream, Pazar must send the `id` from the upstream's reports of the refund. The upstream
// need not find refunds by `refundRef`.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { refillQuotas, startPayments } from '../../test/payments.ts'
import { reserveRefund } from '../../test/refunds.ts'
import { createOpener } from '../../test/webhook-suite.ts'
import { createHttpBackend } from '../backends/http.ts'
import { createHttpServer } from '../http/server.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { recordReport } from '../payments/record-report.ts'
import { registerUpstreamRoutes } from '../payments/webhook/routes.ts'
import { receiveListedRefund, createRefundAndDisputeReceivers } from './receive.ts'
import { reconcileRefundsOnce } from './reconcile.ts'
import { listRefunds } from './refunds-store.ts'

const SECRET = 'the-secret-that-both-sides-have-0123'

interface WireRefund {
  id: string
  paymentId: string
  amount: string
  status: string
  refundRef?: string
}

/** The refunds of the upstream by their `id`. */
const refunds = new Map<string, WireRefund>()
const upstream = createServer((req, res) => {
  const id = decodeURIComponent(/\/refunds\/([^/]+)$/.exec(req.url ?? '')?.[1] ?? '')
  const found = refunds.get(id)
  res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
  res.end(JSON.stringify(found ? { kind: 'refund', currency: 'EUR', ...found } : { code: 'not_found' }))
}).listen(0, '127.0.0.1')
await once(upstream, 'listening')
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

const { deps, projectId } = await startPayments({
  ...{ BACKEND: 'http', BACKEND_URL: url, BACKEND_SECRET: SECRET },
})
const { db } = deps
const live = createHttpBackend({ url, secret: SECRET, clock: deps.clock })
const withUpstream = { ...deps, backends: { ...deps.backends, live } }
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, withUpstream, createRefundAndDisputeReceivers(withUpstream))
after(async () => {
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})

const open = createOpener(deps, projectId, 'http')

async function pay(): Promise<Payment> {
  const payment = await open()
  const { id, amount, currency } = payment
  const report = { status: 'succeeded', chargeId: 'ch_1', failureCode: null, actionUrl: null } as const
  return recordReport(deps, payment, { id, amount, currency, projectId, ...report })
}

/** The upstream stores the refund and sends a webhook about it. Returns the status of the response. */
async function report(refund: WireRefund): Promise<number> {
  refunds.set(refund.id, refund)
  const body = JSON.stringify({ kind: 'refund', currency: 'EUR', ...refund })
  const timestampSec = Math.floor(Date.now() / 1000)
  const signature = signWebhook({ id: 'evt_1', timestampSec, body, secret: SECRET })
  const headers = { 'content-type': 'application/json', ...signature }
  const url = '/upstream/http/webhook'
  return (await app.inject({ method: 'POST', url, headers, payload: body })).statusCode
}

const statesOf = async ({ id }: Payment) =>
  (await listRefunds(db, projectId, id)).map(({ state, origin }) => `${origin} ${state}`)

async function refundedOf({ id }: Payment): Promise<bigint> {
  return (await rows<{ refunded: bigint }>(db, 'select refunded from transactions where id = $1', [id]))[0]!
    .refunded
}

async function lookUpAll(): Promise<void> {
  await rows(db, `update refunds set next_check_at = now() where state = 'processing'`)
  await refillQuotas(db)
  await reconcileRefundsOnce(withUpstream)
}

const REFS: [caseName: string, atSuccess: string | undefined, atReturn: string | undefined][] = [
  ['with a refundRef', 'rf_late', 'rf_late'],
  ['with a refundRef only in the report of the success', 'rf_late', undefined],
  ['with a refundRef only in the report of the return', undefined, 'rf_late'],
  ['without a refundRef', undefined, undefined],
]
for (const [caseName, atSuccess, atReturn] of REFS)
  test(`if our refund failed, succeeded late and was returned, its amount counts as refunded only until the return, ${caseName}`, async () => {
    const payment = await pay()
    const { id } = await reserveRefund(deps, payment, 500n)
    const wire = { id, paymentId: payment.id, amount: '500' }
    assert.equal(await report({ ...wire, status: 'failed' }), 200)
    const succeeded = { ...wire, status: 'succeeded', ...(atSuccess && { refundRef: atSuccess }) }
    const returned = { ...wire, status: 'failed', ...(atReturn && { refundRef: atReturn }) }
    for (let round = 0; round < 2; round += 1) assert.equal(await report(succeeded), 200)
    assert.deepEqual(await statesOf(payment), ['api failed', 'upstream succeeded'])
    assert.equal(await refundedOf(payment), 500n)
    for (let round = 0; round < 2; round += 1) assert.equal(await report(returned), 200)
    assert.deepEqual(await statesOf(payment), ['api failed', 'upstream returned'])
    assert.equal(await refundedOf(payment), 0n)
  })

test('a late success that is reported with and without a refundRef at the same time is recorded once', async () => {
  const payment = await pay()
  const { id } = await reserveRefund(deps, payment, 500n)
  const wire = { id, paymentId: payment.id, amount: '500' }
  await report({ ...wire, status: 'failed' })
  const succeeded = { ...wire, status: 'succeeded' }
  refunds.set(id, succeeded)
  const reports = Array.from({ length: 6 }, (_, at) =>
    report({ ...succeeded, ...(at % 2 === 0 && { refundRef: 'rf_late' }) }),
  )
  for (const status of await Promise.all(reports)) assert.equal(status, 200)
  assert.deepEqual(await statesOf(payment), ['api failed', 'upstream succeeded'])
  assert.equal(await refundedOf(payment), 500n)
})

test('if an earlier release recorded the late success of a refund under its refundRef, a return of the refund is still recorded', async () => {
  const payment = await pay()
  const { id } = await reserveRefund(deps, payment, 500n)
  const wire = { id, paymentId: payment.id, amount: '500', refundRef: 'rf_late' }
  await report({ ...wire, status: 'failed' })
  await report({ ...wire, status: 'succeeded' })
  await rows(db, 'update refunds set lookup_id = null where transaction_id = $1', [payment.id])
  assert.equal(await report({ ...wire, status: 'failed' }), 200)
  assert.deepEqual(await statesOf(payment), ['api failed', 'upstream returned'])
})

test('a refund made at the upstream is looked up under its id, also if its reports have a refundRef', async () => {
  const payment = await pay()
  // The second id has the format of our ids.
  for (const id of ['rf_7', newUuidV7(deps.clock)]) {
    const wire = { id, paymentId: payment.id, amount: '100', refundRef: `bank-${id}` }
    assert.equal(await report({ ...wire, status: 'processing' }), 200)
    refunds.set(id, { ...wire, status: 'succeeded' })
    await lookUpAll()
    assert.equal(await refundedOf(payment), 100n, 'the lookup found the success')
    assert.equal(await report({ ...wire, status: 'failed' }), 200)
    assert.equal(await refundedOf(payment), 0n)
  }
  assert.deepEqual(await statesOf(payment), ['upstream returned', 'upstream returned'])
})

test("if a restore lost a refund of ours, and the upstream's list has the refund without metadata, the refund is looked up under our id", async () => {
  const payment = await pay()
  const id = newUuidV7(deps.clock)
  const wire = { id, paymentId: payment.id, amount: '100', refundRef: 'rf_lost' }
  const lost = { id, paymentId: payment.id, chargeId: null, amount: 100n, currency: 'EUR' }
  const report = {
    status: 'pending',
    pendingReason: null,
    failureCode: null,
    upstreamRef: 'rf_lost',
  } as const
  await receiveListedRefund(withUpstream, live, { ...lost, ...report, lookupId: id })
  refunds.set(id, { ...wire, status: 'succeeded' })
  await lookUpAll()
  assert.deepEqual(await statesOf(payment), ['upstream succeeded'])
})

test("the id of a refund made at the upstream is not mistaken for another refund's reference", async () => {
  const payment = await pay()
  const { id } = await reserveRefund(deps, payment, 100n)
  const wire = { paymentId: payment.id, amount: '100', status: 'succeeded' }
  assert.equal(await report({ ...wire, id, refundRef: '1' }), 200)
  assert.equal(await report({ ...wire, id: '7', refundRef: '2' }), 200)
  // These ids are the references of the two refunds above.
  assert.equal(await report({ ...wire, id: '1', refundRef: '3' }), 200)
  assert.equal(await report({ ...wire, id: '2', refundRef: '4' }), 200)
  assert.deepEqual(await statesOf(payment), [
    'api succeeded',
    ...Array.from({ length: 3 }, () => 'upstream succeeded'),
  ])
  assert.equal(await refundedOf(payment), 400n)
})

test('two refunds that an upstream without lookup ids made for a failed refund of ours are both recorded', async () => {
  const payment = await pay()
  const { id } = await reserveRefund(deps, payment, 100n)
  const wire = { id, paymentId: payment.id, amount: '100' }
  assert.equal(await report({ ...wire, status: 'failed' }), 200)
  for (const upstreamRef of ['re_1', 're_2', 're_2']) {
    const facts = { id, paymentId: payment.id, chargeId: null, amount: 100n, currency: 'EUR', upstreamRef }
    const result = { status: 'succeeded', pendingReason: null, failureCode: null } as const
    await receiveListedRefund(withUpstream, live, { ...facts, ...result })
  }
  assert.deepEqual(await statesOf(payment), ['api failed', 'upstream succeeded', 'upstream succeeded'])
  assert.equal(await refundedOf(payment), 200n)
})
