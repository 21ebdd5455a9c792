// A statement that finds a row locked by another session either waits and reads the row again, or skips the row.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  listAttemptRows,
  readCallbackRow,
  claimAll,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import { changeCallbacks, whileHeld } from '../../test/stored-forms.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findLaneToNotify, giveUpWaiting } from '../deliveries/outage-mails-store.ts'
import { lockQueuedOf } from './erasure-store.ts'
import { fetchDue } from './fetch-store.ts'
import { toSendingEntry } from './flights.ts'
import { hastenLane } from './hasten-store.ts'
import { findOwnedLanes, giveBackLanes, renewProcess, takeLanes } from './lane-store.ts'
import { recordAttempts } from './record-store.ts'
import { interruptAttempts, recoverClaims } from './recover-store.ts'
import { lockCallback, startNewRounds } from './resend-store.ts'

const { db, projectId, add } = await startTwoProjects()
const LANE = { projectId, mode: 'live' } as const
const [A, B] = [randomUUID(), randomUUID()]
const take = (id: string) => takeLanes(db, id, { after: null, dead: [], alive: [id] })
const set = (id: string, columns: string) =>
  changeCallbacks(db, `update callbacks set ${columns} where id = $1`, [id])

async function isLocked(id: string): Promise<boolean> {
  try {
    await rows(db, 'select from callbacks where id = $1 for update nowait', [id])
    return false
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error
    assert.ok(cause instanceof Error && 'code' in cause && cause.code === '55P03', String(cause))
    return true
  }
}

test('a callback that a person resends, or whose data is about to be erased, is locked until the commit', async () => {
  const { id, payment } = await add({ status: 'delivered' })
  await db.transaction(async (tx) => {
    await lockCallback(tx, projectId, id)
    assert.equal(await isLocked(id), true)
  })
  await db.transaction(async (tx) => {
    await lockQueuedOf(tx, [payment])
    assert.equal(await isLocked(id), true)
  })
  assert.equal(await isLocked(id), false)
})

test('if a lane gets another owner during a fetch, the fetch returns nothing and does not change the lane', async () => {
  for (const id of [A, B]) await renewProcess(db, id, 'no such session')
  await queueCallbacks(db, projectId)
  const [lane] = (await take(A)).lanes
  const move = `update callback_lanes set owner = $1, fence = fence + 1, sending = '{kept}'`
  const request = { ...lane!, slots: 10, unrecordedIds: [], entries: [], held: [], isProbe: false }
  const fetched = await whileHeld(
    db,
    (tx) => rows(tx, move, [B]),
    () => fetchDue(db, A, [request]),
  )
  assert.deepEqual(fetched, [])
  assert.deepEqual(await rows(db, 'select sending from callback_lanes'), [{ sending: ['kept'] }])
})

test('a lane that another process takes at the same moment is not taken a second time', async () => {
  for (const id of [A, B]) await renewProcess(db, id, 'no such session')
  await queueCallbacks(db, projectId)
  await rows(db, 'insert into callback_lanes (project_id, mode) values ($1, $2)', [projectId, 'live'])
  const { lanes } = await whileHeld(
    db,
    (tx) => rows(tx, 'update callback_lanes set owner = $1, fence = fence + 1', [B]),
    () => take(A),
  )
  assert.deepEqual(lanes, [])
  assert.equal((await findOwnedLanes(db, B)).length, 1)
})

test('after a process lost a lane and took it again, a fetch with the old fence has no effect', async () => {
  await renewProcess(db, A, 'no such session')
  await queueCallbacks(db, projectId)
  const [firstLane] = (await take(A)).lanes
  await rows(db, 'update callback_lanes set owner = null')
  const [secondLane] = (await take(A)).lanes
  assert.notEqual(secondLane!.fence, firstLane!.fence)
  const request = { slots: 10, unrecordedIds: [], entries: [], held: [], isProbe: false }
  assert.deepEqual(await fetchDue(db, A, [{ ...firstLane!, ...request }]), [])
  await giveBackLanes(db, A, [{ ...firstLane!, sending: [] }])
  assert.equal((await findOwnedLanes(db, A)).length, 1)
  assert.equal((await fetchDue(db, A, [{ ...secondLane!, ...request }])).length, 1)
})

test('an attempt keeps its outcome if the outcome is recorded just before the attempt would be marked as interrupted', async () => {
  const [id = ''] = await queueCallbacks(db, projectId)
  const [sent] = await claimAll(db)
  await whileHeld(
    db,
    (tx) => recordAttempts(tx, [toAttemptRecord(sent!)]),
    () => interruptAttempts(db, sent!, [toSendingEntry(id, 0, 'auto')]),
  )
  assert.equal((await readCallbackRow(db, id)).last_outcome, 'http_error')
  assert.deepEqual(
    (await listAttemptRows(db, id)).map(({ attempt, outcome }) => [attempt, outcome]),
    [[1, 'http_error']],
  )
})

const CLAIMED = `status = 'sending', attempts = 1, claim = gen_random_uuid(), lease_until = now() - interval '1 second'`

/** Statements that skip locked rows. `prepare` sets the columns of a row; `run` returns how many rows it changed. */
const SKIPPING_STATEMENTS: Record<string, { prepare: string; run: () => Promise<number> }> = {
  startNewRounds: {
    prepare: `status = 'exhausted'`,
    run: async () => (await startNewRounds(db, projectId, 'live', new Date(0))).count,
  },
  recoverClaims: { prepare: CLAIMED, run: () => recoverClaims(db) },
  hastenLane: {
    prepare: `attempts = 1, next_at = now() + interval '1 hour'`,
    run: () => hastenLane(db, { ...LANE, recoveredAt: '2026-11-16T03:00:00Z' }),
  },
  giveUpWaiting: { prepare: `created_at = now() - interval '5 days'`, run: () => giveUpWaiting(db) },
}

for (const [caseName, { prepare, run }] of Object.entries(SKIPPING_STATEMENTS))
  test(`${caseName} skips a callback that another session has locked, and does not wait`, async () => {
    const [held = '', free = ''] = await queueCallbacks(db, projectId, 2)
    await rows(
      db,
      `insert into callback_lanes (project_id, mode, failures_in_row, failing_since, last_failure_at)
       values ($1, 'live', 3, now() - interval '5 days', now())`,
      [projectId],
    )
    for (const id of [held, free]) await set(id, prepare)
    await db.transaction(async (tx) => {
      await rows(tx, 'select from callbacks where id = $1 for update', [held])
      assert.equal(await run(), 1)
    })
    assert.equal(await run(), 1, 'the callback that was locked is next')
  })

test('while one process sends a mail about a lane, other processes skip this lane', async () => {
  await rows(db, `insert into callback_lanes (project_id, mode, exhausted_untold) values ($1, 'live', 1)`, [
    projectId,
  ])
  await db.transaction(async (tx) => {
    assert.equal((await findLaneToNotify(tx))?.projectId, projectId)
    assert.equal(await db.transaction(findLaneToNotify), null)
  })
})
