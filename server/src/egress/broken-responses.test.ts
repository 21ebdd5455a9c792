// Tests responses that never end, break off or are not HTTP.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import type { Reply } from '../../test/raw-server.ts'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { dialDirect } from './dial.ts'
import type { Dial } from './dial.ts'
import { createPublicFetch } from './public-fetch.ts'
import { BODY, postToRawServer } from '../../test/post-to-raw-server.ts'

/** Sends `byte` again and again. Each pause is shorter than any limit for the time between two chunks. */
function sendSlowly(head: string, byte: string): Reply {
  return (socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(byte), 2)
    socket.once('close', () => clearInterval(timer))
  }
}

test('an endless body that is sent byte by byte is cut at the time limit, and the 2xx status still counts', async (t) => {
  const reply = sendSlowly('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'z')
  // The limit is long enough for the head to arrive in time on a busy machine.
  const { server, outcome } = await postToRawServer(t, reply, { totalTimeoutMs: 1_000 })
  assert.equal(outcome.outcome, 'delivered')
  assert.equal(outcome.statusCode, 200)
  assert.equal(outcome.bodyEnd, 'late')
  await server.untilAllClosed()
})

test('endless headers that are sent byte by byte end in a timeout', async (t) => {
  const { server, outcome } = await postToRawServer(t, sendSlowly('HTTP/1.1 200 OK\r\nx: ', 'z'), {
    totalTimeoutMs: 80,
  })
  assert.equal(outcome.outcome, 'timeout')
  await server.untilAllClosed()
})

test('endless interim responses end in a timeout', async (t) => {
  const { outcome } = await postToRawServer(t, sendSlowly('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), {
    totalTimeoutMs: 80,
  })
  assert.equal(outcome.outcome, 'timeout')
})

test('an interim response before the final one is ignored', async (t) => {
  const reply: Reply = (socket, request) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
    plainResponse('204 No Content', '')(socket, request)
  }
  assert.equal((await postToRawServer(t, reply)).outcome.statusCode, 204)
})

test('a "100 Continue" that was not requested is ignored, on a new and on a reused connection', async (t) => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
  const body = `text${CONTINUE}`
  const final = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const server = await startRawServer(t, (socket) => {
    socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${CONTINUE}`)
    setTimeout(() => socket.write(CONTINUE + final), 20)
  })
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set([`127.0.0.1:${server.port}`]),
  })
  t.after(() => publicFetch.close())
  for (const path of ['/new', '/reused']) {
    const outcome = await publicFetch.post(`http://127.0.0.1:${server.port}${path}`, {}, BODY)
    assert.deepEqual([outcome.outcome, outcome.statusCode], ['delivered', 200])
    assert.equal(outcome.responseBody.toString(), body)
  }
  assert.equal(server.connects, 1)
})

test('a callback whose response body breaks off after a 2xx head still counts as delivered', async (t) => {
  const { outcome } = await postToRawServer(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'),
  )
  assert.deepEqual([outcome.outcome, outcome.statusCode, outcome.bodyEnd], ['delivered', 200, 'broken'])
  assert.equal(outcome.responseBody.toString(), 'part')
})

test('a callback whose connection is reset after a 2xx head still counts as delivered', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'
  let client: Socket | undefined
  const server = await startRawServer(t, (socket) => {
    socket.write(head)
    // A reset discards bytes that the client has not read yet, so the server waits until they are read.
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

test('if a connection ends before a response, the outcome is "connect"', async (t) => {
  const reset: Reply = (socket) => socket.resetAndDestroy()
  const close: Reply = (socket) => socket.end()
  for (const reply of [reset, close]) {
    const { outcome } = await postToRawServer(t, reply)
    assert.equal(outcome.outcome, 'connect')
    assert.equal(outcome.statusCode, null)
    assert.match(outcome.error ?? '', /^connection lost before an answer: /)
  }
})

test('a response that is not HTTP is an http_error without a status', async (t) => {
  const texts = ['SSH-2.0-OpenSSH_9.6\r\n', '\u0000\u0001\u0002\u0003', 'HTTP/1.1 abc\r\n\r\n']
  for (const second of ['Content-Length: 2', 'Transfer-Encoding: chunked'])
    texts.push(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${second}\r\n\r\nok`)
  for (const text of texts) {
    const { outcome } = await postToRawServer(t, (socket) => socket.write(text))
    const facts = [outcome.outcome, outcome.statusCode, outcome.error]
    assert.deepEqual(facts, ['http_error', null, 'the answer is not valid HTTP'], text)
  }
})

test('a protocol upgrade does not count as delivered', async (t) => {
  const { outcome } = await postToRawServer(t, (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  })
  assert.notEqual(outcome.outcome, 'delivered')
})
