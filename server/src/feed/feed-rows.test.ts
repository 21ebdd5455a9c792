// Checks which rows the SQL statements of the feed read, lock and delete. Most statements must act on one project only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addPayProject } from '../../test/payer.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { isLocked } from '../../test/row-locks.ts'
import { openDb } from '../db/pool.ts'
import { toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import {
  findRestart,
  hasEpochSince,
  listWaitingProjects,
  lockHeads,
  publishEvents,
  readEvents,
  readHead,
  startEpoch,
} from './feed-store.ts'
import { deleteWaitingEvents } from './inbox-store.ts'
import { toEventView } from './list-events.ts'
import { publishAll, publishBatch } from './publish.ts'

const { deps, databaseUrl } = await startPayments()
const { db } = deps
const addProject = async () => (await addPayProject(deps)).id
const pay = (projectId: string) => confirmPayment(deps, newOrder(projectId))
const countWaiting = async (projectId: string) =>
  (await rows(db, 'select from feed_inbox where project_id = $1', [projectId])).length

test('readHead returns the position of one project, and whether events of that project wait', async () => {
  const [first, second] = [await addProject(), await addProject()]
  await pay(first)
  await pay(first)
  await publishAll(deps, first)
  await pay(second)
  const heads = [await readHead(db, first), await readHead(db, second)]
  assert.deepEqual(
    heads.map(({ position, waiting }) => [position, waiting]),
    [
      [4n, false],
      [0n, true],
    ],
  )
})

test('a batch is published only for the named project', async () => {
  const [first, second] = [await addProject(), await addProject()]
  await pay(first)
  await pay(second)
  await publishBatch(deps, first)
  assert.deepEqual([await countWaiting(first), await countWaiting(second)], [0, 2])
  await publishBatch(deps, first)
  assert.equal((await readHead(db, first)).position, 2n)
})

test('projects with waiting events are listed once each, up to the limit', async () => {
  await rows(db, 'truncate feed_inbox')
  const ids = [await addProject(), await addProject(), await addProject()].toSorted()
  for (const id of ids) for (let count = 0; count < 3; count += 1) await pay(id)
  assert.deepEqual(await listWaitingProjects(db, 10), ids)
  assert.deepEqual(await listWaitingProjects(db, 2), ids.slice(0, 2))
  await rows(db, 'truncate feed_inbox')
  assert.deepEqual(await listWaitingProjects(db, 10), [])
})

test('deleteWaitingEvents removes the waiting events of one project, and no others', async () => {
  const [first, second] = [await addProject(), await addProject()]
  for (const id of [first, second]) await pay(id)
  await db.transaction((tx) => deleteWaitingEvents(tx, first))
  assert.deepEqual([await countWaiting(first), await countWaiting(second)], [0, 2])
})

test('the heads of the named projects are locked until the transaction ends, even the head of a project without events', async () => {
  const [first, second] = [await addProject(), await addProject()]
  for (const id of [first, second]) await db.transaction((tx) => lockHeads(tx, [id]))
  const isHeadLocked = (id: string) =>
    isLocked(databaseUrl, 'select from feed_heads where project_id = $1', [id])
  await db.transaction(async (tx) => {
    await lockHeads(tx, [first])
    assert.deepEqual([await isHeadLocked(first), await isHeadLocked(second)], [true, false])
  })
  assert.equal((await readHead(db, first)).position, 0n)
})

test('after a restore lost events, a cursor from before the restore restarts at the last event before the loss, even if events were published after the loss', async () => {
  const [first, second] = [await addProject(), await addProject()]
  await pay(first)
  await publishAll(deps, first)
  await rows(db, "update feed_events set at = at - interval '1 hour' where project_id = $1", [first])
  // These events are published after the loss, but before the loss is noticed.
  await pay(first)
  await publishAll(deps, first)
  const { epoch } = await readHead(db, first)
  assert.equal(await findRestart(db, first, epoch), null)
  const inAnHourMs = deps.clock.nowMs() + 3_600_000
  assert.equal(await hasEpochSince(db, toDate(inAnHourMs)), false)
  const since = toDate(deps.clock.nowMs() - 600_000)
  await db.transaction((tx) => startEpoch(tx, since))
  const head = await readHead(db, first)
  assert.notEqual(head.epoch, epoch)
  assert.equal(await findRestart(db, first, epoch), 2n)
  assert.equal(await findRestart(db, first, head.epoch), null)
  assert.equal(
    await findRestart(db, second, epoch),
    null,
    'the project had no head when the epoch began, so it has no restart',
  )
  assert.equal(await findRestart(db, first, 'f'.repeat(32)), 0n)
  await db.transaction((tx) => startEpoch(tx, toDate(0)))
  assert.equal(await findRestart(db, first, head.epoch), 0n, 'no event is older than the loss')
  const [row] = await rows<{ at: Date }>(db, 'select max(started_at) as at from feed_epochs')
  assert.equal(await hasEpochSince(db, toDate(row!.at.getTime() - 1_000)), true)
  assert.equal(await hasEpochSince(db, toDate(row!.at.getTime() + 1_000)), false)
})

test('the event of an open payment has no completedAt, and a payment without a stored scale gets `scaleOfOldPayments`', async () => {
  const id = await addProject()
  await pay(id)
  await publishEvents(db, id, 10)
  const [created, result] = await readEvents(db, id, { after: 0n, limit: 10, mode: null })
  const completedAt = (event: typeof created, state: string) => {
    const view = toEventView({ ...event!, facts: { state } as never }, deps.installation)
    return (view.payload as { completedAt: string | null }).completedAt
  }
  for (const state of ['processing', 'requires_action']) assert.equal(completedAt(created, state), null)
  assert.equal(completedAt(result, 'succeeded'), result!.payment.completedAt!.toISOString())
  const withoutScale = { ...created!, payment: { ...created!.payment, scale: null } }
  assert.equal(
    (toEventView(withoutScale, { scaleOfOldPayments: 3 }).payload as { scale: number }).scale,
    3,
    'the payment is from a release that stored no scale',
  )
})

test('a process still reads events after a newer release has added a column to the table of events', async (t) => {
  const id = await addProject()
  await pay(id)
  await publishAll(deps, id)
  // There is only one connection, so the second read uses the statement that the first read has prepared.
  const ownDb = openDb(databaseUrl, { poolMax: 1, onError: () => undefined })
  t.after(() => ownDb.close())
  for (const mode of [null, 'live'] as const) {
    const read = () => readEvents(ownDb, id, { after: 0n, limit: 10, mode })
    const before = await read()
    await rows(db, `alter table feed_events add column added_${mode ?? 'first'} text`)
    assert.deepEqual(await read(), before)
  }
})
