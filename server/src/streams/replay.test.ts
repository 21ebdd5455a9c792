import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { until } from '../../test/until.ts'
import { startStreamWorld } from '../../test/stream-world.ts'

const { db, origin, otherOrigin, projectId, noneIsOpen, open, deliver, markDelivered } =
  await startStreamWorld()

test('a client that reconnects gets the events that it missed, in order and once, from any replica', async () => {
  const first = await open()
  const [seen] = await queueCallbacks(db, projectId)
  await deliver([seen!], 'delivered')
  await until(() => first.events.length === 1)
  first.close()
  await until(noneIsOpen)
  const missed: string[] = []
  for (const mode of ['live', 'test'] as const) {
    const [id] = await queueCallbacks(db, projectId, 1, { mode })
    await deliver([id!], 'delivered')
    missed.push(id!)
  }
  const reconnected = await open(otherOrigin, { 'last-event-id': seen! })
  await until(() => reconnected.events.length === 2)
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => reconnected.events.length === 3)
  assert.deepEqual(
    reconnected.events.map((event) => event.id),
    [...missed, next],
  )
})

test('a client that reconnects before its first event gets the events that it missed, from any replica', async () => {
  const first = await open()
  assert.match(first.lastId ?? '', /^at_\d{13}$/)
  assert.deepEqual(first.events, [])
  first.close()
  await until(noneIsOpen)
  const [missed] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliver([missed!], 'delivered')
  const reconnected = await open(otherOrigin, { 'last-event-id': first.lastId! })
  await until(() => reconnected.events.length === 1, 'the missed event is replayed')
  assert.deepEqual([reconnected.events[0]!.id, reconnected.lastId], [missed, missed])
})

test('a client that reconnects keeps its position, and a client with an invalid position starts with new events', async () => {
  const position = (await open()).lastId!
  assert.equal((await open(origin, { 'last-event-id': position })).lastId, null)
  for (const nonsense of ['at_', 'at_x', `at_${'9'.repeat(16)}`, 'msg_1', 'NaN']) {
    const reader = await open(origin, { 'last-event-id': nonsense })
    assert.match(reader.lastId ?? '', /^at_\d{13}$/, nonsense)
    reader.close()
    await until(async () => (await rows(db, 'select from event_streams')).length === 2)
  }
})

test('if the callback that a client received last was sent again, the events between its two attempts are still replayed', async () => {
  const [seen, between] = await queueCallbacks(db, projectId, 2)
  await markDelivered([seen!])
  await markDelivered([between!])
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     values ($1, $2, 2, 'https://shop.example.com', now(), 1, 'delivered')`,
    [projectId, seen],
  )
  const reader = await open(origin, { 'last-event-id': seen! })
  await until(() => reader.events.length === 2)
  assert.deepEqual(
    reader.events.map((event) => event.id),
    [between, seen],
  )
})

test('an attempt is replayed if it ended shortly before the attempt that the client received last, but was recorded later', async () => {
  const [late, seen, old, earlier] = await queueCallbacks(db, projectId, 4)
  await markDelivered([earlier!, seen!, old!, late!])
  const endedAgo = (id: string, ago: string) =>
    rows(db, `update callback_attempts set started_at = now() - $2::interval where callback_id = $1`, [
      id,
      ago,
    ])
  await endedAgo(earlier!, '2 seconds')
  await endedAgo(seen!, '1 second')
  await endedAgo(late!, '20 seconds')
  await endedAgo(old!, '22 seconds')
  const reader = await open(origin, { 'last-event-id': seen! })
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => reader.events.length === 2)
  assert.deepEqual(
    reader.events.map((event) => event.id),
    [late, next],
  )
})

test('a client that missed thousands of events gets all of them', async () => {
  const [seen] = await queueCallbacks(db, projectId)
  await deliver([seen!], 'delivered')
  const missed = await queueCallbacks(db, projectId, 2_000, { mode: 'test', data: 'x'.repeat(1_000) })
  await markDelivered(missed)
  const reader = await open(origin, { 'last-event-id': seen! })
  await until(() => reader.events.length >= missed.length, 'everything is replayed')
  assert.deepEqual(reader.events.map((event) => event.id).toSorted(), missed.toSorted())
})

test('events older than five minutes are not replayed', async () => {
  const [oldId, seen] = await queueCallbacks(db, projectId, 2)
  // This sends no notification. A notification could arrive after the client has connected, and the client would get both
  // events.
  await markDelivered([oldId!, seen!])
  await rows(
    db,
    `update callback_attempts set started_at = now() - interval '6 minutes' where callback_id = $1`,
    [oldId],
  )
  await rows(
    db,
    `update callback_attempts set started_at = now() - interval '7 minutes' where callback_id = $1`,
    [seen],
  )
  const reader = await open(origin, { 'last-event-id': seen! })
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => reader.events.length > 0)
  assert.deepEqual(
    reader.events.map((event) => event.id),
    [next],
  )
})

test('events whose notifications were lost with the database connection are replayed', async () => {
  const reader = await open()
  const [first] = await queueCallbacks(db, projectId)
  await deliver([first!], 'delivered')
  await until(() => reader.events.length === 1)
  await rows(
    db,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  )
  const [second] = await queueCallbacks(db, projectId)
  await deliver([second!], 'delivered')
  await until(() => reader.events.length === 2)
  assert.equal(reader.events[1]!.id, second)
})
