// Tests that a client gets each callback attempt of its own project once and in order, even after an error.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect as connectSocket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { EventStream, StreamOptions } from './client-stream.ts'
import { parsePosition, startEventStream } from './client-stream.ts'
import type { CallbackEvent } from './events-store.ts'

const { deps, projectId } = await startPayments()

const toEvent = (id: string, fields: Partial<CallbackEvent> = {}): CallbackEvent => ({
  projectId,
  id,
  mode: 'live',
  status: 'pending',
  transactionId: null,
  attempts: 1,
  facts: {} as CallbackEvent['facts'],
  sealed: Buffer.alloc(0),
  secretVersion: 1,
  ...fields,
})

async function connect(t: TestContext, fields: Partial<StreamOptions> = {}) {
  const options = { projectId, since: null, isOnlyWatching: false, isStillAllowed: async () => true }
  const opened = Promise.withResolvers<EventStream>()
  const server = createServer((_req, res) => {
    const slot = { id: '019a8f0e-0000-7000-8000-000000000001', startPosition: 'at_1' }
    opened.resolve(
      startEventStream(
        deps,
        slot,
        { accountId: slot.id as StreamOptions['accountId'], ...options, ...fields },
        res,
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const received = { text: '', isEnded: false, isCut: false }
  void (async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) received.text += part
    received.isEnded = true
    // The stream or the end of the test cuts the connection.
  })().catch(() => {
    received.isCut = true
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const listEvents = () =>
    [...received.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
      const { id, attempts } = JSON.parse(data!) as { id: string; attempts: number }
      return `${id} ${attempts}`
    })
  return { stream: await opened.promise, received, listEvents }
}

test('each attempt of a callback is sent once, and no event of another project is sent', async (t) => {
  const { stream, listEvents } = await connect(t)
  stream.send(Promise.resolve([toEvent('one'), toEvent('one'), toEvent('two', { projectId: 'another' })]))
  stream.send(Promise.resolve([toEvent('one', { attempts: 2 }), toEvent('one')]))
  stream.send(Promise.resolve([toEvent('last')]))
  await until(() => listEvents().includes('last 1'))
  assert.deepEqual(listEvents(), ['one 1', 'one 2', 'last 1'])
})

test('events are sent in the order of their notifications, even if the first event is read late', async (t) => {
  const { stream, listEvents } = await connect(t)
  const slowEvents = Promise.withResolvers<CallbackEvent[]>()
  stream.send(slowEvents.promise)
  stream.send(Promise.resolve([toEvent('second')]))
  slowEvents.resolve([toEvent('first')])
  await until(() => listEvents().length === 2)
  assert.deepEqual(listEvents(), ['first 1', 'second 1'])
})

for (const [trigger, wake] of [
  ['notification', (stream: EventStream) => stream.send(Promise.resolve([toEvent('next')]))],
  ['ping', (stream: EventStream) => stream.ping()],
] as const)
  test(`an event that could not be read is sent at the next ${trigger}, before all later events`, async (t) => {
    await rows(deps.db, 'truncate callbacks cascade')
    const { stream, listEvents } = await connect(t)
    const ids = await queueCallbacks(deps.db, projectId, 2)
    await rows(
      deps.db,
      `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
       select $1, id, 1, 'https://shop.example.com', now() + place * interval '1 ms', 1, 'delivered'
       from unnest($2::text[]) with ordinality as c (id, place)`,
      [projectId, ids],
    )
    stream.send(Promise.reject(new Error('the database is lost')))
    await setImmediate()
    await wake(stream)
    await until(() => listEvents().length === 2)
    stream.send(Promise.resolve([toEvent('later')]))
    await until(() => listEvents().length === 3)
    assert.deepEqual(listEvents(), [`${ids[0]} 0`, `${ids[1]} 0`, 'later 1'])
  })

test('a ping ends the stream only if its client has lost access', async (t) => {
  let isAllowed = true
  const { stream, received } = await connect(t, { isStillAllowed: async () => isAllowed })
  await stream.ping()
  await until(() => received.text.endsWith(': ping\n\n'))
  assert.equal(received.isEnded, false)
  isAllowed = false
  await stream.ping()
  await until(() => received.isEnded)
  assert.equal(received.text, ': connected\nid: at_1\n\n: ping\n\n')
})

test('a client that reconnects with a position gets no new position, and a position in another format is ignored', async (t) => {
  const since = `msg_${'0'.repeat(32)}`
  const { received } = await connect(t, { since })
  await until(() => received.text.length > 0)
  assert.equal(received.text, ': connected\n\n')
  assert.deepEqual([parsePosition(since), parsePosition('at_12')], [since, 'at_12'])
  for (const wrong of [`${since}0`, ` ${since}`, 'at_1x', 'at_1234567890123456', undefined, 12])
    assert.equal(parsePosition(wrong), null)
})

test('an attempt is not sent again while it is among the last thousand that were sent', async (t) => {
  const { stream, listEvents } = await connect(t)
  const events = Array.from({ length: 1_001 }, (_, n) => toEvent(`event${n}`))
  stream.send(Promise.resolve(events))
  stream.send(Promise.resolve([toEvent('event1'), toEvent('last')]))
  await until(() => listEvents().includes('last 1'))
  assert.equal(listEvents().filter((one) => one === 'event1 1').length, 1)
})

test('a client is disconnected when more than a thousand notifications wait for it', async (t) => {
  const { stream, received } = await connect(t)
  const slowEvents = Promise.withResolvers<CallbackEvent[]>()
  for (let n = 0; n < 1_000; n += 1) stream.send(slowEvents.promise)
  await stream.ping()
  await until(() => received.text.endsWith(': ping\n\n'))
  assert.equal(received.isCut, false)
  stream.send(slowEvents.promise)
  await until(() => received.isCut)
  slowEvents.resolve([])
})

test('a client that has stopped reading is disconnected when its stream ends', async (t) => {
  const opened = Promise.withResolvers<{ stream: EventStream; out: ServerResponse }>()
  const server = createServer((_req, out) => {
    const id = '019a8f0e-0000-7000-8000-000000000002'
    const accountId = id as StreamOptions['accountId']
    const options = {
      accountId,
      projectId,
      since: null,
      isOnlyWatching: true,
      isStillAllowed: async () => true,
    }
    opened.resolve({ stream: startEventStream(deps, { id, startPosition: 'at_1' }, options, out), out })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connectSocket((server.address() as AddressInfo).port, '127.0.0.1').pause()
  // The server cuts the connection, and that error must not end this process.
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  t.after(() => {
    socket.destroy()
    server.close()
  })
  const { stream, out } = await opened.promise
  // Writes more than the buffers of both sides hold.
  for (let n = 0; out.writableLength === 0; n += 1) {
    assert.ok(n < 1_000, 'the client still reads')
    out.write('x'.repeat(100_000))
    await setImmediate()
  }
  stream.end()
  await until(() => out.destroyed)
})
