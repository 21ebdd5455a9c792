// A stream leaves no slot, listener or connection behind, even if it never starts, if it fails, or if its client does not
// read.
import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import type { Statement } from '../db/pool.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { startEventStream } from './client-stream.ts'
import type { StreamOptions } from './client-stream.ts'
import type { CallbackEvent } from './events-store.ts'
import { createEventStreams } from './open-streams.ts'

const { deps, projectId } = await startPayments()
const accountId = (await findOwnerId(deps.db, projectId))!
const LISTENER: StreamOptions = {
  accountId,
  projectId,
  since: null,
  isOnlyWatching: false,
  isStillAllowed: async () => true,
}
const WATCHER = { ...LISTENER, isOnlyWatching: true }

const openResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

function openStreams(t: TestContext, db: Partial<CallbackDeps['db']> = {}) {
  const streams = createEventStreams({ ...deps, db: { ...deps.db, ...db } })
  t.after(() => streams.close())
  return streams
}

test('a client is disconnected when more than a megabyte waits for it', async () => {
  const out = openResponse()
  const stream = startEventStream(deps, { id: accountId, startPosition: 'at_1' }, LISTENER, out)
  const toEvent = (n: number): CallbackEvent => ({
    projectId,
    id: `${n}`.repeat(50_000),
    mode: 'live',
    status: 'pending',
    transactionId: null,
    attempts: 1,
    facts: {} as CallbackEvent['facts'],
    sealed: Buffer.alloc(0),
    secretVersion: 1,
  })
  stream.send(Promise.resolve([1, 2, 3, 4, 5, 6, 7, 8, 9].map(toEvent)))
  await until(() => out.writableLength > 900_000)
  assert.equal(out.destroyed, false)
  stream.send(Promise.resolve([10, 11].map(toEvent)))
  await until(() => out.destroyed)
})

test('a watching page whose stream could not be opened does not count towards the limit of its account', async (t) => {
  let isDown = true
  const streams = openStreams(t, {
    query: (...args) => (isDown ? Promise.reject(new Error('no database')) : deps.db.query(...args)),
  })
  for (let n = 0; n < 25; n += 1) await assert.rejects(streams.reserve(WATCHER), /no database/)
  isDown = false
  for (let n = 0; n < 20; n += 1) await streams.reserve(WATCHER)
  await assert.rejects(streams.reserve(WATCHER), { code: 'rate_limited', retryAfterSec: 15 })
})

test('a watching page that was closed does not count towards the limit', async (t) => {
  const streams = openStreams(t)
  for (let n = 0; n < 25; n += 1) {
    const out = openResponse()
    const reserved = await streams.reserve(WATCHER)
    reserved.start(out)
    out.destroy()
    await until(() => out.closed)
  }
})

test('a client that disconnects before its stream has started leaves no slot', async (t) => {
  const streams = openStreams(t)
  const out = openResponse()
  const reserved = await streams.reserve(LISTENER)
  const countSlots = async () => (await rows(deps.db, 'select from event_streams')).length
  assert.equal(await countSlots(), 1)
  out.destroy()
  await until(() => out.closed)
  reserved.start(out)
  await until(async () => (await countSlots()) === 0)
})

test('if a stream starts while the service is stopping, the stream ends at once and leaves no slot', async (t) => {
  const streams = openStreams(t)
  const out = openResponse()
  const reserved = await streams.reserve(LISTENER)
  await streams.close()
  reserved.start(out)
  assert.equal(out.writableEnded, true)
  await until(async () => (await rows(deps.db, 'select from event_streams')).length === 0)
})

test('a client that disconnects while its slot is being renewed leaves no slot', async (t) => {
  const out = openResponse()
  const hasNoSlot = async () => (await rows(deps.db, 'select from event_streams')).length === 0
  let isRenewed = false
  const streams = openStreams(t, {
    async query<Row extends object>(statement: Statement, values?: readonly unknown[]) {
      if (statement.name !== 'events.renew') return deps.db.query<Row>(statement, values)
      out.destroy()
      await until(hasNoSlot)
      const renewed = await deps.db.query<Row>(statement, values)
      isRenewed = true
      return renewed
    },
  })
  const reserved = await streams.reserve(LISTENER)
  reserved.start(out)
  await until(() => isRenewed)
  await until(hasNoSlot)
})

test('a stream starts although notifications cannot be received, and `close` stops listening for them', async () => {
  let listening = 0
  let started = 0
  const listen = () => {
    started += 1
    listening += 1
    return () => {
      listening -= 1
    }
  }
  const streams = createEventStreams({
    ...deps,
    db: { ...deps.db, signals: { ...deps.db.signals, listen } },
  })
  const out = openResponse()
  const reserved = await streams.reserve(WATCHER)
  reserved.start(out)
  await streams.close()
  assert.ok(started > 0)
  assert.equal(listening, 0)
  assert.equal(out.writableEnded, true)
})
