import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { createTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { createSignals } from './signals.ts'
import type { Signals } from './signals.ts'

const database = await createTestDatabase()
test.after(() => database.drop())

function openSignals(t: TestContext, url = database.url): { signals: Signals; errors: Error[] } {
  const errors: Error[] = []
  const signals = createSignals(url, (error) => errors.push(error))
  t.after(() => signals.close())
  return { signals, errors }
}

/** The first payload is null, which tells a new listener to poll once. */
function receiveOn(signals: Signals, channel: string): (string | null)[] {
  const received: (string | null)[] = []
  signals.listen(channel, (payload) => received.push(payload))
  return received
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const endListeners = () =>
  withClient((client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    ),
  )

test('a notification reaches the listeners of its channel on another connection, and no listener of another channel', async (t) => {
  const listening = openSignals(t)
  const received = receiveOn(listening.signals, 'things_due')
  const onOtherChannel = receiveOn(listening.signals, 'other_things')
  await until(() => received.length === 1 && onOtherChannel.length === 1)
  openSignals(t).signals.notify('things_due')
  await until(() => received.length === 2)
  assert.deepEqual(received, [null, ''])
  assert.deepEqual(onOtherChannel, [null])
})

test('the payload of a notification arrives unchanged', async (t) => {
  const received = receiveOn(openSignals(t).signals, 'with_payload')
  await until(() => received.length === 1)
  await withClient((client) => client.query(`select pg_notify('with_payload', 'p1 msg_1')`))
  await until(() => received.length === 2)
  assert.equal(received[1], 'p1 msg_1')
})

test('a notification lists the names given to notify(); the list is empty if a name is missing or unsafe, or if there are too many names', async (t) => {
  const received = receiveOn(openSignals(t).signals, 'named')
  await until(() => received.length === 1)
  const send = async (...names: (string | undefined)[]) => {
    const countBefore = received.length
    const { signals } = openSignals(t)
    for (const name of names) signals.notify('named', name)
    await until(() => received.length > countBefore)
    return received.at(-1)
  }
  assert.equal(await send('p1 live', 'p2 test', 'p1 live'), 'p1 live,p2 test')
  assert.equal(await send('p1 live', undefined), '')
  assert.equal(await send("p1'; drop table callbacks"), '')
  // These are 65 names, one more than a notification may list.
  assert.equal(await send(...Array.from({ length: 65 }, (_, n) => `p${n} live`)), '')
})

test('a thousand notifications that are requested at the same time are combined into a few', async (t) => {
  const listening = openSignals(t)
  const received = receiveOn(listening.signals, 'storm')
  await until(() => received.length === 1)
  const witness = receiveOn(listening.signals, 'witness')
  await until(() => witness.length === 1)
  const { signals } = openSignals(t)
  for (let n = 0; n < 1_000; n += 1) signals.notify('storm')
  signals.notify('witness')
  // The witness is notified last, so every notification of the channel `storm` has arrived earlier.
  await until(() => witness.includes(''))
  assert.ok(received.length > 1 && received.length <= 4, `${received.length} notifications`)
})

test('after a lost connection a listener is called with null again', async (t) => {
  const { signals } = openSignals(t)
  const received = receiveOn(signals, 'things_due')
  await until(() => received.length === 1)
  await endListeners()
  await until(() => received.length === 2)
  assert.deepEqual(received, [null, null])
  signals.notify('things_due')
  await until(() => received.length === 3)
})

test('a listener that was stopped receives nothing more', async (t) => {
  const { signals } = openSignals(t)
  const received: (string | null)[] = []
  const stop = signals.listen('things_due', (payload) => received.push(payload))
  await until(() => received.length === 1)
  stop()
  const witness = receiveOn(signals, 'witness')
  signals.notify('things_due')
  signals.notify('witness')
  await until(() => witness.includes(''))
  assert.deepEqual(received, [null])
})

test('if the server cannot be reached, callers are not affected and closing does not wait', async (t) => {
  const { signals, errors } = openSignals(t, 'postgres://nobody@127.0.0.1:1/none')
  signals.listen('things_due', () => assert.fail('nothing can be received'))
  signals.notify('things_due')
  await until(() => errors.length > 0)
  await signals.close()
})

test('a channel name that could contain SQL is refused', (t) => {
  const { signals } = openSignals(t)
  assert.throws(() => signals.notify('a; drop table callbacks'), TypeError)
})

test('a listener added to an open connection is called with null too', async (t) => {
  const { signals } = openSignals(t)
  const first = receiveOn(signals, 'things_due')
  await until(() => first.length === 1)
  const second = receiveOn(signals, 'things_due')
  await until(() => second.length === 1)
  signals.notify('things_due')
  await until(() => second.length === 2)
  assert.deepEqual(first, [null, ''])
})

test('a host that stops responding without closing connections is detected, and the host that replaces it is used', async (t) => {
  const proxy = await startTcpProxy(database.url)
  t.after(() => proxy.close())
  const errors: Error[] = []
  const signals = createSignals(proxy.url, (error) => errors.push(error), {
    pingEveryMs: 200,
    timeoutMs: 500,
  })
  t.after(() => signals.close())
  const received = receiveOn(signals, 'things_due')
  await until(() => received.length === 1)
  proxy.goSilent()
  await until(
    () => errors.some((error) => /no response/.test(error.message)),
    'the missing response is noticed',
  )
  proxy.replaceHost()
  await until(() => received.length === 2)
  openSignals(t).signals.notify('things_due')
  await until(() => received.length === 3)
  assert.deepEqual(received, [null, null, ''])
})

test('close() does not wait for a host that does not respond, whether the connection is open or still being opened', async (t) => {
  const proxy = await startTcpProxy(database.url)
  t.after(() => proxy.close())
  const listening = openSignals(t, proxy.url)
  const received = receiveOn(listening.signals, 'things_due')
  await until(() => received.length === 1)
  proxy.goSilent()
  const connecting = openSignals(t, proxy.url)
  receiveOn(connecting.signals, 'things_due')
  await until(() => proxy.countOpen() === 2)
  await Promise.all([listening.signals.close(), connecting.signals.close()])
  assert.deepEqual([...listening.errors, ...connecting.errors], [])
})
