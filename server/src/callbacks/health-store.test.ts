import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  readCallbackRow,
  recordFailures,
  claimAll,
  queueCallbacks,
  recordWithHealth,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { hastenLane } from './hasten-store.ts'
import type { Lane } from './lanes.ts'
import { RAMP_FROM } from './lanes.ts'
import type { AttemptRecord } from './record-store.ts'
import { RETRY_SCHEDULE_SEC } from '@pazar/contract'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps
const addMerchant = () => addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

const claim = () => claimAll(db)

const makeProbeDue = () => rows(db, 'update callback_lanes set probe_at = now()')

async function record(done: readonly AttemptRecord[]): Promise<(Lane & { recoveredAt: string })[]> {
  const health = await recordWithHealth(db, done)
  return health.flatMap(({ recoveredAt, ...lane }) =>
    recoveredAt === null ? [] : [{ ...lane, recoveredAt }],
  )
}

async function readLane(): Promise<{ failures_in_row: number; ramp: number | null; probe_in_sec: number }> {
  const found = await rows<{ failures_in_row: number; ramp: number | null; probe_in_sec: number }>(
    db,
    `select failures_in_row, ramp, extract(epoch from probe_at - now())::float8 as probe_in_sec from callback_lanes`,
  )
  return found[0]!
}

async function recover(merchant: string) {
  await queueCallbacks(db, merchant)
  const [probe] = await claimAll(db, 1)
  assert.ok(probe!.isProbe)
  return record([toAttemptRecord(probe!, ACCEPTED)])
}

test('the twentieth failure in a row trips a lane, and the next callback that is fetched is a probe', async () => {
  const merchant = await addMerchant()
  await recordFailures(db, merchant, 19)
  await queueCallbacks(db, merchant)
  const [last] = await claim()
  assert.equal(last!.isProbe, false)
  await record([toAttemptRecord(last!)])
  assert.equal((await readLane()).failures_in_row, 20)
  await queueCallbacks(db, merchant)
  assert.equal((await claimAll(db, 1))[0]!.isProbe, true)
})

test('the first accepted probe reopens the lane, reports the recovery, and makes all waiting callbacks due', async () => {
  const merchant = await addMerchant()
  const failed = await recordFailures(db, merchant, 20)
  const [lane, ...more] = await recover(merchant)
  assert.deepEqual([lane?.projectId, lane?.mode, more], [merchant, 'live', []])
  assert.equal(await hastenLane(db, lane!), failed.length)
  assert.equal((await claim()).length, failed.length)
  assert.deepEqual([(await readLane()).failures_in_row, (await readLane()).ramp], [0, RAMP_FROM])
})

test('after recovery each success raises the concurrency of the lane, and many failures halve it', async () => {
  const merchant = await addMerchant()
  await recordFailures(db, merchant, 20)
  await recover(merchant)
  await queueCallbacks(db, merchant, 400)
  const send = async (count: number, good: number) => {
    const sent = (await claim()).slice(0, count)
    await record(sent.map((one, n) => toAttemptRecord(one, n < good ? ACCEPTED : {})))
    return (await readLane()).ramp
  }
  assert.deepEqual([await send(2, 2), await send(4, 4), await send(8, 8)], [4, 8, 16])
  assert.equal(await send(16, 5), 8)
  assert.equal(await send(64, 64), 72)
  assert.equal(await send(40, 40), null, 'full concurrency is reached')
})

test('when a lane recovers, callbacks of the other mode and of other merchants keep their due time', async () => {
  const merchant = await addMerchant()
  await recordFailures(db, merchant, 20)
  const [inTest] = await queueCallbacks(db, merchant, 1, { mode: 'test', dueInSec: 3600 })
  const [ofOther] = await queueCallbacks(db, await addMerchant(), 1, { dueInSec: 3600 })
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  for (const id of [inTest!, ofOther!]) assert.ok((await readCallbackRow(db, id)).due_in_sec > 3500)
})

