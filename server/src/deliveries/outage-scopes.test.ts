// An outage mail is about one project in live mode.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startCallbackScopes } from '../../test/callback-scopes.ts'
import { readCallbackRow, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import {
  countWaiting,
  findLaneToNotify,
  findLastFailure,
  giveUpWaiting,
  recordNotification,
} from './outage-mails-store.ts'

const { deps } = await startPayments()
const { db } = deps
const { projectId, otherId, addAttempt, setColumns: set } = await startCallbackScopes(deps)

interface Lane {
  mode?: 'live' | 'test'
  failures?: number
  failingSec?: number
  lastFailureSec?: number
  more?: string
}

async function insertLane(laneProjectId: string, lane: Lane = {}): Promise<void> {
  const { mode = 'live', failures = 3, failingSec = 600, lastFailureSec = 0, more } = lane
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, failures_in_row, failing_since, last_failure_at)
     values ($1, $2, $3::int, case when $3::int > 0 then now() - make_interval(secs => $4::float8) end,
       now() - make_interval(secs => $5::float8))
     on conflict (project_id, mode) do update set failures_in_row = excluded.failures_in_row,
       failing_since = excluded.failing_since, last_failure_at = excluded.last_failure_at`,
    [laneProjectId, mode, failures, failingSec, lastFailureSec],
  )
  if (more)
    await rows(db, `update callback_lanes set ${more} where project_id = $1 and mode = $2`, [
      laneProjectId,
      mode,
    ])
}

const findNext = () => db.transaction((tx) => findLaneToNotify(tx))

test('a lane is reported as failing after three failures and two minutes, in live mode only', async () => {
  await insertLane(projectId, { mode: 'test', more: 'exhausted_untold = 1' })
  assert.equal(await findNext(), null)
  await insertLane(projectId, { failures: 2 })
  assert.equal(await findNext(), null)
  await insertLane(projectId, { failures: 3, failingSec: 119 })
  assert.equal(await findNext(), null)
  await insertLane(projectId, { failures: 3, failingSec: 122 })
  const lane = await findNext()
  assert.deepEqual([lane?.projectId, lane?.isFailing, lane?.exhausted], [projectId, true, 0])
  assert.equal(lane?.recovered, null)
  assert.equal(lane.isOwnerAccountClosed, false)
})

test('an outage that was reported and goes on is not reported again within a day', async () => {
  await insertLane(projectId, { more: `told_at = now() - interval '23 hours', down_since = now()` })
  assert.equal(await findNext(), null)
  await insertLane(projectId, { more: `told_at = now() - interval '25 hours'` })
  assert.equal((await findNext())?.isFailing, true)
})

test('callbacks that were given up are reported at most once a day', async () => {
  const exhaustedToldBefore = (hours: number) =>
    `exhausted_untold = 2, exhausted_told_at = now() - interval '${hours} hours'`
  await insertLane(projectId, { failures: 0, more: exhaustedToldBefore(23) })
  assert.equal(await findNext(), null)
  await insertLane(projectId, { failures: 0, more: exhaustedToldBefore(25) })
  assert.equal((await findNext())?.exhausted, 2)
})

test('a notification is recorded only for the live lane of its project', async () => {
  const state = `told_at = null, down_since = null, caught_up = 7, given_up = 4, exhausted_untold = 2, healed_at = now()`
  const lanes = [
    [projectId, 'live'],
    [projectId, 'test'],
    [otherId, 'live'],
  ] as const
  for (const [laneProjectId, mode] of lanes) await insertLane(laneProjectId, { mode, more: state })
  const readOthers = () =>
    rows(
      db,
      `select told_at, down_since, caught_up, given_up, exhausted_untold, healed_at from callback_lanes
       where not (project_id = $1 and mode = 'live') order by project_id, mode`,
      [projectId],
    )
  const readOwn = async () =>
    (
      await rows(
        db,
        `select told_at is not null as notified, down_since = failing_since as down, caught_up, given_up, exhausted_untold,
           exhausted_told_at is not null as exhausted_notified, healed_at is not null as recovered
         from callback_lanes where project_id = $1 and mode = 'live'`,
        [projectId],
      )
    )[0]!
  const othersBefore = await readOthers()
  const record = (change: 'failing' | 'exhausted' | 'recovered') =>
    db.transaction((tx) => recordNotification(tx, projectId, change))

  await record('failing')
  const failing = await readOwn()
  assert.deepEqual([failing['notified'], failing['down'], failing['caught_up']], [true, true, 0])
  assert.equal(failing['given_up'], 4)
  await record('exhausted')
  const exhausted = await readOwn()
  assert.deepEqual([exhausted['exhausted_untold'], exhausted['exhausted_notified']], [0, true])
  await record('recovered')
  const recovered = await readOwn()
  assert.deepEqual([recovered['down'], recovered['recovered'], recovered['given_up']], [null, false, 0])
  assert.deepEqual(await readOthers(), othersBefore)
})

test('an outage that is reported again after a day keeps its start time and its number of late callbacks', async () => {
  await insertLane(projectId, { more: `down_since = now() - interval '2 days', caught_up = 7` })
  await db.transaction((tx) => recordNotification(tx, projectId, 'failing'))
  const [lane] = await rows(
    db,
    `select now() - down_since > interval '1 day' as is_old, caught_up from callback_lanes`,
  )
  assert.deepEqual(lane, { is_old: true, caught_up: 7 })
})

test('a recovery is reported after a minute without failures, but only when no callback that was made before the recovery is still due', async () => {
  const recover = (recoveredSec: number, failures = 0) =>
    insertLane(projectId, {
      failures,
      failingSec: 0,
      more: `down_since = now() - interval '1 hour', healed_at = now() - interval '${recoveredSec} seconds', caught_up = 5, given_up = 1`,
    })
  const findRecovered = async () => (await findNext())?.recovered ?? null
  await recover(30)
  assert.equal(await findRecovered(), null, 'the recovery is less than a minute old')
  await recover(62, 1)
  assert.equal(await findRecovered(), null, 'the merchant fails again')
  await recover(62)
  assert.deepEqual(await findRecovered(), { caughtUp: 5, givenUp: 1 })
  const beforeRecovery = `created_at = now() - interval '10 minutes'`
  const [waiting = '', later = '', sent = ''] = await queueCallbacks(db, projectId, 3)
  const [afterRecovery = ''] = await queueCallbacks(db, projectId)
  const [inTest = ''] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [ofOtherProject = ''] = await queueCallbacks(db, otherId)
  for (const id of [waiting, later, sent, inTest, ofOtherProject]) await set(id, beforeRecovery)
  await set(later, `next_at = now() + interval '2 minutes'`)
  await set(sent, `status = 'delivered', delivered_at = now()`)
  assert.equal(await findRecovered(), null, 'a due callback of this project still waits')
  await set(waiting, `status = 'exhausted'`)
  assert.notEqual(await findRecovered(), null, `${afterRecovery} was made after the recovery`)
})

test('the mail counts the waiting live callbacks of its project', async () => {
  await queueCallbacks(db, projectId, 2)
  await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await queueCallbacks(db, otherId, 1)
  const [done = ''] = await queueCallbacks(db, projectId)
  await set(done, `status = 'delivered', delivered_at = now()`)
  assert.equal(await countWaiting(db, projectId), 2)
})

test('the mail explains the latest live attempt that failed at the merchant, not one that was interrupted', async () => {
  const [live = ''] = await queueCallbacks(db, projectId)
  const [inTest = ''] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [ofOtherProject = ''] = await queueCallbacks(db, otherId)
  await addAttempt(live, { attempt: 1, statusCode: 500, ageSec: 60 })
  await addAttempt(live, { attempt: 2, statusCode: 503, ageSec: 50 })
  await addAttempt(live, { attempt: 3, outcome: 'interrupted', statusCode: null, ageSec: 40 })
  await addAttempt(live, { attempt: 4, outcome: 'delivered', statusCode: 200, ageSec: 30 })
  await addAttempt(inTest, { statusCode: 404, ageSec: 20 })
  await addAttempt(ofOtherProject, { statusCode: 403, ageSec: 10, of: otherId })
  assert.equal((await findLastFailure(db, projectId))?.statusCode, 503)
})

test('giveUpWaiting gives up only callbacks that waited for four days without an attempt while their merchant was down', async () => {
  const DAYS = 24 * 3600
  await insertLane(projectId, { failingSec: 5 * DAYS })
  await insertLane(otherId, { failingSec: 3 * DAYS })
  const setAge = (id: string, days: number, more = '') =>
    set(id, `created_at = now() - make_interval(days => ${days})${more}`)
  const [old = '', young = '', attempted = ''] = await queueCallbacks(db, projectId, 3)
  const [inTest = ''] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [ofOtherProject = ''] = await queueCallbacks(db, otherId)
  for (const id of [old, inTest, ofOtherProject]) await setAge(id, 5)
  await setAge(young, 3)
  await setAge(attempted, 5, ', attempts = 1')
  await rows(db, 'update callback_lanes set exhausted_untold = 2, given_up = 3')
  assert.equal(await giveUpWaiting(db), 1)
  const statuses = await Promise.all(
    [old, young, attempted, inTest, ofOtherProject].map(async (id) => (await readCallbackRow(db, id)).status),
  )
  assert.deepEqual(statuses, ['exhausted', 'pending', 'pending', 'pending', 'pending'])
  const [lane] = await rows(
    db,
    `select exhausted_untold, given_up from callback_lanes where project_id = $1 and mode = 'live'`,
    [projectId],
  )
  assert.deepEqual(lane, { exhausted_untold: 3, given_up: 4 })
})
