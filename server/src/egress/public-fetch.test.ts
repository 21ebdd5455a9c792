import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { answer, startRawServer } from '../../test/raw-server.ts'
import type { RawServer, Reply } from '../../test/raw-server.ts'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { dialDirect } from './dial.ts'
import type { Dial } from './dial.ts'
import { LEASE_SEC } from '../callbacks/lanes.ts'
import { createPublicFetch, FETCH_LIMITS } from './public-fetch.ts'
import type { FetchLimits, FetchOutcome } from './public-fetch.ts'

const BODY = Buffer.from('{"event":"payment.result"}')
const KIB_16 = 16 * 1024

/** A merchant on an allowed development host, and one POST to it. */
async function postTo(
  t: TestContext,
  reply: Reply,
  limits: Partial<FetchLimits> = {},
): Promise<{ server: RawServer; outcome: FetchOutcome }> {
  const server = await startRawServer(t, reply)
  const pair = `127.0.0.1:${server.port}`
  const resolver = createStubResolver({})
  const publicFetch = createPublicFetch({ resolver, allowHosts: new Set([pair]), limits })
  t.after(() => publicFetch.close())
  return { server, outcome: await publicFetch.post(`http://${pair}/cb?a=1`, { 'webhook-id': 'msg_1' }, BODY) }
}

test('a 2xx is delivered, with exactly the bytes given', async (t) => {
  const { server, outcome } = await postTo(t, answer('201 Created', 'thanks'))
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
    isProxyFault: false,
  })
  const request = server.requests[0] ?? ''
  assert.ok(request.startsWith('POST /cb?a=1 HTTP/1.1\r\n'))
  assert.match(request, new RegExp(`\r\nhost: 127\\.0\\.0\\.1:${server.port}\r\n`))
  assert.match(request, /\r\nwebhook-id: msg_1\r\n/)
  assert.match(request, /\r\naccept-encoding: identity\r\n/)
  assert.ok(request.endsWith(`\r\n\r\n${BODY.toString()}`))
})

test('any other status is an http_error that keeps status, body and Retry-After', async (t) => {
  for (const status of [400, 404, 409, 410, 429, 500, 503, 599]) {
    const { outcome } = await postTo(t, answer(`${status} No`, 'later', 'retry-after: 120'))
    assert.equal(outcome.outcome, 'http_error')
    assert.equal(outcome.statusCode, status)
    assert.equal(outcome.retryAfter, '120')
    assert.equal(outcome.responseBody.toString(), 'later')
  }
})

test('a redirect is a failed attempt and its location is never fetched', async (t) => {
  const spy = await startRawServer(t, answer('200 OK'))
  const places = [
    `http://127.0.0.1:${spy.port}/`,
    `https://127.0.0.1:${spy.port}/`,
    'https://169.254.169.254/',
  ]
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [...places, 'file:///etc/passwd', '/other']) {
      const { server, outcome } = await postTo(t, answer(`${status} Moved`, '', `location: ${location}`))
      assert.equal(outcome.outcome, 'redirect')
      assert.equal(outcome.statusCode, status)
      assert.equal(outcome.location, location)
      assert.equal(server.connects, 1)
    }
  }
  assert.equal(spy.connects, 0)
})

test('responses from 300 to 399 that are not redirects are an http_error', async (t) => {
  for (const status of ['300 Multiple Choices', '304 Not Modified', '305 Use Proxy', '399 Odd']) {
    const { outcome } = await postTo(t, answer(status))
    assert.deepEqual([outcome.outcome, outcome.statusCode], ['http_error', Number.parseInt(status, 10)])
  }
})

test('an endless body is cut at 16 KiB, the socket is closed, and the status counts', async (t) => {
  const block = Buffer.alloc(KIB_16, 'x')
  const { server, outcome } = await postTo(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n')
    const pour = () => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on('drain', pour)
    pour()
  })
  assert.equal(outcome.outcome, 'delivered')
  assert.deepEqual(outcome.responseBody, block)
  assert.equal(outcome.bodyEnd, 'too_long')
  await server.untilAllClosed()
})

test('a body of exactly 16 KiB is stored whole', async (t) => {
  const { outcome } = await postTo(t, answer('200 OK', 'y'.repeat(KIB_16)))
  assert.equal(outcome.responseBody.length, KIB_16)
})

test('a gzip body is never decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024))
  const { outcome } = await postTo(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  })
  assert.equal(outcome.outcome, 'delivered')
  assert.deepEqual(outcome.responseBody, bomb.subarray(0, KIB_16))
})

test('a hundred thousand headers are too_large and end the connection', async (t) => {
  const { server, outcome } = await postTo(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`)
  })
  assert.equal(outcome.outcome, 'too_large')
  assert.equal(outcome.statusCode, null)
  await server.untilAllClosed()
})

test('one endless header is too_large', async (t) => {
  const { server, outcome } = await postTo(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`)
  })
  assert.equal(outcome.outcome, 'too_large')
  await server.untilAllClosed()
})

