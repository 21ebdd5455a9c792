// Tests what happens if an outcome cannot be written, if the database writes an outcome but does not confirm the write, or if
// an error occurs after a write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addCallbackProject,
  ACCEPTED,
  listAttemptRows,
  readCallbackRow,
  claimAll,
  recordInterruption,
  queueCallbacks,
  toAttemptRecord,
  isRecording,
} from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import type { Queryable, Statement } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { createRecorder } from './record.ts'
import type { RecordedCallback } from './record-store.ts'

const { deps } = await startTestService()
const { db, log } = deps
const merchant = await addCallbackProject(deps, 'https://shop.example/callback')

const IGNORED_EVENTS = { onHealth: () => undefined, onRefused: () => undefined }

const LOCK_TIMEOUT = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })

/** `isExecuted`: whether statements are executed although their responses are lost. */
function loseResponses(times: number, isExecuted: boolean): Queryable & { lost: number } {
  const unreliable = {
    lost: 0,
    async query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
      const isLost = unreliable.lost < times
      const found = isLost && !isExecuted ? [] : await db.query<Row>(statement, values)
      if (!isLost) return found
      unreliable.lost += 1
      throw new ServiceError('unavailable', { cause: new Error('no response') })
    },
  }
  return unreliable
}

for (const isExecuted of [true, false]) {
  const whatHappened = isExecuted ? 'was committed but not confirmed' : 'did not reach the database'
  test(`if the write of an outcome ${whatHappened}, the outcome is recorded once`, async () => {
    await queueCallbacks(db, merchant, 1)
    const claimed = await claimAll(db)
    assert.equal(claimed.length, 1)
    const unreliable = loseResponses(2, isExecuted)
    const batches: (readonly RecordedCallback[])[] = []
    const recorder = createRecorder(
      { db: unreliable, log },
      {
        onRecorded(recorded) {
          assert.equal(recorder.isBlocked(), false)
          batches.push(recorded)
        },
        ...IGNORED_EVENTS,
      },
    )
    recorder.add(toAttemptRecord(claimed[0]!, ACCEPTED))
    await recorder.drain()
    assert.equal(unreliable.lost, 2)
    assert.equal(recorder.countWaiting(), 0)
    assert.equal(batches.length, 1)
    assert.equal((await readCallbackRow(db, claimed[0]!.id)).status, 'delivered')
    assert.equal((await listAttemptRows(db, claimed[0]!.id)).length, 1)
  })
}

test('a late delivery is recorded even if the database fails after the rest of its batch was written', async () => {
  await queueCallbacks(db, merchant, 2)
  const claimed = await claimAll(db)
  const [lateDelivery] = claimed
  await recordInterruption(db, lateDelivery!)
  let failures = 0
  const unreliable: Queryable = {
    async query(what, values) {
      if (what.name !== 'callbacks.record_late' || failures > 0) return db.query(what, values)
      failures += 1
      throw new ServiceError('unavailable', { cause: new Error('connection lost') })
    },
  }
  const written: string[] = []
  const recorder = createRecorder(
    { db: unreliable, log: { ...log, warn: () => undefined } },
    { ...IGNORED_EVENTS, onRecorded: (_recorded, batch) => written.push(...batch.map(({ id }) => id)) },
  )
  for (const one of claimed) recorder.add(toAttemptRecord(one, ACCEPTED))
  await recorder.drain()
  assert.equal(failures, 1)
  assert.deepEqual(
    written,
    claimed.map(({ id }) => id),
  )
  for (const { id } of claimed) {
    assert.equal((await readCallbackRow(db, id)).status, 'delivered')
    assert.deepEqual(
      (await listAttemptRows(db, id)).map((row) => [row.attempt, row.outcome]),
      [[1, 'delivered']],
    )
  }
})

test('the recorder is blocked while the database is unreachable, but not by a faulty record', async () => {
  const written = Promise.withResolvers<void>()
  const errors: unknown[] = [
    new ServiceError('unavailable', { cause: new Error('connection lost') }),
    new TypeError('a fault'),
  ]
  const blockedBefore: boolean[] = []
  const failing: Queryable = {
    async query() {
      blockedBefore.push(recorder.isBlocked())
      const error = errors.shift()
      if (error) throw error
      written.resolve()
      return []
    },
  }
  const recorder = createRecorder({ db: failing, log }, { onRecorded: () => undefined, ...IGNORED_EVENTS })
  await queueCallbacks(db, merchant, 1)
  const claimed = await claimAll(db)
  recorder.add(toAttemptRecord(claimed[0]!, ACCEPTED))
  await written.promise
  assert.deepEqual(blockedBefore, [false, true, false])
})