test('if an attempt is brought forward after a recovery, it uses no step of the retry schedule', async () => {
  const merchant = await addMerchant()
  const ids = await recordFailures(db, merchant, 20)
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  const [next] = await claim()
  assert.ok(ids.includes(next!.id))
  assert.deepEqual([next!.attempt, next!.nth], [2, 1])
})

test('a callback that is brought forward gets a step of the retry schedule back only if it has used one', async () => {
  const merchant = await addMerchant()
  await recordFailures(db, merchant, 20)
  const [notReady, neverSent] = await queueCallbacks(db, merchant, 2, { dueInSec: 3600 })
  await changeCallbacks(db, 'update callbacks set attempts = 2, not_ready = 2 where id = $1', [notReady])
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  const found = await rows<{ round_from: number }>(
    db,
    'select round_from from callback_states where id = any($1) and next_at <= now()',
    [[notReady, neverSent]],
  )
  assert.deepEqual(found, [{ round_from: 0 }, { round_from: 0 }])
})

test('a callback that was attempted after the recovery keeps its due time', async () => {
  const merchant = await addMerchant()
  await recordFailures(db, merchant, 20)
  const [lane] = await recover(merchant)
  await hastenLane(db, lane!)
  const claimed = await claim()
  const next = { status: 'pending', delaySec: RETRY_SCHEDULE_SEC.live[1]!, usesNoStep: false } as const
  await record(claimed.map((one) => toAttemptRecord(one, { next })))
  assert.ok(claimed.length > 0)
  assert.equal(await hastenLane(db, lane!), 0)
  for (const { id } of claimed) assert.ok((await readCallbackRow(db, id)).due_in_sec > 20)
})

test('a merchant that recovers again and again gets a limited number of extra attempts', async () => {
  const merchant = await addMerchant()
  const [id] = await recordFailures(db, merchant, 20)
  const [lane] = await recover(merchant)
  // The callback has had twice as many attempts as the retry schedule has.
  await changeCallbacks(db, 'update callbacks set attempts = 22, round_from = 15 where id = $1', [id])
  await hastenLane(db, lane!)
  assert.ok((await readCallbackRow(db, id!)).due_in_sec > 3500)
})

test('if the lane has not tripped, a success ends a reported outage only after more than two minutes of failures', async () => {
  const merchant = await addMerchant()
  await recordFailures(db, merchant, 5)
  await rows(db, 'update callback_lanes set told_at = now(), down_since = failing_since')
  await queueCallbacks(db, merchant, 2)
  const [first, second] = await claim()
  assert.deepEqual(await record([toAttemptRecord(first!, ACCEPTED)]), [])
  await record([toAttemptRecord(second!)])
  await rows(db, `update callback_lanes set failing_since = now() - interval '3 minutes'`)
  await queueCallbacks(db, merchant)
  const [third] = await claim()
  const [recovered] = await record([toAttemptRecord(third!, ACCEPTED)])
  assert.equal(recovered?.projectId, merchant)
})

test('a failed probe delays the next probe, and a late outcome of an earlier attempt does not', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 40)
  const sent = await claim()
  await record(sent.slice(0, 39).map((one) => toAttemptRecord(one)))
  await queueCallbacks(db, merchant, 5)
  await makeProbeDue()
  const probe = (await claimAll(db, 2)).find(({ id }) => id !== sent[39]!.id)
  // The last attempt from before the trip is recorded while the probe is in flight.
  await record([toAttemptRecord(sent[39]!)])
  assert.ok((await readLane()).probe_in_sec <= 0)
  await record([toAttemptRecord(probe!)])
  const { probe_in_sec: pauseSec } = await readLane()
  assert.ok(pauseSec > 3 && pauseSec <= 5, 'the pause between two probes')
})

test('a success between failures starts their count again, so the lane does not trip', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 30)
  const sent = await claim()
  await record(sent.map((one, n) => toAttemptRecord(one, n === 15 ? ACCEPTED : {})))
  assert.equal((await readLane()).failures_in_row, 14)
})
