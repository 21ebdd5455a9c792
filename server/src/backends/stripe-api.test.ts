// These tests run Stripe's SDK against a server with scripted responses.
// Why this is long: two lists of responses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { makeCertificate } from '../../test/certificates.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import type { Reply } from '../../test/raw-server.ts'
import { freePort } from '../../test/service-process.ts'
import { STRIPE_KEY } from '../../test/stripe-stand-in.ts'
import type { NewCharge } from './backend.ts'
import { GarbledResponseError, NeverSentError, UnknownOutcomeError } from './backend.ts'
import { createStripeApi } from './stripe-api.ts'
import type { StripeApi } from './stripe-api.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const PROJECT = 'tz4a98xxat96iws9zmbrgj3a'
const CHARGE: NewCharge = {
  id: ID,
  amount: 1500n,
  currency: 'EUR',
  scale: 2,
  projectId: PROJECT,
  mode: 'live',
  customId: null,
  data: null,
  returnUrl: `http://localhost:3000/pay/${ID}?return=1`,
}
const OPEN_SESSION = {
  object: 'checkout.session',
  id: 'cs_test_1',
  livemode: false,
  status: 'open',
  payment_status: 'unpaid',
  amount_total: 1500,
  currency: 'eur',
  expires_at: 1_800_000_000,
  url: 'https://checkout.stripe.com/c/pay/cs_test_1#fid',
  metadata: { pazar_transaction: ID, pazar_project: PROJECT },
  payment_intent: null,
}
const EXPIRES_AT_SEC = 1_800_000_000

function createApi(apiBase: string, callTimeoutMs = 5_000): StripeApi {
  return createStripeApi({
    secretKey: STRIPE_KEY,
    livemode: false,
    apiBase,
    itemName: 'Pazar',
    installationId: 'installation-1',
    callTimeoutMs,
  })
}

async function startApi(t: TestContext, reply: Reply) {
  const server = await startRawServer(t, reply)
  return { server, api: createApi(`http://127.0.0.1:${server.port}`) }
}

function json(status: string, value: unknown): Reply {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  // This header tells the SDK to retry, but our client must not.
  return plainResponse(status, body, 'content-type: application/json', 'stripe-should-retry: true')
}

function refusal(status: string, error: Record<string, string>): Reply {
  return json(status, { error: { type: 'invalid_request_error', message: `No, ${STRIPE_KEY}`, ...error } })
}

test('a create with a refused connection, an unknown host name or failed TLS throws a NeverSentError', async (t) => {
  const plain = await startRawServer(t, plainResponse('200 OK'))
  const selfSigned = await startRawServer(
    t,
    plainResponse('200 OK'),
    makeCertificate({ names: ['127.0.0.1'] }),
  )
  for (const url of [
    `http://127.0.0.1:${await freePort()}`,
    'http://stripe.invalid',
    `https://127.0.0.1:${plain.port}`,
    `https://127.0.0.1:${selfSigned.port}`,
  ]) {
    await assert.rejects(createApi(url).createSession(CHARGE, EXPIRES_AT_SEC), NeverSentError, url)
    await assert.rejects(createApi(url).retrieveSession('cs_test_1'), UnknownOutcomeError, url)
    await assert.rejects(createApi(url).expireSession('cs_test_1'), UnknownOutcomeError, url)
  }
  assert.deepEqual([...plain.requests, ...selfSigned.requests], [])
})

const cutOff: Reply = (socket) =>
  socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${JSON.stringify(OPEN_SESSION)}`)

for (const [caseName, reply] of [
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['closes without a response', (socket) => socket.end()],
  ['closes in the middle of the response', cutOff],
  ['sends a response that is too long', json('200 OK', { ...OPEN_SESSION, note: 'x'.repeat(5_000_000) })],
] satisfies [string, Reply][]) {
  test(`a server that accepts the request and ${caseName} leaves the outcome unknown, and gets no second request`, async (t) => {
    const { server, api } = await startApi(t, reply)
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), UnknownOutcomeError)
    assert.equal(server.requests.length, 1)
  })
}

test('if a reused connection breaks during a request, the request is not retried and its outcome is unknown', async (t) => {
  const { server, api } = await startApi(t, (socket, request) => {
    if (server.requests.length === 1) json('200 OK', OPEN_SESSION)(socket, request)
    else socket.resetAndDestroy()
  })
  await api.createSession(CHARGE, EXPIRES_AT_SEC)
  // The pool marks the connection as free only in the next turn of the event loop.
  await setImmediate()
  await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), UnknownOutcomeError)
  assert.deepEqual([server.connects, server.requests.length], [1, 2])
})

test('a server that does not finish its response in time leaves the outcome unknown', async (t) => {
  const slow: Reply = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{')
  for (const reply of [() => undefined, slow]) {
    const server = await startRawServer(t, reply)
    const api = createApi(`http://127.0.0.1:${server.port}`, 300)
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), UnknownOutcomeError)
    await assert.rejects(
      api.retrieveSession('cs_test_1', () => 200),
      UnknownOutcomeError,
    )
  }
})

