import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  callbackRow,
  queueCallbacks,
  toAttemptRecord,
  untilStatus,
} from '../../test/deliveries.ts'
import { startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { Db } from '../db/pool.ts'
import { claimCallbacks } from './claim-store.ts'
import { recordAttempts } from './record-store.ts'
import { RECOVER_GRACE_MS, SLOTS_RESERVED } from './lanes.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.pair })
const { db } = deps
const projectId = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  merchant.received.length = 0
})

/** Sent by another process, which could not write the outcome before its lease expired. */
async function leaveExpiredLease() {
  await queueCallbacks(db, projectId)
  const [claimed] = (await claimCallbacks(db, 1 + SLOTS_RESERVED, null, [])).claimed
  await rows(db, `update callbacks set lease_until = now() - interval '1 second' where id = $1`, [
    claimed!.id,
  ])
  return claimed!
}

/** The same while a worker runs, which must not claim it first. */
async function leaveLeaseOfTheDead(): Promise<string> {
  const [id] = await queueCallbacks(db, projectId, 1, { dueInSec: 3_600 })
  await rows(
    db,
    `update callbacks set status = 'sending', attempts = 1, claim = gen_random_uuid(),
       lease_until = now() - interval '1 second', next_at = now() where id = $1`,
    [id],
  )
  return id!
}

/** A worker with its own clock, and a database that a test can make unreachable. */
function startWorker() {
  let nowMs = 0
  let isAway = false
  let failed = 0
  const unreachableDb: Db = Object.assign(Object.create(db), {
    query: (...args: Parameters<Db['query']>) => {
      if (!isAway) return db.query(...args)
      failed += 1
      return Promise.reject(new Error('the database is unreachable'))
    },
  })
  const worker = startDeliveryWorker({ ...deps, db: unreachableDb }, undefined, () => nowMs)
  return {
    worker,
    pass: (ms: number) => {
      nowMs += ms
      worker.wake()
    },
    loseDatabase: async () => {
      isAway = true
      worker.wake()
      await until(() => failed > 0)
      isAway = false
    },
  }
}

async function deliverNew(wake: () => void): Promise<void> {
  const [id] = await queueCallbacks(db, projectId)
  wake()
  await untilStatus(db, id!, 'delivered')
}

test('a process that has just started does not recover expired leases, and delivers what is due', async (t) => {
  const held = await leaveExpiredLease()
  const { worker, pass } = startWorker()
  t.after(() => worker.stop())
  await deliverNew(() => worker.wake())
  pass(RECOVER_GRACE_MS - 1)
  await deliverNew(() => worker.wake())
  assert.equal((await callbackRow(db, held.id)).status, 'sending')
  assert.equal((await recordAttempts(db, [toAttemptRecord(held, ACCEPTED)])).recorded.length, 1)
  pass(RECOVER_GRACE_MS)
  await deliverNew(() => worker.wake())
  assert.equal(merchant.received.filter(({ id }) => id === held.id).length, 0, 'sent a second time')
})

test('the lease of a dead process is recovered after the grace period, which restarts after an outage', async (t) => {
  const { worker, pass, loseDatabase } = startWorker()
  t.after(() => worker.stop())
  await deliverNew(() => worker.wake())
  pass(RECOVER_GRACE_MS)
  await untilStatus(db, await leaveLeaseOfTheDead(), 'delivered')
  await loseDatabase()
  const id = await leaveLeaseOfTheDead()
  await deliverNew(() => worker.wake())
  await deliverNew(() => worker.wake())
  assert.equal((await callbackRow(db, id)).status, 'sending')
  pass(RECOVER_GRACE_MS)
  await untilStatus(db, id, 'delivered')
})
