// `listen` with a real service and a local merchant server.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { verifyCallback } from '@pazar/sdk'
import { startDeliveryWorker } from '../../server/src/callbacks/worker-loop.ts'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { rows } from '../../server/test/accounts.ts'
import { makeToken } from '../../server/test/api-tokens.ts'
import { accept, respondWith, startMerchant } from '../../server/test/merchant.ts'
import { Payer } from '../../server/test/payer.ts'
import { until } from '../../server/test/until.ts'
import { startCli, startCliWorld } from '../test/cli-world.ts'
import type { RunningCli } from '../test/cli-world.ts'

const shop = await startMerchant()
const liveShop = await startMerchant()
after(() => Promise.all([shop.close(), liveShop.close()]))
const world = await startCliWorld({ CALLBACK_ALLOW_HOSTS: liveShop.hostAndPort }, { apiUrl: liveShop.url })
const { call, env, projectId, service } = world
const secret = await readSecret(service.deps, service.deps.db, projectId, 'test')

beforeEach(() => Object.assign(shop, { reply: accept, received: [] }))

async function startListening(
  more: readonly string[] = [],
  settings: Record<string, string> = {},
): Promise<RunningCli> {
  const listening = startCli(['listen', '--forward-to', shop.url, ...more], { ...env, ...settings })
  await until(() => /Test callbacks of|"ready"/.test(listening.err() + listening.out()), 'it listens')
  return listening
}

async function stop(listening: RunningCli): Promise<void> {
  listening.child.kill('SIGINT')
  assert.equal((await listening.ended).code, 130)
}

test('a triggered callback reaches the local server, and its response is reported', async () => {
  const listening = await startListening()
  assert.match(
    listening.err(),
    new RegExp(`^Connecting…\nTest callbacks of .+ go to ${shop.url}\\. Press Ctrl\\+C to stop\\.\n$`),
  )
  const result = await call(['trigger', 'success', '--amount', '1500', '--custom-id', 'order-123'])
  assert.match(result.out, /^msg_[0-9a-f]{32} was forwarded to the CLI\.$/)
  const [received] = await until(() => shop.received.length > 0 && shop.received)
  const { raw, headers } = received!
  const callback = await verifyCallback(raw, headers, {
    secret,
    projectId,
    mode: 'test',
    expectedAmount: '1500',
  })
  assert.equal(callback.customId, 'order-123')
  await until(() => listening.out() !== '')
  assert.match(listening.out(), /^\d\d:\d\d:\d\d {2}→ payment\.result {2}order-123 {2}\[200\] \d+ ms\n$/)
  const report = await until(() => findReport(headers))
  assert.equal(report.reported_status, 200)
  await stop(listening)
  assert.equal(shop.received.length, 1)
})

async function findReport(headers: NodeJS.Dict<string | string[]>) {
  const [report = null] = await rows<{ reported_status: number }>(
    service.deps.db,
    'select reported_status from callback_attempts where callback_id = $1 and reported_at is not null',
    [headers['webhook-id']],
  )
  return report
}

// The test adds a second project. If the CLI listed the projects again for each report, it would find two and could not
// choose one.
test('a listener without a chosen project finds its project only once', async (t) => {
  const listening = await startListening([], { PAZAR_PROJECT_ID: '' })
  const { id } = await world.owner.addProject({})
  t.after(() => world.owner.post(`/portal/api/projects/${id}/archive`))
  await call(['trigger', 'success'])
  const [received] = await until(() => shop.received.length > 0 && shop.received)
  await until(() => findReport(received!.headers), 'the response is reported')
  await stop(listening)
})

test('error responses and broken connections are shown', async () => {
  const listening = await startListening()
  shop.reply = respondWith(400, 'bad_signature: \u001B[2Jthe secret is another')
  await call(['trigger', 'success', '--custom-id', 'order-1'])
  await until(() => listening.err().includes('bad_signature'))
  assert.match(listening.out(), /order-1 {2}\[400\] \d+ ms/)
  assert.equal(listening.err().includes('\u001B'), false)
  shop.reply = (answer) => answer.destroy()
  await call(['trigger', 'fail', '--custom-id', 'order-2'])
  await until(() => /order-2 {2}\[no connection\]/.test(listening.out()))
  const reasons = 'no server is listening there, or it closed the connection'
  await until(() => listening.err().includes(`${shop.url} did not respond: ${reasons}. Start your server`))
  await stop(listening)
})

