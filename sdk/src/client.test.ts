import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { ApiError, Client, verifyStatusHash } from './index.ts'
import type { ClientOptions, StatusQuestion } from './index.ts'
import { TEST_SECRET } from '../test/forge.ts'

const PROJECT = 'tz4a98xxat96iws9zmbrgj3a'
const SETTINGS = { projectId: PROJECT, secret: TEST_SECRET, baseUrl: 'https://pay.example.me' }

let handleRequest: RequestListener = (_request, response) => response.end()
const server = createServer((request, response) => handleRequest(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})

function localClient(options: Partial<ClientOptions> = {}): Client {
  const { port } = server.address() as AddressInfo
  return new Client({ ...SETTINGS, baseUrl: `http://127.0.0.1:${port}`, ...options })
}

function respondWith(status: number, body: unknown, headers: Record<string, string> = {}): void {
  handleRequest = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

async function readFailure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error
}

test('a status check sends its hash, and the amount only if given', async () => {
  const bodies: (StatusQuestion & { hash: string })[] = []
  handleRequest = (request, response) => {
    assert.equal(`${request.method} ${request.url}`, 'POST /sdk/transaction/checkStatus')
    assert.equal(request.headers['content-type'], 'application/json')
    request.setEncoding('utf8').once('data', (text: string) => {
      bodies.push(JSON.parse(text) as StatusQuestion & { hash: string })
      response.end('{"successful":true}')
    })
  }
  const pazar = localClient()
  assert.deepEqual(await pazar.checkStatus('order-7'), { successful: true })
  assert.deepEqual(await pazar.checkStatus('order-7', { amount: '1500' }), { successful: true })
  assert.deepEqual(
    bodies.map(({ hash: _hash, ...question }) => question),
    [
      { projectId: PROJECT, customId: 'order-7' },
      { projectId: PROJECT, customId: 'order-7', amount: '1500' },
    ],
  )
  for (const { hash, ...question } of bodies) assert.ok(verifyStatusHash(hash, question, TEST_SECRET, 1))
})

test('a base URL with a path and a trailing slash works', async () => {
  handleRequest = (request, response) =>
    response.end(`{"successful":${request.url === '/eu/sdk/transaction/checkStatus'}}`)
  const { port } = server.address() as AddressInfo
  const pazar = localClient({ baseUrl: `http://127.0.0.1:${port}/eu/` })
  assert.deepEqual(await pazar.checkStatus('order-7'), { successful: true })
})

test('an error response becomes an ApiError with its code, status, request id and explanation', async () => {
  const problem = {
    type: 'https://pay.example.me/docs/errors#invalid_hash',
    title: 'The hash is not right',
    detail: 'The hash does not fit.',
    status: 401,
    code: 'invalid_hash',
    requestId: 'req-7f3k',
  }
  respondWith(401, problem, { 'content-type': 'application/problem+json' })
  const { code, status, requestId, docsUrl, message, name } = await readFailure(
    localClient().checkStatus('order-7'),
  )
  assert.deepEqual(
    { code, status, requestId, docsUrl, message, name },
    {
      code: 'invalid_hash',
      status: 401,
      requestId: 'req-7f3k',
      docsUrl: problem.type,
      message: problem.detail,
      name: 'ApiError',
    },
  )
})

for (const [caseName, status, body] of [
  ['an HTML page', 200, '<html>Welcome to nginx</html>'],
  ['a number instead of the boolean', 200, { successful: 1 }],
  ['a text instead of the boolean', 200, { successful: 'true' }],
  ['an empty body', 200, ''],
  ['true without an object', 200, true],
  ['null', 200, null],
  ['a list', 200, [{ successful: true }]],
  ['a success with another status than 200', 202, { successful: true }],
  ['an error page', 502, '<html>Bad gateway</html>'],
  ['an error that says paid', 500, { successful: true }],
  ['a body that has "successful" twice, as false and as true', 200, '{"successful":false,"successful":true}'],
  [
    'a body that has "successful" twice, once written with an escape',
    200,
    '{"successful":false,"s\\u0075ccessful":true}',
  ],
  [
    'a body longer than any response of the service',
    200,
    `{"successful":true,"more":"${'x'.repeat(64 * 1024)}"}`,
  ],
] as const) {
  test(`a status check throws unexpected_answer for this response: ${caseName}`, async () => {
    respondWith(status, body)
    const error = await readFailure(localClient().checkStatus('order-7'))
    assert.deepEqual([error.code, error.status], ['unexpected_answer', status])
  })
}

