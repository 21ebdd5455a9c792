// Outcomes whose write fails, or succeeds without a confirmation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addCallbackProject,
  ACCEPTED,
  attemptRows,
  callbackRow,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import type { Queryable, Statement } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { claimCallbacks } from './claim-store.ts'
import { createRecorder } from './record.ts'
import type { RecordedBatch } from './record-store.ts'

const { deps } = await startTestService()
const { db, log } = deps
const merchant = await addCallbackProject(deps, 'https://shop.example/callback')

/** A database whose first responses to that statement are lost, before or after it was executed. */
function loseResponses(times: number, isCarriedOut: boolean): Queryable & { lost: number } {
  const shaky = {
    lost: 0,
    async query<Row extends object>(what: Statement, values?: readonly unknown[]): Promise<Row[]> {
      const isLost = shaky.lost < times
      const found = isLost && !isCarriedOut ? [] : await db.query<Row>(what, values)
      if (!isLost) return found
      shaky.lost += 1
      throw new ServiceError('unavailable', { cause: new Error('no response') })
    },
  }
  return shaky
}

for (const isCarriedOut of [true, false]) {
  const what = isCarriedOut ? 'was committed' : 'never arrived'
  test(`an outcome whose write ${what} and was not confirmed is logged once`, async () => {
    await queueCallbacks(db, merchant, 1)
    const { claimed } = await claimCallbacks(db, 10, null, [])
    assert.equal(claimed.length, 1)
    const shaky = loseResponses(2, isCarriedOut)
    const recordedBatch: RecordedBatch[] = []
    const recorder = createRecorder({ db: shaky, log }, (one) => {
      assert.equal(recorder.isBlocked(), false)
      recordedBatch.push(one)
    })
    recorder.add(toAttemptRecord(claimed[0]!, ACCEPTED))
    await recorder.drain()
    assert.equal(shaky.lost, 2)
    assert.equal(recorder.countWaiting(), 0)
    assert.equal(recordedBatch.length, 1)
    assert.equal((await callbackRow(db, claimed[0]!.id)).status, 'delivered')
    assert.equal((await attemptRows(db, claimed[0]!.id)).length, 1)
  })
}

test('the recorder is blocked while the database is unreachable, and not by a faulty record', async () => {
  const gate = Promise.withResolvers<void>()
  const errors: unknown[] = [
    new ServiceError('unavailable', { cause: new Error('connection lost') }),
    new TypeError('a fault'),
  ]
  const seen: boolean[] = []
  const failing: Queryable = {
    async query() {
      seen.push(recorder.isBlocked())
      const error = errors.shift()
      if (error) throw error
      gate.resolve()
      return []
    },
  }
  const recorder = createRecorder({ db: failing, log }, () => undefined)
  await queueCallbacks(db, merchant, 1)
  const { claimed } = await claimCallbacks(db, 10, null, [])
  recorder.add(toAttemptRecord(claimed[0]!, ACCEPTED))
  await gate.promise
  assert.deepEqual(seen, [false, true, false])
})
