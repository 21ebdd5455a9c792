// Sends our requests to stripe-mock, which validates them against Stripe's OpenAPI description. stripe-mock always
// returns the same examples, so the test does not check the contents of the responses. The test is skipped unless
// stripe-mock is on the PATH (go install github.com/stripe/stripe-mock@latest).
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { freePort } from '../../test/service-process.ts'
import { STRIPE_KEY } from '../../test/stripe-stand-in.ts'
import { until } from '../../test/until.ts'
import { createLogger } from '../lib/logger.ts'
import type { NewCharge, NewRefund } from './backend.ts'
import { GarbledResponseError } from './backend.ts'
import { resolveStripeAccount } from './stripe-account.ts'
import { createStripeApi } from './stripe-api.ts'
import { createStripeDisputes } from './stripe-disputes.ts'
import { createStripeLists } from './stripe-lists.ts'
import { createStripeRefunds } from './stripe-refunds.ts'

const isInstalled = spawnSync('stripe-mock', ['-version']).error === undefined
const skip = isInstalled ? false : 'go install github.com/stripe/stripe-mock@latest, with GOBIN on the PATH'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const CHARGE: NewCharge = {
  id: ID,
  amount: 1500n,
  currency: 'EUR',
  scale: 2,
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  mode: 'live',
  customId: 'order-1',
  data: 'Kafa 1 kg, mljevena – đ',
  returnUrl: `http://localhost:3000/pay/${ID}?return=1`,
}

const REFUND: NewRefund = {
  id: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914',
  paymentId: ID,
  projectId: CHARGE.projectId,
  amount: 500n,
  currency: 'EUR',
  chargeId: 'pi_1',
  upstreamRef: null,
  isOwn: true,
}

async function startMock(t: TestContext): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`
  const child = spawn('stripe-mock', ['-http-addr', url.slice('http://'.length)], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await until(isUp)
  return url
}

interface Recorder {
  url: string
  responses: { request: string; status: number; body: string }[]
}

async function startRecordingProxy(t: TestContext, target: string): Promise<Recorder> {
  const recorder: Recorder = { url: '', responses: [] }
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const forwardedHeaders = Object.entries(headers).filter(([name]) =>
      /^(?:authorization|content-type|idempotency-key|stripe-)/.test(name),
    )
    const upstreamResponse = await fetch(`${target}${url}`, {
      method,
      headers: forwardedHeaders.map(([name, value]) => [name, String(value)]),
      body: method === 'GET' ? null : Buffer.concat(chunks),
    })
    const body = await upstreamResponse.text()
    recorder.responses.push({
      request: `${method} ${url.split('?')[0]}`,
      status: upstreamResponse.status,
      body,
    })
    response.writeHead(upstreamResponse.status, { 'content-type': 'application/json' }).end(body)
  }
  const server = createServer((request, response) => void forward(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return recorder
}

/** stripe-mock always returns the same example, which our parser may refuse. That error is expected. */
async function ignoreUnreadableResponse(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof GarbledResponseError)) throw error
  })
}

test(
  "stripe-mock, which checks requests against Stripe's OpenAPI description, accepts our requests",
  { skip },
  async (t) => {
    const mock = await startMock(t)
    const { url, responses } = await startRecordingProxy(t, mock)
    const options = {
      secretKey: STRIPE_KEY,
      livemode: false,
      apiBase: url,
      itemName: 'Pazar',
      installationId: 'c3d8f1b2-6a52-4c26-9d0b-0f6f1c2e7a11',
    }
    const api = createStripeApi(options)
    await ignoreUnreadableResponse(
      api.createSession({ ...CHARGE, merchantName: 'Knjižara Šćepan' }, Math.floor(Date.now() / 1000) + 3600),
    )
    await ignoreUnreadableResponse(api.retrieveSession('cs_test_1'))
    await ignoreUnreadableResponse(api.expireSession('cs_test_1'))
    await ignoreUnreadableResponse(api.searchSession(ID, { fromSec: 1, toSec: 2 }))
    await ignoreUnreadableResponse(api.cancelPayment('pi_1'))
    const refunds = createStripeRefunds(options, async () => null)
    await ignoreUnreadableResponse(refunds.refund(REFUND))
    await ignoreUnreadableResponse(refunds.findRefund(REFUND))
    const page = { since: new Date(0), until: new Date(), cursor: 'id_1' }
    await createStripeDisputes(options).list(page)
    const lists = createStripeLists(options)
    await lists.payments(page)
    await lists.refunds(page)
    const database = { query: async () => [] }
    await resolveStripeAccount(
      { ...options, account: null },
      database,
      createLogger('error', { out: { write: () => undefined } }),
    )
    assert.deepEqual(
      responses.filter(({ status }) => status !== 200),
      [],
    )
    assert.deepEqual(
      responses.map(({ request }) => request),
      [
        'POST /v1/checkout/sessions',
        'GET /v1/checkout/sessions/cs_test_1',
        'POST /v1/checkout/sessions/cs_test_1/expire',
        'GET /v1/checkout/sessions',
        'POST /v1/payment_intents/pi_1/cancel',
        'POST /v1/refunds',
        'GET /v1/refunds',
        'GET /v1/disputes',
        'GET /v1/payment_intents',
        'GET /v1/refunds',
        'GET /v1/account',
      ],
    )
    // This shows that stripe-mock validates requests: it refuses an unknown parameter.
    const wrong = await fetch(`${mock}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${STRIPE_KEY}` },
      body: new URLSearchParams({ mode: 'payment', nonsense: '1' }),
    })
    assert.equal(wrong.status, 400)
  },
)
