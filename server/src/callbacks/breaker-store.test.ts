import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  callbackRow,
  failInRow,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { claimProbes, hastenLane } from './breaker-store.ts'
import { claimCallbacks } from './claim-store.ts'
import { recordAttempts } from './record-store.ts'
import { SLOTS } from './lanes.ts'
import { RETRY_SCHEDULE_SEC } from '@pazar/contract'

const { deps } = await startPayments()
const { db } = deps
const addMerchant = () => addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

const claim = () => claimCallbacks(db, SLOTS, null, [])

const makeProbeDue = () => rows(db, 'update callback_lanes set probe_at = now()')

/** The probe by which the recovery of a merchant is detected. */
async function recover(merchant: string) {
  await queueCallbacks(db, merchant)
  await makeProbeDue()
  const [probe] = await claimProbes(db, [{ projectId: merchant, mode: 'live' }])
  const { recovered } = await recordAttempts(db, [toAttemptRecord(probe!, ACCEPTED)])
  return recovered
}

test('nineteen failures in a row leave a lane open, the twentieth closes it', async () => {
  const merchant = await addMerchant()
  await failInRow(db, merchant, 19)
  await queueCallbacks(db, merchant)
  const open = await claim()
  assert.deepEqual([open.claimed.length, open.tripped], [1, []])
  await recordAttempts(db, [toAttemptRecord(open.claimed[0]!)])
  await queueCallbacks(db, merchant)
  const closed = await claim()
  assert.deepEqual([closed.claimed, closed.tripped], [[], [{ projectId: merchant, mode: 'live' }]])
})

test('after twenty failures in a row a lane is only probed, and waiting callbacks lose no attempt', async () => {
  const [merchant, other] = [await addMerchant(), await addMerchant()]
  await failInRow(db, merchant, 20)
  await queueCallbacks(db, merchant, 30)
  await queueCallbacks(db, other, 1)
  await makeProbeDue()
  const { claimed, tripped } = await claim()
  assert.deepEqual(
    claimed.map((one) => one.projectId),
    [other],
  )
  assert.deepEqual(tripped, [{ projectId: merchant, mode: 'live' }])
  const [first, second] = await Promise.all([claimProbes(db, tripped), claimProbes(db, tripped)])
  assert.equal(first.length + second.length, 1, 'one probe although two claimed at once')
  assert.deepEqual((await claim()).tripped, [], 'the others wait')
  const waiting = await rows<{ attempts: number }>(
    db,
    `select attempts from callbacks where project_id = $1 and status = 'pending' and attempts = 0`,
    [merchant],
  )
  assert.equal(waiting.length, 29)
})

test('the first 2xx of a probe opens the lane, reports the recovery, and makes all waiting callbacks due', async () => {
  const merchant = await addMerchant()
  const failed = await failInRow(db, merchant, 20)
  const [lane, ...more] = await recover(merchant)
  assert.deepEqual([lane?.projectId, lane?.mode, more], [merchant, 'live', []])
  assert.equal(await hastenLane(db, lane!), failed.length)
  const { claimed, tripped } = await claim()
  assert.deepEqual(tripped, [])
  assert.ok(claimed.length > 0)
})

test('after recovery each success raises the concurrency of the lane, and many failures halve it', async () => {
  const merchant = await addMerchant()
  await failInRow(db, merchant, 20)
  await recover(merchant)
  await queueCallbacks(db, merchant, 400)
  const accept = async () => {
    const { claimed } = await claim()
    for (const batch of [claimed.slice(0, 64), claimed.slice(64)])
      if (batch.length > 0)
        await recordAttempts(
          db,
          batch.map((one) => toAttemptRecord(one, ACCEPTED)),
        )
    return claimed.length
  }
  assert.deepEqual([await accept(), await accept(), await accept()], [2, 4, 8])
  const { claimed } = await claim()
  assert.equal(claimed.length, 16)
  await recordAttempts(
    db,
    claimed.map((one, n) => toAttemptRecord(one, n < 5 ? ACCEPTED : {})),
  )
  assert.deepEqual([await accept(), await accept(), await accept(), await accept()], [8, 16, 32, 64])
  const [lane] = await rows<{ ramp: number | null }>(db, 'select ramp from callback_lanes')
  assert.equal(lane!.ramp, null, 'full concurrency is reached')
})

test('callbacks of the other mode or of another merchant keep their due time', async () => {
  const merchant = await addMerchant()
  await failInRow(db, merchant, 20)
  const [inTest] = await queueCallbacks(db, merchant, 1, { mode: 'test', dueInSec: 3600 })
  const [ofOther] = await queueCallbacks(db, await addMerchant(), 1, { dueInSec: 3600 })
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  for (const id of [inTest!, ofOther!]) assert.ok((await callbackRow(db, id)).due_in_sec > 3500)
})

