// A process that takes over a lane does not resend the callbacks in flight immediately, because the other process may still
// be running and record their outcomes. First, RECOVER_GRACE_MS must have passed since the start of the new owner, since the
// takeover and since the last outage of the database.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  listAttemptRows,
  readCallbackRow,
  claimAll,
  queueCallbacks,
  toAttemptRecord,
  untilStatus,
} from '../../test/deliveries.ts'
import { startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { Db } from '../db/pool.ts'
import { recordAttempts } from './record-store.ts'
import { RECOVER_GRACE_MS } from './lanes.ts'
import { startDeliveryWorker } from './worker-loop.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const projectId = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  merchant.received.length = 0
})

/** Another process sent this callback, and lost the lane before it could write the outcome. */
async function addUnrecorded() {
  await queueCallbacks(db, projectId)
  const [sent] = await claimAll(db)
  return sent!
}

async function addExpiredClaim(): Promise<string> {
  const [id] = await queueCallbacks(db, projectId, 1, { dueInSec: 3_600 })
  // This takes two steps, because a trigger refuses the change from pending to sending in a lane that a process owns.
  await changeCallbacks(db, `update callbacks set status = 'exhausted' where id = $1`, [id])
  await changeCallbacks(
    db,
    `update callbacks set status = 'sending', attempts = 1, claim = gen_random_uuid(),
       lease_until = now() - interval '1 second', next_at = now() where id = $1`,
    [id],
  )
  return id!
}

function startWorker() {
  let nowMs = 0
  let isUnreachable = false
  let failed = 0
  let beats = 0
  let hadWriteFailure = false
  const switchableDb: Db = Object.assign(Object.create(db), {
    hadWriteFailure: () => hadWriteFailure,
    query: (...args: Parameters<Db['query']>) => {
      if (args[0].name === 'lanes.beat') beats += 1
      if (!isUnreachable) return db.query(...args)
      failed += 1
      return Promise.reject(new Error('the database is unreachable'))
    },
  })
  const worker = startDeliveryWorker({ ...deps, db: switchableDb }, undefined, () => nowMs)
  return {
    worker,
    passTime: (ms: number) => {
      nowMs += ms
      worker.wake()
    },
    reportWriteFailures: (isFailing: boolean) => {
      hadWriteFailure = isFailing
    },
    untilChecked: async () => {
      const beatsBefore = beats
      await until(() => beats > beatsBefore + 2)
    },
    interruptDatabase: async () => {
      isUnreachable = true
      worker.wake()
      await until(() => failed > 0)
      isUnreachable = false
    },
  }
}

async function deliverNew(wake: () => void): Promise<void> {
  const [id] = await queueCallbacks(db, projectId)
  wake()
  await untilStatus(db, id!, 'delivered')
}

test('a callback that another process sent is not sent again if its outcome is recorded during the grace period', async (t) => {
  const held = await addUnrecorded()
  const { worker, passTime, untilChecked } = startWorker()
  t.after(() => worker.stop())
  await deliverNew(() => worker.wake())
  await untilChecked()
  assert.equal((await readCallbackRow(db, held.id)).attempts, 0)
  passTime(RECOVER_GRACE_MS - 1)
  await deliverNew(() => worker.wake())
  assert.equal((await readCallbackRow(db, held.id)).attempts, 0)
  assert.equal((await recordAttempts(db, [toAttemptRecord(held, ACCEPTED)])).recorded.length, 1)
  passTime(RECOVER_GRACE_MS)
  await deliverNew(() => worker.wake())
  assert.equal(merchant.received.filter(({ id }) => id === held.id).length, 0, 'no second request is sent')
})

test('an expired claim is recovered after the grace period, which restarts after an outage', async (t) => {
  const { worker, passTime, interruptDatabase } = startWorker()
  t.after(() => worker.stop())
  await deliverNew(() => worker.wake())
  passTime(RECOVER_GRACE_MS)
  await untilStatus(db, await addExpiredClaim(), 'delivered')
  await interruptDatabase()
  const id = await addExpiredClaim()
  await deliverNew(() => worker.wake())
  await deliverNew(() => worker.wake())
  assert.equal((await readCallbackRow(db, id)).status, 'sending')
  // The grace period begins with the first successful beat after the outage. That beat may not have run yet.
  await until(async () => {
    passTime(RECOVER_GRACE_MS)
    return (await readCallbackRow(db, id)).status === 'delivered'
  })
})

test('while writes fail, the grace period does not run', async (t) => {
  const { worker, passTime, reportWriteFailures, untilChecked } = startWorker()
  t.after(() => worker.stop())
  await untilChecked()
  reportWriteFailures(true)
  await untilChecked()
  const id = await addExpiredClaim()
  passTime(RECOVER_GRACE_MS)
  await untilChecked()
  assert.equal((await readCallbackRow(db, id)).status, 'sending')
  reportWriteFailures(false)
  await until(async () => {
    passTime(RECOVER_GRACE_MS)
    return (await readCallbackRow(db, id)).status === 'delivered'
  })
})

test('a callback of a dead owner is logged as interrupted and sent again after the grace period', async (t) => {
  const lost = await addUnrecorded()
  const { worker, passTime } = startWorker()
  t.after(() => worker.stop())
  await deliverNew(() => worker.wake())
  passTime(RECOVER_GRACE_MS)
  await untilStatus(db, lost.id, 'delivered')
  assert.deepEqual(
    (await listAttemptRows(db, lost.id)).map((row) => [row.attempt, row.outcome]),
    [
      [1, 'interrupted'],
      [2, 'delivered'],
    ],
  )
})
