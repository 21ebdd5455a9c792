import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import type { RawServer, Reply } from '../../test/raw-server.ts'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { until } from '../../test/until.ts'
import { createConnectionPool } from './connection-pool.ts'
import type { Connection } from './connection-pool.ts'
import { exchange } from './exchange.ts'
import { createPublicFetch, FETCH_LIMITS } from './public-fetch.ts'
import type { FetchLimits } from './public-fetch.ts'

const BODY = Buffer.from('{}')

/** This is longer than any test takes. */
const IDLE_FOR_EVER_MS = 600_000

function createFetchTo(t: TestContext, servers: RawServer[], limits: Partial<FetchLimits> = {}) {
  const clock = { ms: 0, nowMs: () => clock.ms }
  const pairs = servers.map((server) => `127.0.0.1:${server.port}`)
  const resolver = createStubResolver({})
  const publicFetch = createPublicFetch({
    resolver,
    allowHosts: new Set(pairs),
    limits: { idleTimeoutMs: IDLE_FOR_EVER_MS, ...limits },
    clock,
  })
  t.after(() => publicFetch.close())
  const post = async (server: RawServer) => {
    const outcome = await publicFetch.post(`http://127.0.0.1:${server.port}/`, {}, BODY)
    return outcome.outcome
  }
  return { publicFetch, clock, post }
}

test('callbacks to one origin share a connection, and callbacks to another origin do not use that connection', async (t) => {
  const one = await startRawServer(t, plainResponse('200 OK'))
  const two = await startRawServer(t, plainResponse('500 Oops'))
  const { post } = createFetchTo(t, [one, two])
  for (let i = 0; i < 3; i++) {
    assert.equal(await post(one), 'delivered')
    assert.equal(await post(two), 'http_error')
  }
  assert.deepEqual([one.connects, one.requests.length], [1, 3])
  assert.deepEqual([two.connects, two.requests.length], [1, 3])
})

test('callbacks that are sent at the same time have their own connections and do not wait for each other', async (t) => {
  const waiting: (() => void)[] = []
  // No response is sent before all requests have arrived, so with a shared connection this test would never end.
  const server = await startRawServer(t, (socket, request) => {
    waiting.push(() => plainResponse('200 OK')(socket, request))
    if (waiting.length === 8) for (const respond of waiting) respond()
  })
  const { post } = createFetchTo(t, [server])
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => post(server)))
  assert.deepEqual(outcomes, Array(8).fill('delivered'))
  assert.equal(server.connects, 8)
})

test('idle connections above the limit are closed', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const { post } = createFetchTo(t, [server], { idlePerOriginMax: 0 })
  await post(server)
  await server.untilAllClosed()
  await post(server)
  assert.equal(server.connects, 2)
})

test('a connection that has reached the maximum age is closed after its request', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const { post, clock } = createFetchTo(t, [server], { connectionAgeMsMax: 1000 })
  await post(server)
  clock.ms = 999
  await post(server)
  clock.ms = 1000
  await post(server)
  assert.equal(server.connects, 1)
  await server.untilAllClosed()
  await post(server)
  assert.equal(server.connects, 2)
})

test('an idle connection is closed after its timeout', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK', 'ok', 'keep-alive: timeout=600'))
  const { post } = createFetchTo(t, [server], { idleTimeoutMs: 20 })
  await post(server)
  await server.untilAllClosed()
  assert.equal(await post(server), 'delivered')
  assert.equal(server.connects, 2)
})

test('no callback is lost when the merchant closes an idle connection', async (t) => {
  const closeAfter: Reply = (socket, request) => {
    plainResponse('200 OK')(socket, request)
    socket.end()
  }
  const server = await startRawServer(t, closeAfter)
  const { post } = createFetchTo(t, [server])
  for (let i = 0; i < 5; i++) {
    assert.equal(await post(server), 'delivered')
    await server.untilAllClosed()
  }
  assert.deepEqual([server.connects, server.requests.length], [5, 5])
})

test('a connection is not reused if its response was too long to be read to the end', async (t) => {
  // The body is longer than the part that is read.
  const server = await startRawServer(t, plainResponse('200 OK', 'x'.repeat(20_000)))
  const { post } = createFetchTo(t, [server])
  await post(server)
  await post(server)
  assert.equal(server.connects, 2)
})

test('closing the pool closes idle connections, and none is reused afterwards', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const { post, publicFetch } = createFetchTo(t, [server])
  await post(server)
  await publicFetch.close()
  await server.untilAllClosed()
  assert.equal(await post(server), 'delivered')
  await server.untilAllClosed()
})