test('an attempt that is brought forward uses no step of the schedule', async () => {
  const merchant = await addMerchant()
  const ids = await failInRow(db, merchant, 20)
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  const [again] = (await claim()).claimed
  assert.ok(ids.includes(again!.id))
  assert.deepEqual([again!.attempt, again!.nth], [2, 1])
})

test('no step is given back for a not-ready response or a callback that was never sent', async () => {
  const merchant = await addMerchant()
  await failInRow(db, merchant, 20)
  const [early, fresh] = await queueCallbacks(db, merchant, 2, { dueInSec: 3600 })
  await rows(db, 'update callbacks set attempts = 2, not_ready = 2 where id = $1', [early])
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  const found = await rows<{ round_from: number }>(
    db,
    'select round_from from callbacks where id = any($1) and next_at <= now()',
    [[early, fresh]],
  )
  assert.deepEqual(found, [{ round_from: 0 }, { round_from: 0 }])
})

test('a callback that was attempted after the recovery keeps its due time', async () => {
  const merchant = await addMerchant()
  await failInRow(db, merchant, 20)
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  const { claimed } = await claim()
  const next = { status: 'pending', delaySec: RETRY_SCHEDULE_SEC.live[1]!, isNotReady: false } as const
  await recordAttempts(
    db,
    claimed.map((one) => toAttemptRecord(one, { next })),
  )
  assert.ok(claimed.length > 0)
  assert.equal(await hastenLane(db, lane!), 0)
  for (const { id } of claimed) assert.ok((await callbackRow(db, id)).due_in_sec > 20)
})

test('a merchant that recovers again and again gets a limited number of extra attempts', async () => {
  const merchant = await addMerchant()
  const [id] = await failInRow(db, merchant, 20)
  const [lane] = await recover(merchant)
  await rows(db, 'update callbacks set attempts = 22, round_from = 15 where id = $1', [id])
  await hastenLane(db, lane!)
  assert.ok((await callbackRow(db, id!)).due_in_sec > 3500)
})

test('a single success between failures does not end an outage', async () => {
  const merchant = await addMerchant()
  await failInRow(db, merchant, 5)
  await rows(db, 'update callback_lanes set told_at = now(), down_since = failing_since')
  await queueCallbacks(db, merchant, 2)
  const [first, second] = (await claim()).claimed
  assert.deepEqual((await recordAttempts(db, [toAttemptRecord(first!, ACCEPTED)])).recovered, [])
  await recordAttempts(db, [toAttemptRecord(second!)])
  // The merchant was notified, and for two minutes no callback arrived.
  await rows(db, `update callback_lanes set failing_since = now() - interval '3 minutes'`)
  await queueCallbacks(db, merchant)
  const [third] = (await claim()).claimed
  const { recovered } = await recordAttempts(db, [toAttemptRecord(third!, ACCEPTED)])
  assert.equal(recovered[0]?.projectId, merchant)
})

test('a failed probe is followed by a pause, which late outcomes of earlier attempts do not shorten', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 40)
  const { claimed } = await claim()
  await recordAttempts(
    db,
    claimed.slice(0, 39).map((one) => toAttemptRecord(one)),
  )
  await queueCallbacks(db, merchant, 5)
  await makeProbeDue()
  const [probe] = await claimProbes(db, (await claim()).tripped)
  assert.ok(probe)
  // The last attempt from before the trip is recorded while the probe is in flight.
  await recordAttempts(db, [toAttemptRecord(claimed[39]!)])
  const waits = async () =>
    (
      await rows<{ sec: number }>(
        db,
        `select extract(epoch from probe_at - now())::float8 as sec from callback_lanes`,
      )
    )[0]!.sec
  assert.ok((await waits()) > 10, 'still as long as the lease')
  await recordAttempts(db, [toAttemptRecord(probe)])
  assert.ok((await waits()) <= 5, 'the pause between two probes')
  await queueCallbacks(db, merchant, 1)
  assert.deepEqual(await claimProbes(db, (await claim()).tripped), [])
})

test('one success among the failures keeps the lane open', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 30)
  const { claimed } = await claim()
  await recordAttempts(
    db,
    claimed.map((one, n) => toAttemptRecord(one, n === 15 ? ACCEPTED : {})),
  )
  await queueCallbacks(db, merchant, 5)
  const next = await claim()
  assert.deepEqual([next.tripped, next.claimed.length], [[], 5])
})
