// These tests open real sockets from several loopback addresses. Each address plays the part of one machine.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import { createLogger } from '../lib/logger.ts'
import { CONNECTIONS_PER_ADDRESS_MAX, limitConnections } from './connection-limit.ts'

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

function createConnector(t: TestContext, port: number) {
  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  return async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    // Refused connections are expected here.
    socket.on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
}

async function readStatus(socket: Socket): Promise<string> {
  const response = new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(9, 12)))
    socket.once('close', () => resolve('closed'))
  })
  if (!socket.destroyed) socket.write(REQUEST)
  else return 'closed'
  return response
}

async function startServer(t: TestContext, max: number) {
  const logs: string[] = []
  const server = createServer((_req, res) => res.end('ok'))
  limitConnections(server, createLogger('warn', { out: { write: (line) => logs.push(line) } }), max)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return { logs, connect: createConnector(t, (server.address() as AddressInfo).port) }
}

test('an IP address at the limit gets no more connections, but other IP addresses do', async (t) => {
  const { connect, logs } = await startServer(t, 3)
  for (let n = 0; n < 3; n += 1) assert.equal(await readStatus(await connect('127.0.0.1')), '200')
  for (let n = 0; n < 3; n += 1) assert.equal(await readStatus(await connect('127.0.0.1')), 'closed')
  assert.equal(await readStatus(await connect('127.0.0.2')), '200')
  assert.equal(logs.length, 1)
  assert.match(logs[0]!, /127\.0\.0\.1.*TRUST_PROXY/)
})

for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
  test(`after a connection has ended with "${end}", an IP address at the limit can open another connection`, async (t) => {
    const { connect } = await startServer(t, 1)
    const first = await connect('127.0.0.1')
    assert.equal(await readStatus(first), '200')
    assert.equal(await readStatus(await connect('127.0.0.1')), 'closed')
    first[end]()
    await until(
      async () => (await readStatus(await connect('127.0.0.1'))) === '200',
      'a connection is accepted again',
    )
    assert.equal(await readStatus(await connect('127.0.0.1')), 'closed')
  })
}

const service = await startTestService()

async function openConnections(t: TestContext, env: Record<string, string>, count: number) {
  const { app } = await service.replica(env)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const connect = createConnector(t, (app.server.address() as AddressInfo).port)
  for (let n = 0; n < count; n += 1) await connect('127.0.0.1')
  return connect
}

test('when clients connect directly, the service limits the connections per IP address', async (t) => {
  const connect = await openConnections(t, {}, CONNECTIONS_PER_ADDRESS_MAX)
  assert.equal(await readStatus(await connect('127.0.0.1')), 'closed')
  assert.equal(await readStatus(await connect('127.0.0.2')), '200')
})

test("behind a proxy, the service does not limit the connections per IP address, because all clients share the proxy's address", async (t) => {
  const connect = await openConnections(t, { TRUST_PROXY: '1' }, CONNECTIONS_PER_ADDRESS_MAX)
  assert.equal(await readStatus(await connect('127.0.0.1')), '200')
})