const FAILING_RESPONSES: readonly (readonly [string, string, unknown])[] = [
  ['500 from Stripe', '500 Internal Server Error', { error: { type: 'api_error' } }],
  ['500 with a valid session', '500 Internal Server Error', OPEN_SESSION],
  ['502 from a proxy', '502 Bad Gateway', '<h1>502</h1>'],
  ['404 from a proxy', '404 Not Found', '<h1>404</h1>'],
  ['a redirect', '307 Temporary Redirect', OPEN_SESSION],
  ['403 with a valid session', '403 Forbidden', OPEN_SESSION],
  ['409, the idempotency key is in use', '409 Conflict', { error: { type: 'idempotency_error' } }],
  [
    '409, Stripe did not get a lock in time',
    '409 Conflict',
    { error: { type: 'invalid_request_error', code: 'lock_timeout' } },
  ],
  [
    '400, the idempotency key was used with other values',
    '400 Bad Request',
    { error: { type: 'idempotency_error' } },
  ],
]

for (const [caseName, status, body] of FAILING_RESPONSES) {
  test(`a response without a success status leaves the status of the session unknown: ${caseName}`, async (t) => {
    const { server, api } = await startApi(t, json(status, body))
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), { name: 'UnknownOutcomeError' })
    await assert.rejects(api.retrieveSession('cs_test_1'), { name: 'UnknownOutcomeError' })
    assert.equal(server.requests.length, 2)
  })
}

const GARBLED_RESPONSES: readonly (readonly [string, unknown])[] = [
  ['an empty body', ''],
  ['half of a JSON text', '{"id": "'],
  ['a page', '<h1>Welcome</h1>'],
  ['a list', [OPEN_SESSION]],
  ['a text', '"open"'],
  ['null', 'null'],
  ['a session with an error', { ...OPEN_SESSION, error: { type: 'api_error' } }],
  ['another object', { ...OPEN_SESSION, object: 'payment_intent' }],
  ['no id', { ...OPEN_SESSION, id: undefined }],
  ['an id that is a path', { ...OPEN_SESSION, id: '../accounts' }],
  ['no amount', { ...OPEN_SESSION, amount_total: null }],
  ['an amount with cents', { ...OPEN_SESSION, amount_total: 1500.5 }],
  ['a negative amount', { ...OPEN_SESSION, amount_total: -1500 }],
  ['an amount as text', { ...OPEN_SESSION, amount_total: '1500' }],
  ['no currency', { ...OPEN_SESSION, currency: null }],
  ['an unknown status', { ...OPEN_SESSION, status: 'done' }],
  ['an unknown payment status', { ...OPEN_SESSION, payment_status: 'no_payment_required' }],
  ['an open session without a URL', { ...OPEN_SESSION, url: null }],
  ['a session with a javascript: URL', { ...OPEN_SESSION, url: 'javascript:alert(1)' }],
  ['no metadata', { ...OPEN_SESSION, metadata: {} }],
  ['no project', { ...OPEN_SESSION, metadata: { pazar_transaction: ID } }],
  ['the other mode', { ...OPEN_SESSION, livemode: true }],
]

for (const [caseName, body] of GARBLED_RESPONSES) {
  test(`an invalid response with a success status is a GarbledResponseError: ${caseName}`, async (t) => {
    const { server, api } = await startApi(t, json('200 OK', body))
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), GarbledResponseError)
    await assert.rejects(api.retrieveSession('cs_test_1'), GarbledResponseError)
    await assert.rejects(api.expireSession('cs_test_1'), GarbledResponseError)
    await assert.rejects(api.searchSession(ID, { fromSec: 0, toSec: 1 }), GarbledResponseError)
    await assert.rejects(api.findTransactionId('pi_1'), GarbledResponseError)
    assert.equal(server.requests.length, 5)
  })
}