test('a server that never responds is a timeout, and the socket is closed', async (t) => {
  const { server, outcome } = await postTo(t, () => {}, { totalTimeoutMs: 50 })
  assert.equal(outcome.outcome, 'timeout')
  assert.equal(outcome.statusCode, null)
  assert.equal(outcome.remoteIp, '127.0.0.1')
  await server.untilAllClosed()
})

/** Runs everything that is ready, without advancing the clock. */
async function settleDown(): Promise<void> {
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
  await settleDown()
  assert.equal(ended.length, 0)
  t.mock.timers.tick(1)
  await settleDown()
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
  await settleDown()
  assert.equal(ended.length, 0)
  t.mock.timers.tick(1)
  await settleDown()
  assert.deepEqual([ended[0]?.outcome, ended[0]?.error], ['connect', 'could not connect: not done in time'])
})

test('a lease is half a minute longer than the longest attempt', () => {
  assert.ok(LEASE_SEC * 1000 >= FETCH_LIMITS.totalTimeoutMs + 30_000)
})

/** One byte at a time, with gaps shorter than any timeout between chunks. */
function drip(before: string, byte: string): Reply {
  return (socket) => {
    socket.write(before)
    const timer = setInterval(() => socket.write(byte), 2)
    socket.once('close', () => clearInterval(timer))
  }
}

test('a body that drips endlessly ends at the time limit, and its 2xx counts', async (t) => {
  const reply = drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'z')
  const { server, outcome } = await postTo(t, reply, { totalTimeoutMs: 80 })
  assert.equal(outcome.outcome, 'delivered')
  assert.equal(outcome.statusCode, 200)
  assert.equal(outcome.bodyEnd, 'late')
  await server.untilAllClosed()
})

test('headers that drip endlessly are a timeout', async (t) => {
  const { server, outcome } = await postTo(t, drip('HTTP/1.1 200 OK\r\nx: ', 'z'), { totalTimeoutMs: 80 })
  assert.equal(outcome.outcome, 'timeout')
  await server.untilAllClosed()
})

test('endless interim responses are a timeout', async (t) => {
  const { outcome } = await postTo(t, drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), { totalTimeoutMs: 80 })
  assert.equal(outcome.outcome, 'timeout')
})

test('an interim response before the final one is ignored', async (t) => {
  const reply: Reply = (socket, request) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
    answer('204 No Content', '')(socket, request)
  }
  assert.equal((await postTo(t, reply)).outcome.statusCode, 204)
})

test('a body that breaks off after a 2xx head is still delivered', async (t) => {
  const { outcome } = await postTo(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'),
  )
  assert.deepEqual([outcome.outcome, outcome.statusCode, outcome.bodyEnd], ['delivered', 200, 'broken'])
  assert.equal(outcome.responseBody.toString(), 'part')
})

test('a connection reset after a 2xx head is still delivered', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'
  let client: Socket | undefined
  const server = await startRawServer(t, (socket) => {
    socket.write(head)
    // A reset discards bytes that were not read yet, so it waits until the client has read them.
    const timer = setInterval(() => client?.bytesRead === head.length && socket.resetAndDestroy(), 1)
    socket.once('close', () => clearInterval(timer))
  })
  const pair = `127.0.0.1:${server.port}`
  const dialForTests: Dial = async (...options) => {
    const dialed = await dialDirect(...options)
    client = dialed.socket
    return dialed
  }
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set([pair]),
    dialForTests,
  })
  const outcome = await publicFetch.post(`http://${pair}/`, {}, BODY)
  assert.deepEqual([outcome.outcome, outcome.statusCode], ['delivered', 200])
})

test('a connection that ends before a response is a connect fault', async (t) => {
  const reset: Reply = (socket) => socket.resetAndDestroy()
  const close: Reply = (socket) => socket.end()
  for (const reply of [reset, close]) {
    const { outcome } = await postTo(t, reply)
    assert.equal(outcome.outcome, 'connect')
    assert.equal(outcome.statusCode, null)
    assert.match(outcome.error ?? '', /^connection lost before an answer: /)
  }
})

test('a response that is not HTTP is an http_error without a status', async (t) => {
  for (const text of ['SSH-2.0-OpenSSH_9.6\r\n', '\u0000\u0001\u0002\u0003', 'HTTP/1.1 abc\r\n\r\n']) {
    const { outcome } = await postTo(t, (socket) => socket.write(text))
    assert.equal(outcome.outcome, 'http_error', text)
    assert.equal(outcome.statusCode, null)
  }
})

test('a protocol upgrade is never accepted', async (t) => {
  const { outcome } = await postTo(t, (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  })
  assert.notEqual(outcome.outcome, 'delivered')
})

test('overlong Retry-After and Location are cut', async (t) => {
  const long = 'h'.repeat(5000)
  const { outcome } = await postTo(t, answer('302 Found', '', `location: ${long}`, `retry-after: ${long}`))
  assert.equal(outcome.location, long.slice(0, 2048))
  assert.equal(outcome.retryAfter, long.slice(0, 64))
})

test('a closed port is a connect fault that names no address', async (t) => {
  const server = await startRawServer(t, answer('200 OK'))
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
