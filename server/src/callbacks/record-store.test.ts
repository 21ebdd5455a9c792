// Attempts are recorded once, even after the lane got another owner. Attempts of a dead process count as interrupted.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  listAttemptRows,
  readCallbackRow,
  claimAll,
  recordInterruption,
  queueCallbacks,
  recordWithHealth,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { recordAttempts } from './record-store.ts'
import { ATTEMPTS_MAX } from './retry.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps
const addMerchant = () => addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

const readLog = async (id: string) => (await listAttemptRows(db, id)).map((row) => [row.attempt, row.outcome])

test('due callbacks are fetched, the others are not', async () => {
  const merchant = await addMerchant()
  const [due] = await queueCallbacks(db, merchant)
  await queueCallbacks(db, merchant, 1, { dueInSec: 60 })
  assert.deepEqual(
    (await claimAll(db)).map((one) => [one.id, one.attempt]),
    [[due, 1]],
  )
})

test('an attempt of a dead process counts and is logged as interrupted, and the callback is due again with the same id', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [lost] = await claimAll(db)
  await recordInterruption(db, lost!)
  await recordInterruption(db, lost!)
  assert.deepEqual(await readLog(id!), [[1, 'interrupted']])
  const [next] = await claimAll(db)
  assert.deepEqual([next?.id, next?.attempt], [id, 2])
})

test('an attempt that was recorded is not changed to interrupted', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [sent] = await claimAll(db)
  await recordAttempts(db, [toAttemptRecord(sent!)])
  await recordInterruption(db, sent!)
  assert.deepEqual(await readLog(id!), [[1, 'http_error']])
  assert.equal((await readCallbackRow(db, id!)).attempts, 1)
})

test('a failure that is recorded after its attempt was logged as interrupted changes nothing', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [lost] = await claimAll(db)
  await recordInterruption(db, lost!)
  assert.deepEqual((await recordAttempts(db, [toAttemptRecord(lost!)])).recorded, [])
  const [next] = await claimAll(db)
  assert.equal((await recordAttempts(db, [toAttemptRecord(next!, ACCEPTED)])).recorded.length, 1)
  assert.deepEqual(await readLog(id!), [
    [1, 'interrupted'],
    [2, 'delivered'],
  ])
})

test('a delivery that is recorded after its attempt was logged as interrupted makes the callback delivered', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [lost] = await claimAll(db)
  await recordInterruption(db, lost!)
  assert.equal((await recordAttempts(db, [toAttemptRecord(lost!, ACCEPTED)])).recorded.length, 1)
  assert.equal((await readCallbackRow(db, id!)).status, 'delivered')
  assert.deepEqual(await readLog(id!), [[1, 'delivered']])
  assert.deepEqual(await claimAll(db), [])
})

test('for attempts that were already logged as interrupted, a batch records deliveries, but no failures', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 3)
  const [first, lost, refused] = await claimAll(db)
  await recordInterruption(db, lost!)
  await recordInterruption(db, refused!)
  const batch = [
    toAttemptRecord(lost!, ACCEPTED),
    toAttemptRecord(first!, ACCEPTED),
    toAttemptRecord(refused!),
  ]
  const { recorded } = await recordAttempts(db, batch)
  assert.deepEqual(new Set(recorded.map(({ id }) => id)), new Set([first!.id, lost!.id]))
  assert.deepEqual(await readLog(first!.id), [[1, 'delivered']])
  assert.deepEqual(await readLog(lost!.id), [[1, 'delivered']])
  assert.deepEqual(await readLog(refused!.id), [[1, 'interrupted']])
  assert.deepEqual((await recordAttempts(db, batch)).recorded, [])
})

test("the merchant's texts and the hash of the body are stored unchanged", async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [sent] = await claimAll(db)
  const texts = {
    url: 'https://shop.example.com/a,b?c={"d"}',
    error: String.raw`NULL, "a\b" {}`,
    excerpt: ' {,}\n"',
  }
  await recordAttempts(db, [toAttemptRecord(sent!, { ...texts, bodySha256: hash('sha256', 'body') })])
  assert.deepEqual(
    await rows(
      db,
      `select url, error, response_excerpt as excerpt, body_sha256 = sha256('body') as "isHash"
       from callback_attempts where callback_id = $1`,
      [id],
    ),
    [{ ...texts, isHash: true }],
  )
})

