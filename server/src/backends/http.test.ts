// Why this is long: one list of responses, and what each means for the payment.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { makeCertificate } from '../../test/certificates.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import type { Reply } from '../../test/raw-server.ts'
import { freePort } from '../../test/service-process.ts'
import { startUpstream, UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { systemClock } from '../lib/clock.ts'
import type { Backend, NewCharge } from './backend.ts'
import { GarbledResponseError, NeverSentError, UnknownOutcomeError } from './backend.ts'
import { testBackend } from './backend-suite.ts'
import { createHttpBackend } from './http.ts'
import { testLists } from './list-suite.ts'
import { payAt, testRefunds } from './refund-suite.ts'

const upstream = await startUpstream()
after(() => upstream.stop())

function createBackend(url: string, callTimeoutMs = 5_000): Backend {
  return createHttpBackend({ url, secret: UPSTREAM_SECRET, clock: systemClock, callTimeoutMs })
}

testBackend('http', async () => ({
  // The upstream never responds to two of the test amounts. A call with one of them takes the whole time limit.
  backend: createBackend(upstream.url, 3_000),
  actAtBank: upstream.actAtBank,
  countCharges: async (id) =>
    (await upstream.books()).charges.filter((charge) => charge.paymentId === id).length,
}))

testRefunds('http', async () => {
  const backend = createBackend(upstream.url, 3_000)
  return {
    backend,
    pay: (amount) => payAt(backend, amount),
    async sumRefunds(paymentId) {
      const { refunds } = await upstream.books()
      const own = refunds.filter((one) => one.paymentId === paymentId && one.status === 'succeeded')
      return own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    },
  }
})

testLists('http', async () => {
  const backend = createBackend(upstream.url)
  return {
    backend,
    pay: (amount, fields) => payAt(backend, amount, fields),
    dispute: (paymentId, status) => upstream.disputeAtBank(paymentId, { status }),
  }
})

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const CHARGE: NewCharge = {
  id: ID,
  amount: 1500n,
  currency: 'EUR',
  scale: 2,
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  mode: 'live',
  customId: null,
  data: 'Kafa 1 kg, mljevena – đ',
  returnUrl: `http://localhost:3000/pay/${ID}?return=1`,
}
const PAID_PAYMENT = { id: ID, status: 'succeeded', amount: '1500', currency: 'EUR' }

async function startBackend(t: TestContext, reply: Reply) {
  const server = await startRawServer(t, reply)
  return { server, backend: createBackend(`http://127.0.0.1:${server.port}`) }
}

function json(status: string, value: unknown): Reply {
  return plainResponse(
    status,
    typeof value === 'string' ? value : JSON.stringify(value),
    'content-type: application/json',
  )
}

test('every request about a payment is signed as in Standard Webhooks, and has the payment’s id as its idempotency key', async (t) => {
  const { server, backend } = await startBackend(t, json('200 OK', PAID_PAYMENT))
  await backend.create(CHARGE)
  await backend.find(ID)
  await backend.cancel(ID)
  const verifier = new Webhook(UPSTREAM_SECRET, { format: 'raw' })
  const requestHeads = server.requests.map((text) => {
    const [head = '', body = ''] = text.split('\r\n\r\n')
    const [start = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    const bytes = Buffer.from(body, 'latin1')
    assert.doesNotThrow(() => verifier.verify(bytes, headers, { jsonParse: false }))
    assert.equal(headers['idempotency-key'], ID)
    return [start, headers['webhook-id']?.replace(/_[0-9a-f]{16}$/, '')]
  })
  assert.deepEqual(requestHeads, [
    ['POST /payments HTTP/1.1', `create_${ID}`],
    [`GET /payments/${ID} HTTP/1.1`, `find_${ID}`],
    [`POST /payments/${ID}/cancel HTTP/1.1`, `cancel_${ID}`],
  ])
  const body = Buffer.from(server.requests[0]!.split('\r\n\r\n')[1]!, 'latin1').toString('utf8')
  assert.deepEqual(JSON.parse(body), {
    id: ID,
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    projectId: CHARGE.projectId,
    data: CHARGE.data,
    returnUrl: CHARGE.returnUrl,
    metadata: {
      pazar_transaction: ID,
      pazar_project: CHARGE.projectId,
      pazar_data: CHARGE.data,
      pazar_mode: CHARGE.mode,
      pazar_scale: '2',
    },
  })
})

test('the name of a verified merchant is sent in the metadata', async (t) => {
  const { server, backend } = await startBackend(t, json('200 OK', PAID_PAYMENT))
  await backend.create({ ...CHARGE, merchantName: 'Knjizara' })
  await backend.create({ ...CHARGE, merchantName: null })
  const names = server.requests.map((text) => /"pazar_merchant":"([^"]*)"/.exec(text)?.[1])
  assert.deepEqual(names, ['Knjizara', undefined])
})

test('a refused connection, an unknown host name and failed TLS cause a NeverSentError', async (t) => {
  const closed = `127.0.0.1:${await freePort()}`
  const plain = await startRawServer(t, plainResponse('200 OK'))
  const selfSigned = await startRawServer(
    t,
    plainResponse('200 OK'),
    makeCertificate({ names: ['127.0.0.1'] }),
  )
  for (const url of [
    `http://${closed}`,
    'http://upstream.invalid',
    `https://127.0.0.1:${plain.port}`,
    `https://127.0.0.1:${selfSigned.port}`,
  ]) {
    await assert.rejects(createBackend(url).create(CHARGE), NeverSentError, url)
  }
  assert.deepEqual([...plain.requests, ...selfSigned.requests], [])
})

const cutOff: Reply = (socket) =>
  socket.end(`HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n${JSON.stringify(PAID_PAYMENT)}`)

for (const [caseName, reply] of [
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['closes without a response', (socket) => socket.end()],
  ['closes in the middle of the response', cutOff],
  [
    'sends a response that is too long',
    plainResponse('200 OK', JSON.stringify({ ...PAID_PAYMENT, note: 'x'.repeat(70_000) })),
  ],
] satisfies [string, Reply][]) {
  test(`an upstream that accepts the request and ${caseName} leaves the outcome unknown`, async (t) => {
    const { server, backend } = await startBackend(t, reply)
    await assert.rejects(backend.create(CHARGE), UnknownOutcomeError)
    // Neither the adapter nor the HTTP library retries.
    assert.equal(server.requests.length, 1)
  })
}

test('if a reused connection breaks during a create, the create is not retried and its outcome is unknown', async (t) => {
  const { server, backend } = await startBackend(t, (socket, request) => {
    if (server.requests.length === 1) json('200 OK', PAID_PAYMENT)(socket, request)
    else socket.resetAndDestroy()
  })
  await backend.create(CHARGE)
  // The pool marks the connection as free only in the next turn of the event loop.
  await setImmediate()
  await assert.rejects(backend.create(CHARGE), UnknownOutcomeError)
  assert.deepEqual([server.connects, server.requests.length], [1, 2])
})

for (const [act, close] of [
  ['closes', (socket: Socket) => socket.end()],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
] as const)
  test(`a lookup is sent a second time if the upstream ${act} the connection, but not a third time`, async (t) => {
    let closings = 1
    const { server, backend } = await startBackend(t, (socket, request) => {
      if (closings-- > 0) close(socket)
      else json('200 OK', PAID_PAYMENT)(socket, request)
    })
    assert.equal((await backend.find(ID))?.status, 'succeeded')
    assert.deepEqual([server.connects, server.requests.length], [2, 2])
    const ids = server.requests.map((one) => /\r\nwebhook-id: (\S+)/i.exec(one)?.[1])
    assert.notEqual(
      ids[0],
      ids[1],
      'each request has its own id, because an upstream may refuse a repeated id',
    )

    closings = 2
    await assert.rejects(backend.find(ID), UnknownOutcomeError)
    assert.equal(server.requests.length, 4)
  })

test('an upstream that never responds leaves the outcome unknown', async (t) => {
  const server = await startRawServer(t, () => undefined)
  const backend = createBackend(`http://127.0.0.1:${server.port}`, 300)
  await assert.rejects(backend.create(CHARGE), UnknownOutcomeError)
  await assert.rejects(backend.find(ID), UnknownOutcomeError)
})

const INVALID_RESPONSES: readonly (readonly [string, string, unknown])[] = [
  ['500 with a valid payment', '500 Internal Server Error', PAID_PAYMENT],
  ['502 from a proxy', '502 Bad Gateway', '<h1>502</h1>'],
  ['404 from a proxy', '404 Not Found', '<h1>404</h1>'],
  ['a redirect', '307 Temporary Redirect', PAID_PAYMENT],
  ['an empty body', '200 OK', ''],
  ['half of a JSON text', '200 OK', '{"id": "'],
  ['a list', '200 OK', [PAID_PAYMENT]],
  ['a text', '200 OK', '"succeeded"'],
  ['null', '200 OK', 'null'],
  ['a byte order mark', '200 OK', `\u00ef\u00bb\u00bf${JSON.stringify(PAID_PAYMENT)}`],
  [
    'two amounts',
    '200 OK',
    `{"amount":"1","id":"${ID}","status":"succeeded","amount":"1500","currency":"EUR"}`,
  ],
  [
    'a __proto__ key',
    '200 OK',
    `{"__proto__":{},"id":"${ID}","status":"succeeded","amount":"1500","currency":"EUR"}`,
  ],
  ['no id', '200 OK', { ...PAID_PAYMENT, id: undefined }],
  ['no amount', '200 OK', { ...PAID_PAYMENT, amount: undefined }],
  ['no currency', '200 OK', { ...PAID_PAYMENT, currency: undefined }],
  ['a negative amount', '200 OK', { ...PAID_PAYMENT, amount: '-1500' }],
  ['an amount with a leading zero', '200 OK', { ...PAID_PAYMENT, amount: '01500' }],
  ['an amount in another notation', '200 OK', { ...PAID_PAYMENT, amount: '1.5e3' }],
  ['an amount with cents', '200 OK', { ...PAID_PAYMENT, amount: 1500.5 }],
  ['an amount in a list', '200 OK', { ...PAID_PAYMENT, amount: ['1500'] }],
  ['an unknown status', '200 OK', { ...PAID_PAYMENT, status: 'paid' }],
  ['a status in capitals', '200 OK', { ...PAID_PAYMENT, status: 'SUCCEEDED' }],
  ['a flag instead of a status', '200 OK', { ...PAID_PAYMENT, status: true }],
  ['a bank page without an address', '200 OK', { ...PAID_PAYMENT, status: 'requires_action' }],
  [
    'a bank page with a javascript: URL',
    '200 OK',
    { ...PAID_PAYMENT, status: 'requires_action', redirectUrl: 'javascript:alert(1)' },
  ],
]

for (const [caseName, status, body] of INVALID_RESPONSES) {
  test(`an invalid response leaves the outcome unknown: ${caseName}`, async (t) => {
    const { server, backend } = await startBackend(t, json(status, body))
    await assert.rejects(backend.create(CHARGE), UnknownOutcomeError)
    await assert.rejects(backend.cancel(ID), UnknownOutcomeError)
    assert.equal(server.requests.length, 2)
  })
}

test('an invalid response with a success status is a GarbledResponseError', async (t) => {
  const garbled = await startBackend(t, json('200 OK', '<h1>Welcome</h1>'))
  await assert.rejects(garbled.backend.create(CHARGE), GarbledResponseError)
  const failing = await startBackend(t, json('502 Bad Gateway', '<h1>Sorry</h1>'))
  await assert.rejects(failing.backend.create(CHARGE), { name: 'UnknownOutcomeError' })
})

test('a 4xx response that contains a failed payment is accepted', async (t) => {
  const declined = { ...PAID_PAYMENT, status: 'failed', failureCode: 'insufficient_funds' }
  const { backend } = await startBackend(t, json('402 Payment Required', declined))
  const report = await backend.create(CHARGE)
  assert.equal(report.status, 'failed')
  assert.equal(report.failureCode, 'insufficient_funds')
})

test('an amount may be a whole number instead of a text, and unknown fields are ignored', async (t) => {
  const { backend } = await startBackend(
    t,
    json('200 OK', { ...PAID_PAYMENT, amount: 1500, fee: { amount: 12 } }),
  )
  assert.equal((await backend.create(CHARGE)).amount, 1500n)
})

test('a failure code that is no plain identifier, or that only this service may set, is dropped', async (t) => {
  for (const failureCode of ['<script>', 'resolved_paid', 'resolved_unpaid', 'in_review', 'duplicate']) {
    const failed = { ...PAID_PAYMENT, status: 'failed', failureCode }
    const { backend } = await startBackend(t, json('200 OK', failed))
    assert.equal((await backend.create(CHARGE)).failureCode, null, failureCode)
  }
})

test('the address of a bank page is used only while the payer has to act there', async (t) => {
  const { backend } = await startBackend(
    t,
    json('200 OK', { ...PAID_PAYMENT, redirectUrl: 'https://bank.example/x' }),
  )
  assert.equal((await backend.create(CHARGE)).actionUrl, null)
})

test('a 404 to a lookup means that the upstream has no such payment', async (t) => {
  const { backend } = await startBackend(t, json('404 Not Found', { error: 'not_found' }))
  assert.equal(await backend.find(ID), null)
})

test('a create that gets a 429 is repeated once with the same idempotency key; a lookup is not repeated', async (t) => {
  const { server, backend } = await startBackend(t, (socket, request) => {
    const isFirst = server.requests.length === 1
    const reply = isFirst ? plainResponse('429 Too Many Requests') : json('200 OK', PAID_PAYMENT)
    reply(socket, request)
  })
  assert.equal((await backend.create(CHARGE)).status, 'succeeded')
  const keys = server.requests.map((request) => /idempotency-key: (\S+)/i.exec(request)?.[1])
  assert.deepEqual(keys, [ID, ID])
  const busyBackend = await startBackend(t, plainResponse('429 Too Many Requests'))
  await assert.rejects(busyBackend.backend.create(CHARGE), {
    name: 'UnknownOutcomeError',
    fault: 'rate_limited',
  })
  assert.equal(busyBackend.server.requests.length, 2)
  await assert.rejects(busyBackend.backend.find(ID), { fault: 'rate_limited' })
  assert.equal(busyBackend.server.requests.length, 3)
})

test('a 401 or 403 is reported as a rejected key, and a refused connection as an unreachable upstream', async (t) => {
  for (const status of ['401 Unauthorized', '403 Forbidden']) {
    const { backend } = await startBackend(t, plainResponse(status))
    await assert.rejects(backend.find(ID), { name: 'UnknownOutcomeError', fault: 'key_rejected' })
  }
  const unreachable = createBackend(`http://127.0.0.1:${await freePort()}`)
  await assert.rejects(unreachable.find(ID), { name: 'NeverSentError', fault: 'unreachable' })
})
