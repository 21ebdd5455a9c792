import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { Webhook } from 'standardwebhooks'
import { rows } from '../../../test/accounts.ts'
import { listCallbacks, countIncidents, requirePayment, startPayments } from '../../../test/payments.ts'
import { createOpener, testWebhook } from '../../../test/webhook-suite.ts'
import { createHttpBackend } from '../../backends/http.ts'
import { createHttpServer } from '../../http/server.ts'
import type { Payment } from '../payment.ts'
import { createRefundAndDisputeReceivers } from '../../refunds/receive.ts'
import { registerUpstreamRoutes } from './routes.ts'

const SECRET = 'the-secret-that-both-sides-have-0123'
const PREVIOUS = 'the-secret-that-was-before-this-0123'
const { deps, projectId, logs } = await startPayments({
  BACKEND: 'http',
  BACKEND_URL: 'http://127.0.0.1:9',
  BACKEND_SECRET: SECRET,
  BACKEND_SECRET_PREVIOUS: PREVIOUS,
})
const { db } = deps
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, deps, createRefundAndDisputeReceivers(deps))
after(() => app.close())

const open = createOpener(deps, projectId, 'http')

function toBody(payment: Pick<Payment, 'id'>, fields: Record<string, unknown> = {}) {
  return JSON.stringify({ id: payment.id, status: 'succeeded', amount: '1500', currency: 'EUR', ...fields })
}

function toSignedHeaders(body: string, fields: { secret?: string; agoSec?: number } = {}) {
  const timestampSec = Math.floor(Date.now() / 1000) - (fields.agoSec ?? 0)
  return { ...signWebhook({ id: 'evt_1', timestampSec, body, secret: fields.secret ?? SECRET }) }
}

async function post(body: string, headers: Record<string, string>, type = 'application/json') {
  const response = await app.inject({
    method: 'POST',
    url: '/upstream/http/webhook',
    headers: { 'content-type': type, ...headers },
    payload: body,
  })
  return { status: response.statusCode, code: response.json<{ code?: string }>().code }
}

test('a signed report ends the payment; the same report again is accepted and changes nothing', async () => {
  const payment = await open()
  const body = toBody(payment, { projectId, chargeId: 'ch_1' })
  for (let round = 0; round < 3; round += 1)
    assert.deepEqual(await post(body, toSignedHeaders(body)), { status: 200, code: undefined })
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
})

test('a report signed by the Standard Webhooks library is accepted, and the signature is checked on the unchanged bytes of the body', async () => {
  const payment = await open()
  const body = `  ${toBody(payment).replaceAll(',', ' ,\n ')}  `
  const at = new Date()
  const headers = {
    'webhook-id': 'evt_2',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET, { format: 'raw' }).sign('evt_2', at, body),
  }
  assert.equal((await post(body, headers)).status, 200)
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
})

test('while the secret is being replaced, both secrets are accepted; afterwards the previous secret is refused', async () => {
  for (const secret of [SECRET, PREVIOUS]) {
    const payment = await open()
    const body = toBody(payment)
    assert.deepEqual(await post(body, toSignedHeaders(body, { secret })), { status: 200, code: undefined })
    assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
  }
  const body = toBody(await open())
  const withoutPrevious = createHttpBackend({ url: 'http://127.0.0.1:9', secret: SECRET, clock: deps.clock })
  const message = { rawBody: Buffer.from(body), headers: toSignedHeaders(body, { secret: PREVIOUS }) }
  assert.equal(withoutPrevious.readWebhook!(message).kind, 'forged')
})

const FORGED: readonly [string, (body: string) => Record<string, string>][] = [
  ['no signature', () => ({})],
  ['an empty signature', (body) => ({ ...toSignedHeaders(body), 'webhook-signature': '' })],
  ['only a version as the signature', (body) => ({ ...toSignedHeaders(body), 'webhook-signature': 'v1,' })],
  [
    "another secret's signature",
    (body) => toSignedHeaders(body, { secret: 'another-secret-of-the-same-length-01' }),
  ],
  ['the signature of another body', () => toSignedHeaders(toBody({ id: 'other' }))],
  ['an id that differs from the signed id', (body) => ({ ...toSignedHeaders(body), 'webhook-id': 'evt_9' })],
  ['a time six minutes ago', (body) => toSignedHeaders(body, { agoSec: 360 })],
  ['a time six minutes ahead', (body) => toSignedHeaders(body, { agoSec: -360 })],
  [
    'a time that differs from the signed time',
    (body) => ({ ...toSignedHeaders(body), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 7) }),
  ],
]

for (const [caseName, sign] of FORGED) {
  test(`a webhook with ${caseName} is 401 and changes nothing`, async () => {
    const payment = await open()
    const body = toBody(payment)
    assert.deepEqual(await post(body, sign(body)), { status: 401, code: 'invalid_hash' })
    assert.equal((await requirePayment(db, payment.id)).state, 'processing')
    assert.equal(await countIncidents(db, 'mismatch', payment.id), 0)
  })
}

test('the signature is checked before the body: a forged webhook is 401 even if its body is invalid', async () => {
  assert.equal((await post('{"id":', toSignedHeaders('other'))).status, 401)
  assert.equal((await post('', {})).status, 401)
})