test('the pool keeps as many idle connections as allowed, and no more', async (t) => {
  const waiting: (() => void)[] = []
  const server = await startRawServer(t, (socket, request) => {
    waiting.push(() => plainResponse('200 OK')(socket, request))
    if (waiting.length % 3 === 0) for (const respond of waiting.splice(0)) respond()
  })
  const { post } = createFetchTo(t, [server], { idlePerOriginMax: 2 })
  const sendThree = () => Promise.all([post(server), post(server), post(server)])
  await sendThree()
  assert.equal(server.connects, 3)
  await sendThree()
  assert.equal(server.connects, 4)
})

test('a connection is reused only for its own origin, and not if it failed or was never made', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const pool = createConnectionPool({ ...FETCH_LIMITS, idlePerOriginMax: 2 }, () => 0)
  t.after(() => pool.close())
  const [first, second] = [new AbortController(), new AbortController()]
  let dialed = 0
  const open = async () => {
    dialed += 1
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    return { socket, remoteIp: `127.0.0.${dialed}` }
  }
  const origin = `http://127.0.0.1:${server.port}`
  const request = { path: '/', headers: {}, body: BODY, sendByMs: Infinity }
  const one = pool.take(origin, first.signal, open)
  await exchange(one.client, request, first.signal, 100)
  assert.deepEqual([one.remoteIp, one.isOpen, dialed], ['127.0.0.1', true, 1])
  pool.giveBack(one, true)
  const takenAgain = pool.take(origin, second.signal, open)
  assert.equal(takenAgain, one)
  assert.equal(
    takenAgain.attempt,
    second.signal,
    'aborting the attempt that uses the connection also aborts a reconnect',
  )
  const other = pool.take('http://127.0.0.2', second.signal, open)
  assert.notEqual(other, one)
  pool.giveBack(takenAgain, false)
  assert.equal(takenAgain.client.destroyed, true)
  assert.notEqual(pool.take(origin, second.signal, open), takenAgain)
  // This connection was never made, so there is nothing to reuse.
  pool.giveBack(other, true)
  assert.equal(other.client.destroyed, true)
})

async function createPoolTo(t: TestContext) {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const pool = createConnectionPool({ ...FETCH_LIMITS, idleTimeoutMs: IDLE_FOR_EVER_MS }, () => state.nowMs)
  t.after(() => pool.close())
  const { signal } = new AbortController()
  const sockets: Socket[] = []
  const state = { isDown: false, nowMs: 0 }
  const open = async () => {
    if (state.isDown) throw new Error('down')
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    sockets.push(socket)
    return { socket, remoteIp: '127.0.0.1' }
  }
  const take = () => pool.take(`http://127.0.0.1:${server.port}`, signal, open)
  const send = (connection: Connection, attempt = signal) =>
    exchange(connection.client, { path: '/', headers: {}, body: BODY, sendByMs: Infinity }, attempt, 100)
  return { pool, sockets, state, take, send }
}

test('an idle connection that the merchant closes leaves the pool, and the others stay', async (t) => {
  const { pool, sockets, take, send } = await createPoolTo(t)
  const [one, two] = [take(), take()]
  await send(one)
  await send(two)
  for (const connection of [one, two]) pool.giveBack(connection, true)
  sockets[1]!.destroy()
  await until(() => two.client.destroyed)
  assert.deepEqual([one.isOpen, two.isOpen], [true, false])
  assert.equal(take(), one)
})

test('a connection that was idle for too long while this process was paused is not reused', async (t) => {
  const { pool, state, take, send } = await createPoolTo(t)
  const connection = take()
  await send(connection)
  pool.giveBack(connection, true)
  state.nowMs = IDLE_FOR_EVER_MS
  assert.notEqual(take(), connection)
  assert.equal(connection.client.destroyed, true)
})

test('a connection that was closed before it is given back is not reused', async (t) => {
  const { pool, sockets, take, send } = await createPoolTo(t)
  const connection = take()
  await send(connection)
  sockets[0]!.destroy()
  await until(() => !connection.isOpen)
  pool.giveBack(connection, true)
  assert.equal(connection.client.destroyed, true)
  assert.notEqual(take(), connection)
})

test('a connection that fails to reconnect has no address, so that no address is logged', async (t) => {
  const { sockets, state, take, send } = await createPoolTo(t)
  const connection = take()
  await send(connection)
  assert.equal(connection.remoteIp, '127.0.0.1')
  sockets[0]!.destroy()
  await until(() => !connection.isOpen)
  state.isDown = true
  await assert.rejects(send(connection), { message: 'down' })
  assert.equal(connection.remoteIp, null)
})

test('if an attempt has already ended, its request fails', async (t) => {
  const { take, send } = await createPoolTo(t)
  const reason = new Error('the time is up')
  await assert.rejects(send(take(), AbortSignal.abort(reason)), reason)
})
