import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, mock, test } from 'node:test'
import { postLocally } from './local-post.ts'

const BODY = '{"customId":"narudžba-7"}'
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Pazar-Callback/1',
  'webhook-id': 'msg_1',
}

async function serve(listener: RequestListener, port = 0): Promise<string> {
  const server = createServer(listener).listen(port, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?a=b`
}

function post(url: string, signal = new AbortController().signal) {
  return postLocally({ url, headers: HEADERS, body: BODY }, signal)
}

test('the merchant’s program gets the callback with its body and headers unchanged', async () => {
  const received: { request: IncomingMessage; body: string }[] = []
  const url = await serve((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      received.push({ request, body })
      response.writeHead(201).end('ok')
    })
  })
  const answer = await post(url)
  assert.deepEqual({ ...answer, durationMs: 0 }, { statusCode: 201, durationMs: 0, error: null, text: 'ok' })
  const [{ request, body } = assert.fail('the server received no request')] = received
  assert.deepEqual([request.method, request.url, body], ['POST', '/callback?a=b', BODY])
  const { host: _host, connection: _connection, ...headers } = request.headers
  assert.deepEqual(headers, {
    ...HEADERS,
    'accept-encoding': 'identity',
    'content-length': String(Buffer.byteLength(BODY)),
  })
})

// The tool sends this text to the service in JSON. In JSON a control character takes six characters, and a space takes
// one.
test('control characters in a response become spaces, except line breaks and tabs', async () => {
  const url = await serve((_request, response) => response.end(`a\u0000b\u001b\n${'\u0001'.repeat(2_000)}`))
  assert.equal((await post(url)).text, `a b \n${' '.repeat(995)}`)
})

test('a redirect is not followed', async () => {
  const requestUrls: (string | undefined)[] = []
  const url = await serve((request, response) => {
    requestUrls.push(request.url)
    if (requestUrls.length === 1) response.writeHead(307, { location: '/elsewhere' })
    response.end()
  })
  assert.equal((await post(url)).statusCode, 307)
  assert.deepEqual(requestUrls, ['/callback?a=b'])
})

test('a response with status 200 is accepted even if its body breaks off', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  })
  const { statusCode, error } = await post(url)
  assert.deepEqual({ statusCode, error }, { statusCode: 200, error: null })
})

test('if a body never ends, the connection is closed once more than 1,000 characters have arrived', async () => {
  const closed = Promise.withResolvers<void>()
  const url = await serve((_request, response) => {
    response.once('close', () => closed.resolve())
    response.writeHead(500).write('x'.repeat(2_000))
  })
  const { statusCode, text } = await post(url)
  assert.deepEqual([statusCode, text.length], [500, 1_000])
  await closed.promise
})

test('only the start of a long body is returned', async () => {
  const url = await serve((_request, response) => response.writeHead(500).end('č'.repeat(100_000)))
  const { statusCode, text } = await post(url)
  assert.deepEqual([statusCode, text], [500, 'č'.repeat(1_000)])
})

// The tool sends all responses of an exam to the service in one JSON text. The service would refuse the whole text if it
// contained half of a surrogate pair.
test('if a response is cut inside an emoji, the half that remains becomes U+FFFD', async () => {
  const url = await serve((_request, response) => response.end(`x${'😀'.repeat(1_000)}`))
  assert.equal((await post(url)).text, `x${'😀'.repeat(499)}\uFFFD`)
})

/** Some of the unprivileged ports that fetch refuses. */
const PORTS_REFUSED_BY_FETCH = [6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 5060, 5061, 4190]

async function serveOnRefusedPort(listener: RequestListener): Promise<string> {
  for (const port of PORTS_REFUSED_BY_FETCH) {
    try {
      return await serve(listener, port)
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EADDRINUSE')
    }
  }
  assert.fail('something listens on each of these ports')
}

test('the merchant’s program may listen on a port that fetch refuses', async () => {
  const url = await serveOnRefusedPort((_request, response) => response.end('ok'))
  await assert.rejects(fetch(url), /fetch failed/)
  assert.equal((await post(url)).statusCode, 200)
})

test('the error is "connect" if the connection is refused, or cut before the response', async () => {
  const url = await serve((_request, response) => response.destroy())
  assert.deepEqual({ ...(await post(url)), durationMs: 0 }, NO_CONNECTION)
  const closed = await post('http://127.0.0.1:1/')
  assert.deepEqual({ ...closed, durationMs: 0 }, NO_CONNECTION)
})
const NO_CONNECTION = { statusCode: null, durationMs: 0, error: 'connect', text: '' }

/** `advance` moves the clock, and returns whether the post has ended. */
async function startHangingPost(listener: RequestListener) {
  const requestRead = Promise.withResolvers<void>()
  const url = await serve((request, response) => {
    listener(request, response)
    request.resume().on('end', () => requestRead.resolve())
  })
  mock.timers.enable({ apis: ['setTimeout'] })
  let isDone = false
  const answer = post(url).finally(() => (isDone = true))
  await requestRead.promise
  const advance = async (ms: number) => {
    mock.timers.tick(ms)
    for (let n = 0; n < 1_000 && !isDone; n += 1) await new Promise((resolve) => setImmediate(resolve))
    return isDone
  }
  return { answer, advance }
}

test('a server that does not respond times out after 15 seconds', async (t) => {
  t.after(() => mock.timers.reset())
  const { answer, advance } = await startHangingPost(() => undefined)
  assert.equal(await advance(14_999), false)
  assert.equal(await advance(1), true)
  const { statusCode, error } = await answer
  assert.deepEqual({ statusCode, error }, { statusCode: null, error: 'timeout' })
})

test('a response with status 200 is accepted even if its body never ends', async (t) => {
  t.after(() => mock.timers.reset())
  const { answer, advance } = await startHangingPost((_request, response) =>
    response.writeHead(200).write('so far'),
  )
  assert.equal(await advance(14_999), false)
  assert.equal(await advance(1), true)
  const { statusCode, error, text } = await answer
  assert.deepEqual({ statusCode, error, text }, { statusCode: 200, error: null, text: 'so far' })
})

test('Ctrl+C ends the wait for a response', async () => {
  const stopping = new AbortController()
  const url = await serve(() => stopping.abort())
  await assert.rejects(post(url, stopping.signal), { name: 'AbortError' })
})