test('if a person has started a new round of attempts, a delivery by an attempt that was interrupted before does not end the round', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const [lost] = await claimAll(db)
  await recordInterruption(db, lost!)
  await changeCallbacks(db, `update callbacks set trigger = 'manual', round_from = attempts where id = $1`, [
    id,
  ])
  assert.deepEqual((await recordAttempts(db, [toAttemptRecord(lost!, ACCEPTED)])).recorded, [])
  assert.equal((await readCallbackRow(db, id!)).status, 'pending')
})

test('interrupted attempts count, so a callback that is interrupted each time is given up', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant, 1, { mode: 'test' })
  for (let round = 0; round < 10; round += 1) {
    const [lost] = await claimAll(db)
    if (lost) await recordInterruption(db, lost)
  }
  // In test mode, a callback has four attempts.
  const row = await readCallbackRow(db, id!)
  assert.deepEqual([row.status, row.attempts], ['exhausted', 4])
  assert.equal((await listAttemptRows(db, id!)).length, 4)
})

test('a live callback that is given up after interrupted attempts is counted for the outage mail', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 2)
  // One of eleven attempts is left.
  await changeCallbacks(db, 'update callbacks set attempts = 10')
  const [lost, failed] = await claimAll(db)
  await recordInterruption(db, lost!)
  assert.equal((await readCallbackRow(db, lost!.id)).status, 'exhausted')
  const fault = {
    outcome: 'interrupted',
    statusCode: null,
    next: { status: 'exhausted' },
    counts: false,
  } as const
  await recordWithHealth(db, [toAttemptRecord(failed!, fault)])
  assert.deepEqual(await rows(db, 'select failures_in_row, exhausted_untold from callback_lanes'), [
    { failures_in_row: 0, exhausted_untold: 2 },
  ])
})

test('an interrupted attempt counts only in its own round, and a new round has the full number of attempts', async () => {
  const merchant = await addMerchant()
  const [id] = await queueCallbacks(db, merchant)
  const max = ATTEMPTS_MAX.live
  const interruptAfter = async (attempts: number) => {
    await changeCallbacks(db, 'update callbacks set attempts = $1, round_from = $2', [attempts, max])
    const [lost] = await claimAll(db)
    await recordInterruption(db, lost!)
    const row = await readCallbackRow(db, id!)
    return [row.status, row.attempts]
  }
  assert.deepEqual(await interruptAfter(max), ['pending', max + 1])
  assert.deepEqual(await interruptAfter(2 * max - 2), ['pending', 2 * max - 1])
  assert.deepEqual(await interruptAfter(2 * max - 1), ['exhausted', 2 * max])
})

test('a batch of accepted first attempts in several lanes is recorded in one statement', async () => {
  const merchants = await Promise.all(Array.from({ length: 4 }, addMerchant))
  for (const merchant of merchants) await queueCallbacks(db, merchant, 10)
  const claimed = await claimAll(db)
  const countBefore = db.statementCount()
  const { recorded } = await recordAttempts(
    db,
    claimed.map((one) => toAttemptRecord(one, ACCEPTED)),
  )
  assert.equal(db.statementCount() - countBefore, 1)
  assert.equal(recorded.length, 40)
})

test('recording a batch sets the state of each callback and logs its attempt', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 3)
  const [accepted, retried, givenUp] = await claimAll(db)
  await recordAttempts(db, [
    toAttemptRecord(accepted!, ACCEPTED),
    toAttemptRecord(retried!, { next: { status: 'pending', delaySec: 300, usesNoStep: true } }),
    toAttemptRecord(givenUp!, { next: { status: 'exhausted' }, outcome: 'timeout', statusCode: null }),
  ])
  const [acceptedRow, retriedRow, givenUpRow] = await Promise.all(
    [accepted!, retried!, givenUp!].map((row) => readCallbackRow(db, row.id)),
  )
  assert.deepEqual(
    [acceptedRow!.status, retriedRow!.status, givenUpRow!.status],
    ['delivered', 'pending', 'exhausted'],
  )
  assert.ok(acceptedRow!.delivered_at)
  assert.ok(retriedRow!.due_in_sec > 290 && retriedRow!.due_in_sec <= 300)
  assert.equal(givenUpRow!.last_outcome, 'timeout')
  const [attempt] = await listAttemptRows(db, givenUp!.id)
  assert.deepEqual(
    [attempt!.outcome, attempt!.status_code, attempt!.response_excerpt],
    ['timeout', null, 'oops'],
  )
})
