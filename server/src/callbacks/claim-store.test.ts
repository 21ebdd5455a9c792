import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  attemptRows,
  callbackRow,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { claimCallbacks } from './claim-store.ts'
import { releaseClaims } from './release-store.ts'
import { recordAttempts } from './record-store.ts'
import { SLOTS } from './lanes.ts'
import { ATTEMPTS_MAX } from './retry.ts'

const { deps } = await startPayments()
const { db } = deps
const addMerchant = () => addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

const claim = (free = SLOTS) => claimCallbacks(db, free, null, [])

test('due callbacks are claimed, the others are not', async () => {
  const merchant = await addMerchant()
  const [due] = await queueCallbacks(db, merchant)
  await queueCallbacks(db, merchant, 1, { dueInSec: 60 })
  const { claimed, hasMore } = await claim()
  assert.deepEqual(
    claimed.map((one) => one.id),
    [due],
  )
  assert.equal(hasMore, false)
  const row = await callbackRow(db, due!)
  assert.deepEqual([row.status, row.attempts], ['sending', 1])
})

test('no callback is claimed twice while its lease lasts, even by two processes at once', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 300)
  const batches = await Promise.all(Array.from({ length: 8 }, () => claim(64)))
  const ids = batches.flatMap((batch) => batch.claimed.map((one) => one.id))
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length > 0)
})

test('a claim whose lease expired is recorded as interrupted and claimed again under the same id', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [lost] = (await claim()).claimed
  await rows(db, `update callbacks set lease_until = now() - interval '1 second'`)
  const recovered = await claim()
  assert.deepEqual([recovered.claimed.length, recovered.hasRecovered], [0, true])
  const [again] = (await claim()).claimed
  assert.deepEqual([again?.id, again?.attempt], [id, 2])
  assert.deepEqual(
    (await attemptRows(db, id!)).map((row) => [row.attempt, row.outcome]),
    [[1, 'interrupted']],
  )
  // The process that lost the claim reports late: nothing of its outcome is written.
  assert.deepEqual((await recordAttempts(db, [toAttemptRecord(lost!, ACCEPTED)])).recorded, [])
  assert.equal((await callbackRow(db, id!)).status, 'sending')
  assert.equal((await recordAttempts(db, [toAttemptRecord(again!, ACCEPTED)])).recorded.length, 1)
  assert.equal((await callbackRow(db, id!)).status, 'delivered')
})

test('attempts that we interrupted count too: a callback that crashes every process is given up in the end', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant, 1, { mode: 'test' })
  for (let round = 0; round < 10 && (await callbackRow(db, id!)).status !== 'exhausted'; round += 1) {
    await claim()
    await rows(db, `update callbacks set lease_until = now() - interval '1 second' where status = 'sending'`)
    await claim()
    await rows(db, `update callbacks set lease_until = now() - interval '1 second' where status = 'sending'`)
  }
  const row = await callbackRow(db, id!)
  assert.deepEqual([row.status, row.attempts], ['exhausted', 4])
  assert.equal((await attemptRows(db, id!)).length, 4)
})

test('a live callback given up after such attempts is counted for the outage mail', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 2)
  await rows(db, 'update callbacks set attempts = 10')
  const [lost, failed] = (await claim()).claimed
  await rows(db, `update callbacks set lease_until = now() - interval '1 second' where id = $1`, [lost!.id])
  await claim()
  assert.equal((await callbackRow(db, lost!.id)).status, 'exhausted')
  const fault = {
    outcome: 'interrupted',
    statusCode: null,
    next: { status: 'exhausted' },
    counts: false,
  } as const
  await recordAttempts(db, [toAttemptRecord(failed!, fault)])
  assert.deepEqual(await rows(db, 'select failures_in_row, exhausted_untold from callback_lanes'), [
    { failures_in_row: 0, exhausted_untold: 2 },
  ])
})

test('a lost claim counts in the current round alone: a new round has all its attempts again', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const max = ATTEMPTS_MAX.live
  const loseClaim = async (attempts: number) => {
    await rows(db, 'update callbacks set attempts = $1, round_from = $2', [attempts, max])
    assert.equal((await claim()).claimed.length, 1)
    await rows(db, `update callbacks set lease_until = now() - interval '1 second'`)
    // Without a free slot, the claim is recovered but not claimed again.
    await claim(0)
    const row = await callbackRow(db, id!)
    return [row.status, row.attempts]
  }
  assert.deepEqual(await loseClaim(max), ['pending', max + 1])
  assert.deepEqual(await loseClaim(2 * max - 2), ['pending', 2 * max - 1])
  assert.deepEqual(await loseClaim(2 * max - 1), ['exhausted', 2 * max])
})

test('a released claim leaves no trace', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  await releaseClaims(db, (await claim()).claimed)
  const row = await callbackRow(db, id!)
  assert.deepEqual([row.status, row.attempts, row.claim], ['pending', 0, null])
  assert.deepEqual(await attemptRows(db, id!), [])
})

test('a whole batch is recorded in one statement and claimed in one', async () => {
  const merchants = await Promise.all(Array.from({ length: 4 }, addMerchant))
  for (const merchant of merchants) await queueCallbacks(db, merchant, 10)
  const before = db.statementCount()
  const { claimed } = await claim()
  const { recorded } = await recordAttempts(
    db,
    claimed.map((one) => toAttemptRecord(one, ACCEPTED)),
  )
  assert.equal(db.statementCount() - before, 2)
  assert.equal(recorded.length, 40)
})

test('recording a batch sets the state of each callback and logs its attempt', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 3)
  const [good, bad, last] = (await claim()).claimed
  await recordAttempts(db, [
    toAttemptRecord(good!, ACCEPTED),
    toAttemptRecord(bad!, { next: { status: 'pending', delaySec: 300, isNotReady: true } }),
    toAttemptRecord(last!, { next: { status: 'exhausted' }, outcome: 'timeout', statusCode: null }),
  ])
  const [one, two, three] = await Promise.all([good!, bad!, last!].map((row) => callbackRow(db, row.id)))
  assert.deepEqual([one!.status, two!.status, three!.status], ['delivered', 'pending', 'exhausted'])
  assert.ok(one!.delivered_at)
  assert.ok(two!.due_in_sec > 290 && two!.due_in_sec <= 300)
  assert.equal(three!.last_outcome, 'timeout')
  const [attempt] = await attemptRows(db, last!.id)
  assert.deepEqual(
    [attempt!.outcome, attempt!.status_code, attempt!.response_excerpt],
    ['timeout', null, 'oops'],
  )
})
