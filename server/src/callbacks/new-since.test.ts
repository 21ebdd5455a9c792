import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks, untilStatus } from '../../test/deliveries.ts'
import { accept, startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import type { Queryable } from '../db/pool.ts'
import { fetchDue } from './fetch-store.ts'
import { renewProcess, takeLanes } from './lane-store.ts'
import { READ_ALL, READ_ALL_EVERY_MS, toNewSince, updateNewSince } from './new-since.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const shop = await startMerchant()
const { deps, databaseUrl } = await startPayments({ CALLBACK_ALLOW_HOSTS: shop.hostAndPort })
const { db } = deps
test.after(() => shop.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  Object.assign(shop, { reply: accept, received: [] })
})

const setAge = (id: string, age: string) =>
  rows(db, `update new_callbacks set created_at = now() - $2::interval where id = $1`, [id, age])

async function takeLane(projectId: string) {
  const processId = randomUUID()
  await renewProcess(db, processId, 'no such session')
  const { lanes } = await takeLanes(db, processId, { after: null, dead: [], alive: [processId] })
  const lane = lanes.find((one) => one.projectId === projectId)!
  const request = { ...lane, slots: 10, unrecordedIds: [], entries: [], held: [], isProbe: false }
  return (newSince: Date | null, from: Queryable = db) =>
    fetchDue(from, processId, [{ ...request, newSince }])
}

test('a fetch begins 5 s before the oldest new callback that an earlier fetch found; every 5 s, a fetch reads all new callbacks', () => {
  assert.equal(toNewSince(READ_ALL, 0), null)
  const found = [new Date(60_000), new Date(40_000)]
  const first = updateNewSince(READ_ALL, { newSince: null, found }, 1_000)
  assert.deepEqual(toNewSince(first, 1_000), new Date(35_000))
  const second = updateNewSince(first, { newSince: new Date(35_000), found: [new Date(70_000)] }, 2_000)
  assert.deepEqual(toNewSince(second, 2_000), new Date(65_000))
  // The fetch found no new callback, so the next fetch reads from the same time.
  const third = updateNewSince(second, { newSince: new Date(65_000), found: [] }, 3_000)
  assert.deepEqual(toNewSince(third, 999 + READ_ALL_EVERY_MS), new Date(65_000))
  assert.equal(toNewSince(third, 1_000 + READ_ALL_EVERY_MS), null)
  const fourth = updateNewSince(third, { newSince: null, found: [] }, 7_000)
  assert.deepEqual(toNewSince(fourth, 7_000), new Date(65_000))
})

test('a fetch with a start time leaves out new callbacks from before this time, but not callbacks that are sent again', async () => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [old, recent] = await queueCallbacks(db, projectId, 2)
  await setAge(old!, '1 minute')
  const [repeated] = await queueCallbacks(db, projectId, 1, { trigger: 'manual' })
  await rows(db, `update callbacks set next_at = now() - interval '1 hour' where id = $1`, [repeated])
  const fetch = await takeLane(projectId)
  const idsOf = (fetched: { id: string }[]) => fetched.map(({ id }) => id)
  assert.deepEqual(idsOf(await fetch(new Date(Date.now() - 10_000))), [repeated, recent])
  const all = await fetch(null)
  assert.deepEqual(idsOf(all), [repeated, old, recent])
  assert.ok(Math.abs(Date.now() - 60_000 - all[1]!.dueAt.getTime()) < 10_000)
})

test('a callback is sent even if callbacks with a later time were sent before this callback was committed', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [first] = await queueCallbacks(db, projectId)
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  await untilStatus(db, first!, 'delivered')
  const [late] = await db.transaction(async (tx) => {
    const ids = await queueCallbacks(tx, projectId)
    await tx.query({ name: '', text: `update new_callbacks set created_at = now() - interval '1 hour'` })
    return ids
  })
  // Newer callbacks arrive all the time, so that the lane always has other callbacks to send.
  let isEnded = false
  const others = (async () => {
    while (!isEnded) {
      await queueCallbacks(db, projectId)
      await sleep(10)
    }
  })()
  await untilStatus(db, late!, 'delivered').finally(() => (isEnded = true))
  await others
})

const DEAD_ROWS = 5_000
/** How many pages a start time must save at least. The deleted rows are on about 70 pages of the table and of the index. */
const PAGES_OF_DEAD_ROWS_MIN = 50

test('while an old snapshot is open, a fetch with a start time does not read deleted rows from before this time', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const snapshot = new pg.Client({ connectionString: databaseUrl })
  await snapshot.connect()
  t.after(() => snapshot.end())
  await snapshot.query('begin isolation level repeatable read')
  await snapshot.query('select from new_callbacks')
  await rows(
    db,
    `insert into new_callbacks (project_id, id, mode, created_at)
     select $1, 'msg_' || md5(n::text), 'live', now() - interval '1 minute' from generate_series(1, $2::integer) n`,
    [projectId, DEAD_ROWS],
  )
  await rows(db, 'delete from new_callbacks')
  const [id] = await queueCallbacks(db, projectId)
  const fetch = await takeLane(projectId)
  async function countPages(newSince: Date | null): Promise<number> {
    let pages = 0
    const explained: Queryable = {
      async query(statement, values) {
        const text = `explain (analyze, buffers, format json) ${statement.text}`
        const [row] = await rows<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(db, text, values)
        const { Plan } = row!['QUERY PLAN'][0]
        pages = Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
        return []
      },
    }
    await fetch(newSince, explained)
    return pages
  }
  const newSince = new Date(Date.now() - 10_000)
  const all = await countPages(null)
  const some = await countPages(newSince)
  t.diagnostic(`${all} pages without a start time, ${some} pages with a start time`)
  assert.ok(all - some >= PAGES_OF_DEAD_ROWS_MIN, `${all} and ${some}`)
  assert.deepEqual(
    (await fetch(newSince)).map((one) => one.id),
    [id],
  )
})
