import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { RETRY_SCHEDULE_SEC } from '@pazar/contract'
import type { Mode } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, claimAll, queueCallbacks, readCallbackRow } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'
import { sendPlannedTooLate } from './clock-store.ts'
import { BREAKER_FAILURES } from './lanes.ts'
import { findOwnedLanes } from './lane-store.ts'

const { deps } = await startPayments()
const { db } = deps
const projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

test('a new callback that was stored while the database’s clock was an hour ahead is sent at once', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await rows(db, `update callbacks set created_at = now() + interval '1 hour'`)
  await rows(db, `update new_callbacks set created_at = now() + interval '1 hour'`)
  assert.deepEqual(
    (await claimAll(db)).map((one) => one.id),
    [id],
  )
})

interface Planned {
  mode?: Mode
  /** How many steps of the schedule the callback has used. */
  steps: number
  notReady?: number
  inSec: number
}

/** Stores a callback that is planned `inSec` ahead. Returns whether `sendPlannedTooLate` makes it due. */
async function isSentNow({ mode = 'live', steps, notReady = 0, inSec }: Planned): Promise<boolean> {
  const [id] = await queueCallbacks(db, projectId, 1, { mode })
  // The callback also had two attempts in an earlier round. They use no step of this round.
  await changeCallbacks(
    db,
    `update callbacks set attempts = 2 + $2 + $3, round_from = 2, not_ready = $3, next_at = now() + make_interval(secs => $4::float8)
     where id = $1`,
    [id, steps, notReady, inSec],
  )
  await sendPlannedTooLate(db)
  return (await readCallbackRow(db, id!)).due_in_sec <= 0
}

const HOUR_SEC = 3_600

test('a callback that is planned further ahead than its schedule allows is sent at once', async () => {
  assert.equal(await isSentNow({ steps: 0, inSec: HOUR_SEC }), true)
  assert.equal(await isSentNow({ steps: 1, inSec: HOUR_SEC }), true)
  assert.equal(await isSentNow({ steps: 0, notReady: 4, inSec: HOUR_SEC }), true)
  assert.equal(await isSentNow({ mode: 'test', steps: 3, inSec: HOUR_SEC }), true)
})

test('a callback that is planned as far ahead as its schedule allows keeps its time', async () => {
  for (const mode of ['live', 'test'] as const)
    for (const [index, sec] of RETRY_SCHEDULE_SEC[mode].entries()) {
      // The schedule's delay, plus 20% of jitter, doubled by the merchant's Retry-After header.
      const inSec = 2 * 1.2 * sec - 1
      assert.equal(await isSentNow({ mode, steps: index + 1, inSec }), false, `${mode} ${sec}`)
    }
  assert.equal(await isSentNow({ steps: 0, notReady: 10, inSec: 30 * 60 }), false, 'our egress failed')
})

test('sendPlannedTooLate returns how many callbacks it made due, even if there was more than one batch', async () => {
  await queueCallbacks(db, projectId, 501, { dueInSec: HOUR_SEC })
  assert.equal(await sendPlannedTooLate(db), 501)
  assert.equal(await sendPlannedTooLate(db), 0)
})

test('a merchant whose next probe is planned too far ahead is probed at once', async () => {
  await queueCallbacks(db, projectId)
  const [claimed] = await claimAll(db)
  assert.ok(claimed)
  const [lane] = await rows<{ owner: string }>(
    db,
    `update callback_lanes set failures_in_row = $1, failing_since = now(), probe_at = now() + interval '1 hour' returning owner::text`,
    [BREAKER_FAILURES],
  )
  await sendPlannedTooLate(db)
  const [owned] = await findOwnedLanes(db, lane!.owner)
  assert.ok(owned!.probeInMs <= 0, String(owned!.probeInMs))
})
