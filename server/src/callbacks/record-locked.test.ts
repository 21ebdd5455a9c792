import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ACCEPTED,
  addCallbackProject,
  claimAll,
  isRecording,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import type { Queryable } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { createRecorder } from './record.ts'

const { deps } = await startTestService()
const { db, log } = deps

test('if a batch times out on a locked row, each outcome is written alone; the outcome of the locked row is retried later, and newer outcomes are written before each retry', async (t) => {
  const merchant = await addCallbackProject(deps, 'https://shop.example/callback')
  await queueCallbacks(db, merchant, 5)
  const claimed = await claimAll(db)
  const [locked, second, third, fourth, fifth] = claimed.map((one) => toAttemptRecord(one, ACCEPTED))
  const toName = (id: string) => `row ${claimed.findIndex((one) => one.id === id) + 1}`
  const writes: string[] = []
  const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  let isLocked = true
  t.after(() => (isLocked = false))
  const locking: Queryable = {
    query: (what, values) => {
      const ids = String(values?.[1]).replaceAll(/[{}]/g, '').split(',')
      if (!isLocked || !isRecording(what.name) || !ids.includes(locked!.id)) return Promise.resolve([])
      writes.push(`${ids.map(toName).join(' and ')} timed out`)
      return Promise.reject(new ServiceError('unavailable', { cause: lockTimeout }))
    },
  }
  const recorder = createRecorder(
    { db: locking, log: { ...log, warn: () => undefined } },
    {
      onHealth: () => undefined,
      onRefused: () => undefined,
      onRecorded: (_recorded, batch) =>
        writes.push(`${batch.map(({ id }) => toName(id)).join(' and ')} written`),
    },
  )
  // The global setTimeout never fires, so a pause of the recorder ends only when an outcome is added. The postponed outcome
  // is due when `passedMs` moves the clock.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let passedMs = 0
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + passedMs)
  const untilWrites = (count: number) => until(() => writes.length >= count, `${count} writes`)
  recorder.add(locked!)
  recorder.add(second!)
  await untilWrites(3)
  recorder.add(third!)
  await untilWrites(4)
  passedMs = 5_000
  recorder.add(fourth!)
  await untilWrites(6)
  isLocked = false
  passedMs = 10_000
  recorder.add(fifth!)
  await recorder.drain()
  assert.deepEqual(writes, [
    'row 1 and row 2 timed out',
    'row 1 timed out',
    'row 2 written',
    'row 3 written',
    'row 4 written',
    'row 1 timed out',
    'row 5 written',
    'row 1 written',
  ])
  assert.equal(recorder.countWaiting(), 0)
})