for (const [caseName, body] of [
  ['no JSON', '{"id":'],
  ['no payment', '{"type":"ping"}'],
  ['the same key twice', '{"id":"a","id":"b","status":"succeeded","amount":"1","currency":"EUR"}'],
  ['an empty body', ''],
] as const) {
  test(`a signed webhook with ${caseName} is 400`, async () => {
    assert.deepEqual(await post(body, toSignedHeaders(body)), { status: 400, code: 'invalid_request' })
  })
}

for (const type of ['text/plain', 'application/vnd.api+json']) {
  test(`a signed report with the content type ${type} is accepted`, async () => {
    const payment = await open()
    const body = toBody(payment)
    assert.deepEqual(await post(body, toSignedHeaders(body), type), { status: 200, code: undefined })
    assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
  })
}

/** Returns a function that posts to a server that has refused no webhook yet. */
async function startFresh() {
  const newServer = await createHttpServer(deps.config, deps.log, deps.metrics)
  await registerUpstreamRoutes(newServer.app, deps, createRefundAndDisputeReceivers(deps))
  after(() => newServer.app.close())
  return (payload: string, headers: Record<string, string>) =>
    newServer.app.inject({
      method: 'POST',
      url: '/upstream/http/webhook',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
}

async function listRefusals() {
  return rows<{ kind: string; subject: string; facts: object }>(
    db,
    "select kind, subject, facts from incidents where kind like 'webhook%' order by kind",
  )
}

test('an invalid signed webhook raises an incident immediately, and the fifth forged webhook raises another incident', async () => {
  await rows(db, "delete from incidents where kind like 'webhook%'")
  const send = await startFresh()
  const validBody = toBody(await open())
  for (let n = 0; n < 4; n += 1) assert.equal((await send(validBody, {})).statusCode, 401)
  assert.deepEqual(await listRefusals(), [])
  for (let n = 0; n < 20; n += 1) assert.equal((await send(validBody, {})).statusCode, 401)
  const invalidBody = toBody(await open(), { amount: '15.00' })
  for (let n = 0; n < 3; n += 1)
    assert.equal((await send(invalidBody, toSignedHeaders(invalidBody))).statusCode, 400)
  const subject = `http ${new Date(deps.clock.nowMs()).toISOString().slice(0, 10)}`
  assert.deepEqual(await listRefusals(), [
    { kind: 'webhook_refused', subject, facts: { upstream: 'http' } },
    { kind: 'webhook_unusable', subject, facts: { upstream: 'http', reason: 'no payment' } },
  ])
  const lines = logs.filter((line) => line.includes('webhooks of an upstream are refused'))
  assert.ok(lines.length <= 4, 'at most one line a minute for each kind and process')
  assert.ok(lines.length >= 2)
})

for (const [caseName, status, type, note] of [
  ['a body over 64 KiB', 413, 'application/json', 'x'.repeat(70_000)],
  ['a content type that is not valid', 415, 'nonsense', ''],
] as const) {
  test(`${caseName} is ${status}, and the fifth such webhook raises an incident`, async () => {
    await rows(db, "delete from incidents where kind like 'webhook%'")
    const send = await startFresh()
    const payment = await open()
    const body = toBody(payment, { note })
    for (let n = 0; n < 5; n += 1)
      assert.equal((await send(body, { ...toSignedHeaders(body), 'content-type': type })).statusCode, status)
    assert.equal((await requirePayment(db, payment.id)).state, 'processing')
    assert.deepEqual(
      (await listRefusals()).map(({ kind }) => kind),
      ['webhook_refused'],
    )
  })
}

testWebhook({
  deps,
  open,
  other: 'sandbox',
  send: (id, { amount, ...changes } = {}) => {
    const body = toBody({ id }, { ...changes, ...(amount && { amount: String(amount) }) })
    return post(body, toSignedHeaders(body))
  },
})

test('an upstream without webhooks has no webhook route', async () => {
  const { app: bare } = await createHttpServer(deps.config, deps.log, deps.metrics)
  await registerUpstreamRoutes(
    bare,
    { ...deps, backends: { ...deps.backends, live: deps.backends.test } },
    createRefundAndDisputeReceivers(deps),
  )
  const body = toBody(await open())
  const response = await bare.inject({
    method: 'POST',
    url: '/upstream/http/webhook',
    headers: toSignedHeaders(body),
    payload: body,
  })
  assert.equal(response.statusCode, 404)
  await bare.close()
})

test('a signed dispute is recorded; an invalid dispute, or a dispute of an unknown payment, is refused', async () => {
  const payment = await open()
  const report = toBody(payment)
  await post(report, toSignedHeaders(report))
  const send = async (fields: object) => {
    const validReport = { kind: 'dispute', id: 'd-1', paymentId: payment.id, amount: '900', currency: 'EUR' }
    const body = JSON.stringify({ ...validReport, respondBy: '2026-12-01T12:00:00Z', ...fields })
    return post(body, toSignedHeaders(body))
  }
  assert.equal((await send({ status: 'open' })).status, 200)
  assert.equal((await send({ status: 'lost' })).status, 200)
  const stored = await rows(
    db,
    'select state, amount, upstream_ref from disputes where transaction_id = $1',
    [payment.id],
  )
  assert.deepEqual(stored, [{ state: 'lost', amount: 900n, upstream_ref: 'd-1' }])
  for (const fields of [
    { status: 'closed' },
    { status: 'open', amount: 0 },
    { status: 'open', respondBy: 'soon' },
  ])
    assert.equal((await send(fields)).status, 400)
  const unknown = { status: 'open', paymentId: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f' }
  assert.deepEqual(await send(unknown), { status: 404, code: 'not_found' })
})
