// Tests the refusals of /sdk/events/list, and cursors from before a restore.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPage } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder } from '../../test/payments.ts'
import { feed } from '../cli/feed.ts'
import { toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { parseCursor, toCursorText } from './cursor.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps
const EVENTS_URL = '/sdk/events/list'
const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const { id: otherId } = await owner.addProject()

async function list(body: object = {}, caller: Client = owner): Promise<EventPage> {
  const response = await caller.post(EVENTS_URL, { projectId, ...body })
  assert.equal(response.status, 200, response.text)
  return response.json<EventPage>()
}

interface Refused {
  code: string
  next?: string
  errors?: { path: string; code: string }[]
}

async function expectRefusal(status: number, body: object, caller: Client = owner): Promise<Refused> {
  const response = await caller.post(EVENTS_URL, body)
  assert.equal(response.status, status, response.text)
  return response.json<Refused>()
}

test('without a session or token nothing is listed', async () => {
  assert.equal((await expectRefusal(401, { projectId }, new Client(app))).code, 'unauthenticated')
})

test('a token with the scope "read" lists events', async () => {
  const { token } = await makeToken(owner, { scope: 'read' })
  assert.deepEqual((await list({}, clientWithToken(app, token))).items, [])
})

test("another merchant's project is refused like one that does not exist", async () => {
  const stranger = await signUp(app)
  const ofOtherMerchant = await expectRefusal(404, { projectId }, stranger)
  const unknown = await expectRefusal(404, { projectId: 'tz4a98xxat96iws9zmbrgj3a' }, stranger)
  assert.equal(ofOtherMerchant.code, 'not_found')
  assert.deepEqual({ ...ofOtherMerchant, requestId: '' }, { ...unknown, requestId: '' })
})

test('a request from another site is refused', async () => {
  const response = await owner.post(EVENTS_URL, { projectId }, { origin: 'https://evil.example.com' })
  assert.deepEqual([response.status, response.code], [403, 'forbidden_origin'])
})

test('a wrong field is refused, and the error names the field', async () => {
  const wrong: [field: string, value: unknown][] = [
    ['limit', 0],
    ['limit', 501],
    ['limit', '5'],
    ['mode', 'both'],
    ['after', ''],
    ['after', 7],
    ['after', 'x'.repeat(257)],
    ['after', 'nonsense'],
    ['after', `${toCursorText({ epoch: '0'.repeat(32), projectId, position: 1n })}=`],
    ['projectId', 'No Project'],
    ['nonsense', 1],
  ]
  for (const [field, value] of wrong) {
    const { code, errors } = await expectRefusal(400, { projectId, [field]: value })
    assert.deepEqual([code, errors?.map(({ path }) => path)], ['invalid_request', [field]], String(value))
  }
  assert.deepEqual(
    (await expectRefusal(400, {})).errors?.map(({ path }) => path),
    ['projectId'],
  )
})

test('a cursor of another project is refused', async () => {
  const { next } = await list({ projectId: otherId })
  const { errors } = await expectRefusal(400, { projectId, after: next })
  assert.deepEqual(
    errors?.map(({ path, code }) => [path, code]),
    [['after', 'cursor']],
  )
})

test('a request above the limit per account is refused with the time to wait, and requests of the portal are counted separately', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_EVENTS: '2', RATE_LIMIT_PORTAL: '3' })
  const caller = new Client(limited.app)
  for (const [name, value] of owner.jar) caller.jar.set(name, value)
  await list({}, caller)
  await list({}, caller)
  const response = await caller.post(EVENTS_URL, { projectId })
  assert.deepEqual([response.status, response.code], [429, 'rate_limited'])
  assert.ok(Number(response.headers['retry-after']) > 0)
  for (let n = 0; n < 3; n += 1)
    assert.equal((await caller.post('/sdk/project/get', { projectId })).status, 200)
})

test('a cursor from before a restore is refused, and the error has the cursor after which events may differ', async () => {
  const pay = async () => {
    await confirmPayment(deps, newOrder(projectId))
  }
  /** Starts a new epoch, as after a loss of data. All events that exist now count as older than the loss. */
  const restartFeed = async () => {
    await rows(db, "update feed_events set at = at - interval '1 hour' where project_id = $1", [projectId])
    const since = toDate(deps.clock.nowMs() - 1_800_000).toISOString()
    await feed.run(deps, ['restart', '--since', since])
  }
  await pay()
  await pay()
  const { next: earlyCursor } = await list({ limit: 1 })
  const { next: lateCursor, items } = await list()
  // These statements simulate a restore from a backup that was made after the third event.
  await rows(db, 'delete from feed_events where project_id = $1 and position > 3', [projectId])
  await rows(db, 'update feed_heads set position = 3 where project_id = $1', [projectId])
  await restartFeed()
  await pay()

  const refusedLate = await expectRefusal(410, { projectId, after: lateCursor })
  assert.equal(refusedLate.code, 'cursor_expired')
  const continued = await list({ after: refusedLate.next })
  assert.equal(continued.items.length, 2)
  assert.ok(continued.items.every(({ id }) => !items.some((known) => known.id === id)))

  const refusedEarly = await expectRefusal(410, { projectId, after: earlyCursor })
  const pageAfter = await list({ after: refusedEarly.next })
  assert.deepEqual([pageAfter.items[0]?.id, pageAfter.items.length], [items[1]!.id, 4])

  // After a second restore, a cursor from before both restores gets the lower of their two positions.
  await restartFeed()
  assert.equal(parseCursor((await expectRefusal(410, { projectId, after: lateCursor })).next!)?.position, 3n)
  assert.equal(
    parseCursor((await expectRefusal(410, { projectId, after: continued.next })).next!)?.position,
    5n,
  )
  // If the epoch was lost in the restore, the reader has to start from the beginning.
  const unknown = toCursorText({ epoch: 'f'.repeat(32), projectId, position: 4n })
  assert.equal(parseCursor((await expectRefusal(410, { projectId, after: unknown })).next!)?.position, 0n)
})

test('a cursor beyond the last event is refused, and the error has the cursor of the last event', async () => {
  const { next } = await list()
  const cursor = parseCursor(next)!
  const beyond = toCursorText({ ...cursor, position: cursor.position + 1n })
  assert.equal((await expectRefusal(410, { projectId, after: beyond })).next, next)
})

test('the operator command `feed` accepts only the argument `restart` with a time that is not in the future', async () => {
  for (const args of [[], ['stop'], ['restart', 'now'], ['restart', '--since', '2999-01-01']])
    await assert.rejects(async () => feed.run(deps, args), { name: 'UsageError' })
})

test('while the database is being restored and has no epoch yet, the list is unavailable', async () => {
  await rows(db, 'truncate feed_epochs, feed_restarts')
  const response = await owner.post(EVENTS_URL, { projectId })
  assert.deepEqual(
    [response.status, response.code, response.headers['retry-after']],
    [503, 'unavailable', '2'],
  )
})