test('a callback is forwarded while an earlier callback still has no response', async () => {
  const listening = await startListening()
  const pendingResponses: (() => void)[] = []
  shop.reply = (answer, callback) => void pendingResponses.push(() => accept(answer, callback))
  await call(['trigger', 'success', '--custom-id', 'order-1'])
  await call(['trigger', 'success', '--custom-id', 'order-2'])
  await until(() => pendingResponses.length === 2)
  for (const respond of pendingResponses) respond()
  await until(() => /order-1 {2}\[200\]/.test(listening.out()) && /order-2 {2}\[200\]/.test(listening.out()))
  await stop(listening)
})

test('live callbacks are shown but not forwarded', async () => {
  const worker = startDeliveryWorker(service.deps)
  const listening = await startListening(['--json'])
  try {
    const url = new URL((await call(['link', '--amount', '1500', '--custom-id', 'live-1'])).out)
    await new Payer(service.app).pay(url.pathname + url.search)
    await until(() => listening.out().includes('"live"'))
    await call(['trigger', 'success', '--custom-id', 'test-1'])
    await until(() => listening.out().includes('"forwarded":{'))
  } finally {
    await worker.stop()
  }
  await stop(listening)
  const [ready, live, forwarded] = listening
    .out()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(ready, { type: 'ready' })
  assert.deepEqual([live?.['mode'], live?.['status'], live?.['forwarded']], ['live', 'delivered', null])
  assert.match(JSON.stringify(forwarded), /"forwarded":\{"url":"[^"]+","statusCode":200,/)
  assert.equal(/hash|signature/.test(listening.out()), false)
  assert.deepEqual(
    shop.received.map(({ body }) => body['customId']),
    ['test-1'],
  )
})

test('a callback sent while the connection was cut is forwarded once', async () => {
  const proxy = await startProxy(Number(new URL(world.baseUrl).port))
  const listening = await startListening([], { PAZAR_BASE_URL: proxy.url })
  await call(['trigger', 'success', '--custom-id', 'before'])
  await until(() => shop.received.length === 1)
  proxy.cut()
  await until(() => listening.err().includes('The connection to the service is lost.'))
  await call(['trigger', 'success', '--to', 'url', '--custom-id', 'meanwhile'])
  proxy.restore()
  await until(() => listening.err().includes('Connected again.'))
  await until(() => shop.received.length === 2)
  await call(['trigger', 'success', '--custom-id', 'after'])
  await until(() => shop.received.length === 3)
  await stop(listening)
  assert.deepEqual(
    shop.received.map(({ body }) => body['customId']),
    ['before', 'meanwhile', 'after'],
  )
})

test('a callback sent while the connection was cut is forwarded, even if no event arrived before the cut', async () => {
  const proxy = await startProxy(Number(new URL(world.baseUrl).port))
  const listening = await startListening([], { PAZAR_BASE_URL: proxy.url })
  proxy.cut()
  await until(() => listening.err().includes('The connection to the service is lost.'))
  await call(['trigger', 'success', '--to', 'url', '--custom-id', 'meanwhile'])
  proxy.restore()
  await until(() => shop.received.length === 1, 'the missed callback is forwarded')
  assert.equal(shop.received[0]!.body['customId'], 'meanwhile')
  await stop(listening)
})

test('a sixth listener of the account exits and says that five streams are open', async () => {
  const otherListeners = await Promise.all(Array.from({ length: 5 }, () => startListening()))
  const refused = await call(['listen', '--forward-to', shop.url])
  assert.match(
    refused.err,
    /\nThe service refused the stream.*five open streams.*\nClose a stream or wait a minute/,
  )
  assert.equal(refused.code, 1)
  for (const one of otherListeners) await stop(one)
})

test('if the token is revoked, the next reconnect ends the command with an error that says what to do', async () => {
  const { id, token } = await makeToken(world.owner)
  const proxy = await startProxy(Number(new URL(world.baseUrl).port))
  const listening = await startListening([], { PAZAR_BASE_URL: proxy.url, PAZAR_TOKEN: token })
  assert.equal((await world.owner.post('/portal/api/tokens/revoke', { id })).status, 204)
  proxy.cut()
  proxy.restore()
  const result = await listening.ended
  assert.match(result.err, /Create a new one and run login\.$/)
  assert.equal(result.code, 1)
})

/** A proxy to the service with connections that a test can cut. */
async function startProxy(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const onward = connect(port, '127.0.0.1')
    for (const one of [socket, onward]) {
      sockets.add(one)
      one.on('error', () => undefined) // Expected: the test cuts the other end.
      one.on('close', () => sockets.delete(one))
    }
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cutConnection = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  after(() => {
    cutConnection()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, cut: cutConnection, restore: () => void (isCut = false) }
}
