import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { LEASE_SEC } from '../callbacks/lanes.ts'
import { toCode } from './fetch-outcome.ts'
import { createPublicFetch, FETCH_LIMITS } from './public-fetch.ts'
import type { FetchOutcome } from './public-fetch.ts'
import { BODY, postToRawServer } from '../../test/post-to-raw-server.ts'

const KIB_16 = 16 * 1024

test('a 2xx counts as delivered, and exactly the given bytes are sent', async (t) => {
  const { server, outcome } = await postToRawServer(t, plainResponse('201 Created', 'thanks'))
  const { durationMs, ...rest } = outcome
  assert.ok(Number.isInteger(durationMs))
  assert.deepEqual(rest, {
    outcome: 'delivered',
    statusCode: 201,
    error: null,
    responseBody: Buffer.from('thanks'),
    bodyEnd: 'whole',
    remoteIp: '127.0.0.1',
    retryAfter: null,
    location: null,
    isEgressFault: false,
  })
  const request = server.requests[0] ?? ''
  assert.ok(request.startsWith('POST /cb?a=1 HTTP/1.1\r\n'))
  assert.match(request, new RegExp(`\r\nhost: 127\\.0\\.0\\.1:${server.port}\r\n`))
  assert.match(request, /\r\nwebhook-id: msg_1\r\n/)
  assert.match(request, /\r\naccept-encoding: identity\r\n/)
  assert.ok(request.endsWith(`\r\n\r\n${BODY.toString()}`))
})

test('a status of 400 or more is an http_error that keeps status, body and Retry-After', async (t) => {
  for (const status of [400, 404, 409, 410, 429, 500, 503, 599]) {
    const { outcome } = await postToRawServer(t, plainResponse(`${status} No`, 'later', 'retry-after: 120'))
    assert.equal(outcome.outcome, 'http_error')
    assert.equal(outcome.statusCode, status)
    assert.equal(outcome.retryAfter, '120')
    assert.equal(outcome.responseBody.toString(), 'later')
  }
})

test('a redirect is a failed attempt and its location is never fetched', async (t) => {
  const spy = await startRawServer(t, plainResponse('200 OK'))
  const places = [
    `http://127.0.0.1:${spy.port}/`,
    `https://127.0.0.1:${spy.port}/`,
    'https://169.254.169.254/',
  ]
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [...places, 'file:///etc/passwd', '/other']) {
      const { server, outcome } = await postToRawServer(
        t,
        plainResponse(`${status} Moved`, '', `location: ${location}`),
      )
      assert.equal(outcome.outcome, 'redirect')
      assert.equal(outcome.statusCode, status)
      assert.equal(outcome.location, location)
      assert.equal(server.connects, 1)
    }
  }
  assert.equal(spy.connects, 0)
})

test('a status from 300 to 399 that does not redirect is an http_error', async (t) => {
  for (const status of ['300 Multiple Choices', '304 Not Modified', '305 Use Proxy', '399 Odd']) {
    const { outcome } = await postToRawServer(t, plainResponse(status))
    assert.deepEqual([outcome.outcome, outcome.statusCode], ['http_error', Number.parseInt(status, 10)])
  }
})

test('a body of 1 GiB is cut at 16 KiB, the socket is closed, and the outcome depends on the status', async (t) => {
  const block = Buffer.alloc(KIB_16, 'x')
  const { server, outcome } = await postToRawServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n')
    const writeMore = () => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on('drain', writeMore)
    writeMore()
  })
  assert.equal(outcome.outcome, 'delivered')
  assert.deepEqual(outcome.responseBody, block)
  assert.equal(outcome.bodyEnd, 'too_long')
  await server.untilAllClosed()
})

test('a body of exactly 16 KiB is read whole', async (t) => {
  const { outcome } = await postToRawServer(t, plainResponse('200 OK', 'y'.repeat(KIB_16)))
  assert.equal(outcome.responseBody.length, KIB_16)
})

test('a gzip body is never decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024))
  const { outcome } = await postToRawServer(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  })
  assert.equal(outcome.outcome, 'delivered')
  assert.deepEqual(outcome.responseBody, bomb.subarray(0, KIB_16))
})