test("if the database refuses an outcome because of the merchant's texts, the outcome is written without the texts and does not block the rest of its batch", async () => {
  await queueCallbacks(db, merchant, 3)
  const [refused, ...others] = await claimAll(db)
  const written: string[] = []
  const recorder = createRecorder(
    { db, log: { ...log, warn: () => undefined } },
    { onRecorded: (recorded) => written.push(...recorded.map(({ id }) => id)), ...IGNORED_EVENTS },
  )
  // The text is longer than the column allows.
  recorder.add(toAttemptRecord(refused!, { ...ACCEPTED, error: 'x'.repeat(501) }))
  for (const one of others) recorder.add(toAttemptRecord(one, ACCEPTED))
  await recorder.drain()
  assert.deepEqual(new Set(written), new Set([refused!, ...others].map(({ id }) => id)))
  assert.equal(recorder.countWaiting(), 0)
  assert.deepEqual(
    (await listAttemptRows(db, refused!.id)).map((row) => [row.outcome, row.error]),
    [['delivered', null]],
  )
})

/** Returns how many of three outcomes were stored. */
async function recordEach(
  recorderDb: Queryable,
  onRecorded: (recorded: readonly RecordedCallback[]) => void,
) {
  await queueCallbacks(db, merchant, 3)
  const claimed = await claimAll(db)
  const quietLog = { ...log, warn: () => undefined, error: () => undefined }
  const recorder = createRecorder({ db: recorderDb, log: quietLog }, { onRecorded, ...IGNORED_EVENTS })
  for (const [nth, one] of claimed.entries()) {
    recorder.add(toAttemptRecord(one, nth === 0 ? {} : ACCEPTED))
    await recorder.drain()
  }
  assert.equal(recorder.countWaiting(), 0)
  const stored = await Promise.all(claimed.map(({ id }) => listAttemptRows(db, id)))
  return stored.filter((attempts) => attempts.length === 1).length
}

test('an error in onRecorded does not stop later outcomes', async () => {
  const count = await recordEach(db, () => {
    throw new Error('a fault')
  })
  assert.equal(count, 3)
})

test('an error when the health of a lane is written does not stop later outcomes', async () => {
  const refusing: Queryable = {
    query: (what, values) =>
      what.name === 'callbacks.record_health'
        ? Promise.reject(new TypeError('a fault'))
        : db.query(what, values),
  }
  assert.equal(await recordEach(refusing, () => undefined), 3)
})

test('an outcome that the database refuses permanently does not stop later outcomes', async () => {
  let refused: string | undefined
  const refusing: Queryable = {
    query: (what, values) => {
      const ids = String(values?.[1])
      refused ??= ids
      return ids === refused ? Promise.reject(new TypeError('a fault')) : db.query(what, values)
    },
  }
  assert.equal(await recordEach(refusing, () => undefined), 2)
})

test('an outcome whose row is locked by another session does not stop other outcomes, and is written when the lock is gone', async (t) => {
  await queueCallbacks(db, merchant, 3)
  const claimed = await claimAll(db)
  const lockedId = claimed[0]!.id
  const isLocked = { value: true }
  t.after(() => (isLocked.value = false))
  const locking: Queryable = {
    query: (what, values) => {
      const ids = isRecording(what.name) ? String(values?.[1]) : ''
      return isLocked.value && ids.includes(lockedId)
        ? Promise.reject(new ServiceError('unavailable', { cause: LOCK_TIMEOUT }))
        : db.query(what, values)
    },
  }
  const written: string[] = []
  const recorder = createRecorder(
    { db: locking, log: { ...log, warn: () => undefined } },
    { onRecorded: (recorded) => written.push(...recorded.map(({ id }) => id)), ...IGNORED_EVENTS },
  )
  for (const one of claimed) recorder.add(toAttemptRecord(one, ACCEPTED))
  await until(() => written.length === claimed.length - 1)
  assert.equal(recorder.isBlocked(), false)
  assert.equal(recorder.countWaiting(), 1)
  isLocked.value = false
  await recorder.drain()
  assert.deepEqual(written.at(-1), lockedId)
  assert.equal(recorder.countWaiting(), 0)
})
