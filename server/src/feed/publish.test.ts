// Tests how many events are published at a time, and that one project does not delay the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPage } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder } from '../../test/payments.ts'
import type { Db, Statement } from '../db/pool.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { parseCursor, toCursorText } from './cursor.ts'
import { FEED_POLL_MS, PUBLISH_BATCH, publishAll, publishWaiting } from './publish.ts'

const { app, deps } = await startTestService()
const { db } = deps
const owner = await signUp(app)

/** A database in which these projects have waiting events. `publish` returns how many events of a project get a position. */
function toDb(projectIds: readonly string[], publish: (projectId: string) => number): Db {
  const query = async ({ name }: Statement, [first]: readonly unknown[] = []): Promise<object[]> => {
    if (name === 'feed.list_waiting')
      return projectIds.slice(0, Number(first)).map((id) => ({ project_id: id }))
    if (name === 'feed.publish') return [{ published: publish(String(first)) }]
    return [{ waiting: true }]
  }
  return { ...db, query: query as Db['query'] }
}

const listIds = (count: number) => Array.from({ length: count }, (_, n) => `project${n}`)

test('a project whose events cannot be published does not delay the others', async () => {
  const published: string[] = []
  const waiting = toDb(['one', 'broken', 'two'], (id) => {
    if (id === 'broken') throw new Error('no')
    published.push(id)
    return 1
  })
  assert.equal(await publishWaiting({ ...deps, db: waiting }), false)
  assert.deepEqual(published, ['one', 'two'])
})

test('publishWaiting returns true while there may be more to publish', async () => {
  const publish = (count: number, each: number) =>
    publishWaiting({ ...deps, db: toDb(listIds(count), () => each) })
  assert.equal(await publish(0, 0), false)
  assert.equal(await publish(1, PUBLISH_BATCH - 1), false)
  assert.equal(await publish(1, PUBLISH_BATCH), true)
  // One step serves at most 200 projects.
  assert.equal(await publish(199, 1), false)
  assert.equal(await publish(200, 1), true)
})

test('the loop that publishes events waits at most five seconds between two steps', () => {
  assert.ok(FEED_POLL_MS <= 5_000)
})

test('publishAll publishes batch by batch, and fails with unavailable after a hundred full batches', async () => {
  let batches = 0
  const countTo = (full: number) =>
    toDb([], () => {
      batches += 1
      return batches <= full ? PUBLISH_BATCH : 1
    })
  await publishAll({ db: countTo(7) }, 'one')
  assert.equal(batches, 8)
  batches = 0
  await assert.rejects(publishAll({ db: countTo(Infinity) }, 'one'), {
    code: 'unavailable',
    retryAfterSec: 5,
  })
  assert.equal(batches, 100)
})

async function addProject() {
  const { id: projectId } = await owner.addProject()
  const pay = async () => {
    const outcome = await confirmPayment(deps, newOrder(projectId))
    return outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
  }
  const list = async (body: object = {}) =>
    (await owner.post('/sdk/events/list', { projectId, ...body })).json<EventPage>()
  return { projectId, pay, list }
}

test('if a published batch has only live events, a reader of test events gets an empty page with hasMore', async () => {
  const { projectId, pay, list } = await addProject()
  const paymentId = await pay()
  const add = (mode: string, count: number) =>
    rows(
      db,
      `insert into feed_inbox (project_id, type, mode, transaction_id, facts)
       select $1, 'payment.created', $2, $3, '{}' from generate_series(1, $4::int)`,
      [projectId, mode, paymentId, count],
    )
  await list()
  await add('live', PUBLISH_BATCH)
  await add('test', 1)
  const first = await list({ mode: 'test' })
  assert.deepEqual([first.items.length, first.hasMore], [0, true])
  const second = await list({ mode: 'test', after: first.next })
  assert.deepEqual([second.items.length, second.hasMore], [1, false])
})

test('a cursor beyond the last event of its project is refused, however many events another project has', async () => {
  const [small, large] = [await addProject(), await addProject()]
  await small.pay()
  for (let n = 0; n < 3; n += 1) await large.pay()
  await large.list()
  const cursor = parseCursor((await small.list()).next)!
  const beyondEnd = toCursorText({ ...cursor, position: cursor.position + 1n })
  const response = await owner.post('/sdk/events/list', { projectId: small.projectId, after: beyondEnd })
  assert.deepEqual([response.status, response.code], [410, 'cursor_expired'])
})
