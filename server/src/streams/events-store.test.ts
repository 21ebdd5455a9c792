// Tests which rows the SQL statements of streams and events find and change, and in which order.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { STREAMS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import type { OpenStream } from './events-store.ts'
import {
  closeStreams,
  findEvents,
  findIdsSince,
  findPosition,
  hasStreams,
  openStream,
  renewStreams,
} from './events-store.ts'

const { deps } = await startPayments()
const { db } = deps
const CALLBACK_URL = 'https://shop.example.com/callback'
const projectId = await addCallbackProject(deps, CALLBACK_URL)
const otherId = await addCallbackProject(deps, CALLBACK_URL)

beforeEach(() => rows(db, 'truncate callbacks, callback_lanes, event_streams cascade'))

async function newStream(streamProjectId = projectId): Promise<OpenStream> {
  const [row] = await rows<{ owner_id: OpenStream['accountId'] }>(
    db,
    'select owner_id from projects where id = $1',
    [streamProjectId],
  )
  return { id: randomUUID(), accountId: row!.owner_id, projectId: streamProjectId }
}

const countStreams = async () => (await rows(db, 'select from event_streams')).length
const expireIn = (id: string, sec: number) =>
  rows(db, 'update event_streams set expires_at = now() + make_interval(secs => $2::float8) where id = $1', [
    id,
    sec,
  ])

test('neither the streams of another account nor expired streams count towards the limit of an account', async () => {
  const ids: string[] = []
  for (let n = 0; n < STREAMS_PER_ACCOUNT_MAX; n += 1) {
    const stream = await newStream()
    ids.push(stream.id)
    assert.match((await openStream(db, stream)) ?? '', /^at_\d{13}$/)
  }
  assert.equal(await openStream(db, await newStream()), null)
  assert.notEqual(await openStream(db, await newStream(otherId)), null)
  await expireIn(ids[0]!, -1)
  assert.notEqual(await openStream(db, await newStream()), null)
})

test('the slot of a stream lasts for 45 seconds, and for another 45 seconds after a renewal', async () => {
  const stream = await newStream()
  await openStream(db, stream)
  const readLeaseSec = async () =>
    (
      await rows<{ sec: number }>(
        db,
        'select round(extract(epoch from expires_at - now()))::int as sec from event_streams where id = $1',
        [stream.id],
      )
    )[0]!.sec
  assert.ok((await readLeaseSec()) >= 43 && (await readLeaseSec()) <= 45)
  await expireIn(stream.id, 5)
  await renewStreams(db, [stream])
  assert.ok((await readLeaseSec()) >= 43)
  await closeStreams(db, [stream.id])
  await renewStreams(db, [stream])
  assert.equal(await hasStreams(db, projectId), true, 'a row that was deleted is inserted again')
})

test('closing deletes the named streams and expired ones, and no others', async () => {
  const [closed, expired, ofOther] = [await newStream(), await newStream(), await newStream(otherId)]
  for (const stream of [closed, expired, ofOther]) await openStream(db, stream)
  await expireIn(expired.id, -1)
  await closeStreams(db, [closed.id])
  assert.deepEqual(await rows(db, 'select id from event_streams'), [{ id: ofOther.id }])
  assert.equal(await countStreams(), 1)
})

test('a project has listeners only while one of its own streams has not expired', async () => {
  const stream = await newStream()
  await openStream(db, stream)
  assert.deepEqual([await hasStreams(db, projectId), await hasStreams(db, otherId)], [true, false])
  await expireIn(stream.id, -1)
  assert.equal(await hasStreams(db, projectId), false)
})

test('events are found in the requested order, only of the given project, each with the secret of its mode', async () => {
  const [first = '', second = ''] = await queueCallbacks(db, projectId, 2)
  const [inTest = ''] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [ofOtherProject = ''] = await queueCallbacks(db, otherId)
  const found = await findEvents(
    db,
    [inTest, second, ofOtherProject, first].map((id) => ({ projectId, id })),
  )
  assert.deepEqual(
    found.map((event) => [event.id, event.mode, event.projectId]),
    [
      [inTest, 'test', projectId],
      [second, 'live', projectId],
      [first, 'live', projectId],
    ],
  )
  const secrets = await rows<{ mode: string; sealed: Buffer }>(
    db,
    'select mode, sealed from project_secrets where project_id = $1',
    [projectId],
  )
  for (const { mode, sealed } of found)
    assert.deepEqual(sealed, secrets.find((one) => one.mode === mode)!.sealed)
})

const addAttempt = (id: string, agoSec: number, durationMs = 0, attempt = 1, attemptProjectId = projectId) =>
  rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     values ($1, $2, $3, $4, now() - make_interval(secs => $5::float8), $6, 'delivered')`,
    [attemptProjectId, id, attempt, CALLBACK_URL, agoSec, durationMs],
  )

test('a replay has the callbacks of its project whose attempts ended in the last five minutes, ordered by the end of the attempt', async () => {
  const [slow = '', quick = '', old = '', late = ''] = await queueCallbacks(db, projectId, 4)
  const [ofOtherProject = ''] = await queueCallbacks(db, otherId)
  await addAttempt(slow, 40, 30_000)
  await addAttempt(quick, 20)
  await addAttempt(old, 301)
  // This attempt began more than five minutes ago and ended less than five minutes ago.
  await addAttempt(late, 320, 25_000)
  await addAttempt(ofOtherProject, 15, 0, 1, otherId)
  assert.deepEqual(await findIdsSince(db, projectId, 'at_0'), [late, quick, slow])
})

test('a replay starts after the given time, or after the first attempt of the given callback', async () => {
  const [seen = '', earlier = '', between = ''] = await queueCallbacks(db, projectId, 3)
  await addAttempt(earlier, 60)
  await addAttempt(seen, 50)
  await addAttempt(between, 40)
  await addAttempt(seen, 30, 0, 2)
  assert.deepEqual(await findIdsSince(db, projectId, seen), [between, seen])
  const nowMs = Number((await findPosition(db)).slice('at_'.length))
  assert.deepEqual(await findIdsSince(db, projectId, `at_${nowMs - 55_000}`), [between, seen])
  assert.deepEqual(await findIdsSince(db, projectId, `at_${nowMs}`), [])
})