for (const [status, error] of [
  ['400 Bad Request', { code: 'parameter_missing', param: 'line_items[0][price_data][unit_amount]' }],
  ['401 Unauthorized', {}],
  ['402 Request Failed', { type: 'card_error', code: 'card_declined' }],
  ['403 Forbidden', {}],
  ['404 Not Found', { code: 'resource_missing' }],
  ['429 Too Many Requests', { code: 'rate_limit' }],
] satisfies [string, Record<string, string>][]) {
  test(`${status}: a refused create throws a NeverSentError, and a refused lookup leaves the outcome unknown`, async (t) => {
    const { server, api } = await startApi(t, refusal(status, error))
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), (fault: Error) => {
      assert.ok(fault instanceof NeverSentError)
      assert.match(fault.message, new RegExp(`refused: ${status.slice(0, 3)}`))
      // Stripe's message is not in the error, because it may quote the key.
      assert.doesNotMatch(`${fault.stack} ${JSON.stringify(fault)}`, /No,|sk_test_/)
      return true
    })
    await assert.rejects(api.retrieveSession('cs_test_1'), UnknownOutcomeError)
    await assert.rejects(api.searchSession(ID, { fromSec: 0, toSec: 1 }), UnknownOutcomeError)
    assert.equal(await api.expireSession('cs_test_1'), null)
    // Only a create that gets a 429 is sent again, and only once.
    assert.equal(server.requests.length, status.startsWith('429') ? 5 : 4)
  })
}

test('an invalid session in the list does not hide our session; of an endless list, 100 pages are read', async (t) => {
  const invalid = { ...OPEN_SESSION, id: 'cs_test_0', metadata: null, amount_total: null }
  const page = { object: 'list', has_more: true, data: [invalid, OPEN_SESSION] }
  const found = await startApi(t, json('200 OK', page))
  assert.equal(await found.api.searchSession(ID, { fromSec: 0, toSec: 1 }), OPEN_SESSION.id)
  const endless = await startApi(t, json('200 OK', { ...page, data: [invalid] }))
  await assert.rejects(endless.api.searchSession(ID, { fromSec: 0, toSec: 1 }), UnknownOutcomeError)
  assert.equal(endless.server.requests.length, 100)
})

test('a create that Stripe refuses because of the amount throws a RefusedError with Stripe’s code', async (t) => {
  for (const code of ['amount_too_small', 'amount_too_large']) {
    const { api } = await startApi(t, refusal('400 Bad Request', { code }))
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), { name: 'RefusedError', code })
  }
})

test('a create that gets a 429 is repeated once with the same idempotency key, and succeeds', async (t) => {
  const { server, api } = await startApi(t, (socket, request) => {
    const isFirst = server.requests.length === 1
    const reply = isFirst
      ? refusal('429 Too Many Requests', { code: 'rate_limit' })
      : json('200 OK', OPEN_SESSION)
    reply(socket, request)
  })
  assert.equal((await api.createSession(CHARGE, EXPIRES_AT_SEC)).id, OPEN_SESSION.id)
  const keys = server.requests.map((request) => /idempotency-key: (\S+)/i.exec(request)?.[1])
  assert.deepEqual(keys, [ID, ID])
})

for (const [status, fault] of [
  ['401 Unauthorized', 'key_rejected'],
  ['403 Forbidden', 'key_rejected'],
  ['429 Too Many Requests', 'rate_limited'],
  ['400 Bad Request', 'failing'],
] as const) {
  test(`${status} is reported to the operator as "${fault}"`, async (t) => {
    const { api } = await startApi(t, refusal(status, {}))
    await assert.rejects(api.createSession(CHARGE, EXPIRES_AT_SEC), { name: 'NeverSentError', fault })
    await assert.rejects(api.retrieveSession('cs_test_1'), { name: 'UnknownOutcomeError', fault })
  })
}

test('an amount above Number.MAX_SAFE_INTEGER is never sent', async (t) => {
  const { server, api } = await startApi(t, json('200 OK', OPEN_SESSION))
  const amount = 2n ** 53n + 1n
  await assert.rejects(api.createSession({ ...CHARGE, amount }, EXPIRES_AT_SEC), NeverSentError)
  assert.equal(server.requests.length, 0)
})

test('a call to Stripe may take ten seconds', async (t) => {
  const timeouts = t.mock.method(AbortSignal, 'timeout')
  const options = { secretKey: STRIPE_KEY, livemode: false, itemName: 'Pazar', installationId: 'a' }
  const api = createStripeApi({ ...options, apiBase: 'http://127.0.0.1:9' })
  await assert.rejects(api.retrieveSession('cs_test_1'))
  // Other calls in this process may have timeouts too.
  assert.ok(timeouts.mock.calls.some((call) => call.arguments[0] === 10_000))
})
