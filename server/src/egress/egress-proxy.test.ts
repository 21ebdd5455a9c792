import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { makeCertificate } from '../../test/certificates.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { createPublicFetch } from './public-fetch.ts'
import type { FetchLimits } from './public-fetch.ts'

const BODY = Buffer.from('{}')
const SHOP = makeCertificate({ names: ['shop.example.com'] })
const names = { 'shop.example.com': ['93.184.215.14'], 'six.example.com': ['2606:4700:4700::1111'] }
const resolver = createStubResolver({ ...names, 'inner.example.com': ['10.0.0.5'] })

interface TunnelRequest {
  target: string
  credentials: string | undefined
}

/** With the status 200, tunnels lead to the stub merchant. With the status 0, the proxy never responds. */
async function startProxy(t: TestContext, status: number, merchantPort = 0) {
  const requests: TunnelRequest[] = []
  const open = new Set<Socket>()
  const server = createServer()
  server.on('connect', (request, socket: Socket) => {
    requests.push({ target: request.url ?? '', credentials: request.headers['proxy-authorization'] })
    socket.on('error', () => socket.destroy())
    if (status === 0) return
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const upstream = connect(merchantPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    upstream.on('error', () => socket.destroy())
    upstream.pipe(socket).pipe(upstream)
  })
  server.on('connection', (socket) => open.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { requests, port: (server.address() as AddressInfo).port }
}

function createFetchThrough(t: TestContext, proxy: string, limits: Partial<FetchLimits> = {}) {
  const egressProxy = new URL(proxy)
  const publicFetch = createPublicFetch({
    resolver,
    allowHosts: new Set(),
    egressProxy,
    limits,
    privateCa: SHOP.cert,
  })
  t.after(() => publicFetch.close())
  return publicFetch
}

test('the proxy gets the checked address, and the certificate is verified for the host name', async (t) => {
  const merchant = await startRawServer(t, plainResponse('200 OK'), SHOP)
  const proxy = await startProxy(t, 200, merchant.port)
  const publicFetch = createFetchThrough(t, `http://me:p%40ss@127.0.0.1:${proxy.port}`)
  const outcome = await publicFetch.post('https://shop.example.com/cb', {}, BODY)
  assert.deepEqual([outcome.outcome, outcome.remoteIp, outcome.error], ['delivered', '93.184.215.14', null])
  const credentials = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  assert.deepEqual(proxy.requests, [{ target: '93.184.215.14:443', credentials }])
  const wrongName = await publicFetch.post('https://six.example.com:8443/cb', {}, BODY)
  assert.equal(wrongName.outcome, 'tls')
  assert.equal(proxy.requests[1]?.target, '[2606:4700:4700::1111]:8443')
})

test('a private address is refused before the proxy is contacted', async (t) => {
  const proxy = await startProxy(t, 200)
  const publicFetch = createFetchThrough(t, `http://127.0.0.1:${proxy.port}`)
  assert.equal((await publicFetch.post('https://inner.example.com/', {}, BODY)).outcome, 'blocked_address')
  assert.deepEqual(proxy.requests, [])
})

test('a 403, 407 or 503 of the proxy is a proxy fault; a 502 or 504 means that the merchant could not be reached', async (t) => {
  const cases = [
    [403, true],
    [407, true],
    [503, true],
    [502, false],
    [504, false],
  ] as const
  for (const [status, isEgressFault] of cases) {
    const proxy = await startProxy(t, status)
    const publicFetch = createFetchThrough(t, `http://127.0.0.1:${proxy.port}`)
    const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
    assert.deepEqual([outcome.outcome, outcome.isEgressFault], ['connect', isEgressFault], String(status))
  }
})

test('a proxy that is down or closes the connection counts as a proxy fault', async (t) => {
  const closingServer = await startRawServer(t, (socket) => socket.destroy())
  // Nothing listens on port 1.
  for (const port of [1, closingServer.port]) {
    const publicFetch = createFetchThrough(t, `http://127.0.0.1:${port}`)
    const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
    assert.deepEqual([outcome.outcome, outcome.isEgressFault], ['connect', true])
  }
})

test('if the proxy never responds, the attempt ends at the connect timeout, and this does not count as a proxy fault', async (t) => {
  const proxy = await startProxy(t, 0)
  const publicFetch = createFetchThrough(t, `http://127.0.0.1:${proxy.port}`, { connectTimeoutMs: 100 })
  const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
  assert.deepEqual([outcome.outcome, outcome.error], ['connect', 'could not connect: not done in time'])
  assert.equal(outcome.isEgressFault, false)
})

test('if the connection to the proxy is not made in time, this counts as a proxy fault', async (t) => {
  const silent = await startRawServer(t, () => undefined)
  const publicFetch = createFetchThrough(t, `https://127.0.0.1:${silent.port}`, { connectTimeoutMs: 100 })
  const { outcome, error, isEgressFault } = await publicFetch.post('https://shop.example.com/', {}, BODY)
  assert.deepEqual([outcome, isEgressFault], ['connect', true])
  assert.equal(error, 'the egress proxy failed: not connected in time')
})

test('a password without a user is sent to the proxy too', async (t) => {
  const proxy = await startProxy(t, 503)
  await createFetchThrough(t, `http://:p%40ss@127.0.0.1:${proxy.port}`).post(
    'https://shop.example.com/',
    {},
    BODY,
  )
  const credentials = `Basic ${Buffer.from(':p@ss').toString('base64')}`
  assert.deepEqual(
    proxy.requests.map((request) => request.credentials),
    [credentials],
  )
})

test('a proxy with https gets its credentials over TLS only', async (t) => {
  const server = createTcpServer()
  const connected = once(server, 'connection') as Promise<[Socket]>
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const publicFetch = createFetchThrough(t, `https://me:secret@127.0.0.1:${port}`)
  const posting = publicFetch.post('https://shop.example.com/', {}, BODY)
  const [socket] = await connected
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  assert.equal(bytes[0], 0x16, 'the first byte begins a TLS handshake')
  assert.doesNotMatch(bytes.toString('latin1'), /proxy-authorization/i)
  assert.equal((await posting).isEgressFault, true)
})

test('the connection to a proxy that refuses the tunnel is closed', async (t) => {
  const proxy = await startRawServer(t, (socket) => socket.write('HTTP/1.1 407 No\r\n\r\n'))
  const publicFetch = createFetchThrough(t, `http://127.0.0.1:${proxy.port}`)
  assert.equal((await publicFetch.post('https://shop.example.com/', {}, BODY)).isEgressFault, true)
  await proxy.untilAllClosed()
})