test('a response with a hundred thousand headers is too_large, and its connection is closed', async (t) => {
  const { server, outcome } = await postToRawServer(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`)
  })
  assert.equal(outcome.outcome, 'too_large')
  assert.equal(outcome.statusCode, null)
  await server.untilAllClosed()
})

test('one endless header is too_large', async (t) => {
  const { server, outcome } = await postToRawServer(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`)
  })
  assert.equal(outcome.outcome, 'too_large')
  await server.untilAllClosed()
})

test('if a server never responds, the outcome is a timeout, and the socket is closed', async (t) => {
  const { server, outcome } = await postToRawServer(t, () => {}, { totalTimeoutMs: 50 })
  assert.equal(outcome.outcome, 'timeout')
  assert.equal(outcome.statusCode, null)
  assert.equal(outcome.remoteIp, '127.0.0.1')
  await server.untilAllClosed()
})

/** Runs everything that is ready, without advancing the clock. */
async function runPending(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('the whole attempt is limited to fifteen seconds', async (t) => {
  const received = Promise.withResolvers<void>()
  const server = await startRawServer(t, () => received.resolve())
  const pair = `127.0.0.1:${server.port}`
  const publicFetch = createPublicFetch({ resolver: createStubResolver({}), allowHosts: new Set([pair]) })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const ended: FetchOutcome[] = []
  void publicFetch.post(`http://${pair}/`, {}, BODY).then((outcome) => ended.push(outcome))
  await received.promise
  t.mock.timers.tick(14_999)
  await runPending()
  assert.equal(ended.length, 0)
  t.mock.timers.tick(1)
  await runPending()
  assert.equal(ended[0]?.outcome, 'timeout')
})

test('connecting is limited to five of the fifteen seconds', async (t) => {
  const dialed = Promise.withResolvers<void>()
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set(['127.0.0.1:9999']),
    dialForTests: (_address, _port, signal) => {
      dialed.resolve()
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
    },
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const ended: FetchOutcome[] = []
  void publicFetch.post('http://127.0.0.1:9999/', {}, BODY).then((outcome) => ended.push(outcome))
  await dialed.promise
  t.mock.timers.tick(4_999)
  await runPending()
  assert.equal(ended.length, 0)
  t.mock.timers.tick(1)
  await runPending()
  assert.deepEqual([ended[0]?.outcome, ended[0]?.error], ['connect', 'could not connect: not done in time'])
})

test('a lease is at least half a minute longer than the longest attempt', () => {
  assert.ok(LEASE_SEC * 1000 >= FETCH_LIMITS.totalTimeoutMs + 30_000)
})

test('a Retry-After or Location that is too long is cut', async (t) => {
  const longText = 'h'.repeat(5000)
  const { outcome } = await postToRawServer(
    t,
    plainResponse('302 Found', '', `location: ${longText}`, `retry-after: ${longText}`),
  )
  assert.equal(outcome.location, longText.slice(0, 2048))
  assert.equal(outcome.retryAfter, longText.slice(0, 64))
})

test('for a closed port, the outcome is "connect", and the error names no address', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const pair = 'shop.example.com:1' // Nothing listens on the loopback's port 1.
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set([pair]),
    lookupForTests: async () => ['127.0.0.1', '::1'],
  })
  const outcome = await publicFetch.post(`http://${pair}/`, {}, BODY)
  assert.equal(outcome.outcome, 'connect')
  assert.doesNotMatch(outcome.error ?? '', /127\.|::1/)
  assert.equal(server.connects, 0)
})

test('the name of an allowed development host is resolved by this machine', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const pair = `localhost:${server.port}`
  const publicFetch = createPublicFetch({ resolver: createStubResolver({}), allowHosts: new Set([pair]) })
  t.after(() => publicFetch.close())
  assert.equal((await publicFetch.post(`http://${pair}/`, {}, BODY)).outcome, 'delivered')
})

test('every thrown value has a short name for the log', () => {
  const failures = [Object.assign(new Error('x'), { code: 'ECONNRESET' }), new TypeError('x'), 'x', null]
  assert.deepEqual(failures.map(toCode), ['ECONNRESET', 'TypeError', 'unknown error', 'unknown error'])
})
