// Sends requests that no client library would send, over raw sockets to a listening service.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { countRounds } from './counts.ts'
import { startTestService } from './harness.ts'
import { until } from './until.ts'

const service = await startTestService()
await service.app.listen({ port: 0, host: '127.0.0.1' })
const address = service.app.server.address()
const port = typeof address === 'object' && address ? address.port : 0

const openSockets = new Set<Socket>()
after(() => {
  for (const socket of openSockets) socket.destroy()
})

async function openSocket(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  openSockets.add(socket)
  // The service may refuse or close a connection.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function send(text: string | Buffer): Promise<string> {
  const socket = await openSocket()
  let response = ''
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1')
      if (/\r\n\r\n/.test(response)) resolve()
    })
    socket.once('close', () => resolve())
  })
  socket.write(text)
  await Promise.race([done, sleep(30_000, undefined, { ref: false })])
  socket.destroy()
  openSockets.delete(socket)
  return response.split('\r\n')[0] ?? ''
}

const JSON_POST = 'POST /portal/api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

const REFUSED: [what: string, request: string | Buffer, status: RegExp][] = [
  [
    'two Content-Length headers',
    `${JSON_POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    /^HTTP\/1.1 400/,
  ],
  [
    'both Content-Length and chunked encoding',
    `${JSON_POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /^HTTP\/1.1 400/,
  ],
  ['a broken chunk', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`, /^HTTP\/1.1 400/],
  ['a Content-Length that is not a number', `${JSON_POST}Content-Length: 2x\r\n\r\n{}`, /^HTTP\/1.1 400/],
  [
    '17 KiB of headers',
    `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(17 * 1024)}\r\n\r\n`,
    /^HTTP\/1.1 413/,
  ],
  ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n', /^HTTP\/1.1 400/],
  ['1 MB of JSON', `${JSON_POST}Content-Length: 1048576\r\n\r\n${'a'.repeat(1_048_576)}`, /^HTTP\/1.1 413/],
  [
    'a body with a content encoding',
    `${JSON_POST}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
    /^HTTP\/1.1 (400|415)/,
  ],
  ['the method QUERY and no content type', 'QUERY /pay HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1.1 400/],
]

for (const [caseName, request, status] of REFUSED) {
  test(`a request with ${caseName} is refused and the service keeps running`, async () => {
    assert.match(await send(request), status)
    assert.match(await send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'), /^HTTP\/1.1 200/)
  })
}

interface LogLine {
  level: string
  msg: string
  why?: string
  status?: number
}
const FAULTS = new Set(['warn', 'error', 'fatal'])

const ABORTED_UPLOADS: [what: string, request: string][] = [
  ['with Content-Length', `${JSON_POST}Content-Length: 2000\r\n\r\n{"email":`],
  ['with chunked encoding', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ema\r\n`],
  [
    'of a payer’s form',
    'POST /pay HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\ntoken=',
  ],
]

for (const [caseName, request] of ABORTED_UPLOADS) {
  for (const method of ['destroy', 'resetAndDestroy'] as const) {
    test(`if the client breaks off an upload ${caseName} (${method}), no error of the service is logged`, async () => {
      service.logs.length = 0
      const socket = await openSocket()
      const arrived = once(service.app.server, 'request')
      socket.write(request)
      await arrived
      socket[method]()
      const lines = () => service.logs.map((line) => JSON.parse(line) as LogLine)
      await until(() => lines().some((line) => line.msg === 'refused' || line.msg === 'request failed'))
      assert.deepEqual(
        lines().filter(({ level, status = 0 }) => FAULTS.has(level) || status >= 500),
        [],
      )
      assert.equal(
        lines().find((line) => line.msg === 'refused')?.why,
        'the client disconnected before the request was complete',
      )
      assert.doesNotMatch(await service.deps.metrics.text(), /status="500"\} [1-9]/)
    })
  }
}

test('while many sockets send their headers slowly, other requests are served', async (t) => {
  const slowSockets = countRounds('slowSockets', t)
  for (let n = 0; n < slowSockets; n += 1) {
    // Each client address opens fewer sockets than the service allows per address, so that the requests below can connect too.
    const socket = await openSocket(`127.0.0.${1 + Math.floor(n / 400)}`)
    socket.write('GET /pay HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  }
  for (let n = 0; n < 20; n += 1) {
    assert.match(await send('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'), /^HTTP\/1.1 200/)
    for (const socket of openSockets) socket.write('a')
  }
})

test('the service closes a socket that never finishes its headers', async () => {
  const socket = await openSocket()
  socket.write('GET /pay HTTP/1.1\r\nHost: x\r\n')
  socket.resume()
  await once(socket, 'close')
})

test('a client that does not read its responses is disconnected', async (t) => {
  const { server } = service.app
  const configuredMs = server.timeout
  assert.equal(configuredMs, 120_000)
  t.after(() => (server.timeout = configuredMs))
  server.timeout = 500
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const socket = await openSocket()
  const [connection] = await accepted
  // Together, the responses to these requests are larger than the buffers of the operating system.
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(400))
  await once(connection, 'close')
  assert.ok(connection.bytesWritten > 100_000)
})