test('the client closes the connection if the response does not end', async () => {
  let sent = 0
  const connectionClosed = Promise.withResolvers<void>()
  handleRequest = (_request, response) => {
    const piece = Buffer.alloc(16 * 1024, ' ')
    response.on('close', () => connectionClosed.resolve())
    const writeMore = (): void => {
      while (!response.destroyed && response.write(piece)) sent += piece.length
    }
    response.on('drain', writeMore)
    writeMore()
  }
  const error = await readFailure(localClient().checkStatus('order-7'))
  assert.equal(error.code, 'unexpected_answer')
  await connectionClosed.promise
  // The sockets may have buffered more than the client read.
  assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes`)
})

test('a redirect is not followed', async () => {
  let requestCount = 0
  handleRequest = (_request, response) => {
    requestCount += 1
    response.writeHead(307, { location: '/elsewhere' })
    response.end()
  }
  const error = await readFailure(localClient().checkStatus('order-7'))
  assert.deepEqual([error.code, error.status, requestCount], ['unreachable', null, 1])
})

test('a response that does not begin or does not end is reported as timeout, and a failed fetch as unreachable', async () => {
  handleRequest = () => undefined
  assert.equal((await readFailure(localClient({ timeoutMs: 50 }).checkStatus('order-7'))).code, 'timeout')
  handleRequest = (_request, response) => response.write('{"succ')
  assert.equal((await readFailure(localClient({ timeoutMs: 50 }).checkStatus('order-7'))).code, 'timeout')
  const unreachableClient = localClient({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
  assert.equal((await readFailure(unreachableClient.checkStatus('order-7'))).code, 'unreachable')
})

test('a printed client, its JSON, its properties and its errors do not contain its secret', async () => {
  const pazar = localClient({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
  const error = await readFailure(pazar.checkStatus('order-7'))
  const shown = [
    inspect(pazar, { showHidden: true, depth: 9 }),
    inspect({ nested: { pazar } }),
    JSON.stringify(pazar),
    inspect(error, { showHidden: true, depth: 9 }),
    JSON.stringify(error),
    Object.entries(pazar).join(),
  ]
  for (const text of shown) assert.equal(text.includes(TEST_SECRET), false, text)
  assert.match(shown[0] ?? '', /\[removed\]/)
})

test('a status check waits at most ten seconds, unless the client is created with another timeout', async (t) => {
  const waits: number[] = []
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    waits.push(ms)
    return new AbortController().signal
  })
  respondWith(200, { successful: true })
  await localClient().checkStatus('order-7')
  await localClient({ timeoutMs: 50 }).checkStatus('order-7')
  assert.deepEqual(waits, [10_000, 50])
})

const withToken = (options: Partial<ClientOptions>) => new Client({ ...SETTINGS, token: 'pat_1', ...options })

test('a response without the requested payment or refund is refused as unexpected_answer', async () => {
  const rest = { refunds: [], disputes: [] }
  for (const details of [
    rest,
    { transaction: 't-1', ...rest },
    { transaction: {}, ...rest },
    { transaction: { id: 1 }, ...rest },
    { transaction: { id: 't-1' }, refunds: [] },
    { transaction: { id: 't-1' }, refunds: {}, disputes: [] },
  ]) {
    const client = withToken({ fetch: async () => Response.json(details) })
    await assert.rejects(client.transaction({ transactionId: 't-1' }), { code: 'unexpected_answer' })
  }
  for (const refund of [
    null,
    're_1',
    {},
    { id: 're_1' },
    { state: 'succeeded' },
    { id: 1, state: 'succeeded' },
  ]) {
    const client = withToken({ fetch: async () => Response.json({ refund }) })
    const request = { transactionId: 't-1', idempotencyKey: 'k' }
    await assert.rejects(client.refund(request), { code: 'unexpected_answer' })
  }
})

test('a new and a repeated refund are returned, and a refused refund is an error', async () => {
  const refund = { id: 're_1', state: 'succeeded' }
  for (const status of [200, 201]) {
    let body: unknown
    const fetch: typeof globalThis.fetch = async (input, init) => {
      body = await new Request(input, init).json()
      return Response.json({ refund }, { status })
    }
    const client = new Client({ ...SETTINGS, token: 'pat_1', fetch })
    const request = { transactionId: 't-1', amount: '500', idempotencyKey: 'refund-7' }
    assert.deepEqual(await client.refund(request), refund)
    assert.deepEqual(body, { projectId: client.projectId, ...request })
  }
  const fetch = async () => Response.json({ code: 'refund_exceeds', detail: 'too much' }, { status: 409 })
  const refusedRefund = new Client({ ...SETTINGS, token: 'pat_1', fetch }).refund({
    transactionId: 't-1',
    idempotencyKey: 'k',
  })
  await assert.rejects(refusedRefund, { code: 'refund_exceeds' })
})
