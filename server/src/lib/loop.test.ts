import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoop } from './loop.ts'

const POLL_MS = 10 * 60_000

async function listWaits(outcomes: readonly ('fails' | 'finds' | 'idle')[], pollMs = POLL_MS) {
  const waits: number[] = []
  const errors: unknown[] = []
  const isDone = Promise.withResolvers<void>()
  let steps = 0
  const loop = startLoop({
    pollMs,
    step: async () => {
      const outcome = outcomes[steps]
      steps += 1
      if (outcome === undefined) isDone.resolve()
      if (outcome === 'fails') throw new Error('the database is down')
      return outcome === 'finds'
    },
    onError: (error) => errors.push(error),
    wait: async (ms) => waits.push(ms),
  })
  await isDone.promise
  await loop.stop()
  return { waits: waits.slice(0, outcomes.length), errors: errors.length }
}

test('a step that fails is retried after a second, not after the poll interval', async () => {
  const { waits, errors } = await listWaits(['fails', 'idle'])
  assert.deepEqual(waits, [1_000, POLL_MS])
  assert.equal(errors, 1)
})

test('after failures in a row, the wait before each retry grows, up to the poll interval', async () => {
  const { waits } = await listWaits(Array.from({ length: 12 }, () => 'fails'))
  assert.deepEqual(waits.slice(0, 4), [1_000, 2_000, 4_000, 8_000])
  assert.deepEqual(waits.slice(-2), [POLL_MS, POLL_MS])
})

test('after a step that succeeds, the next failure is again retried after one second', async () => {
  const { waits } = await listWaits(['fails', 'fails', 'idle', 'fails', 'finds', 'fails'])
  assert.deepEqual(waits.slice(0, 5), [1_000, 2_000, POLL_MS, 1_000, 1_000])
})

test('after a failure, a loop never waits longer than its poll interval', async () => {
  assert.deepEqual((await listWaits(['fails', 'fails'], 250)).waits, [250, 250])
})

test('a loop that waits to retry ends immediately when it is stopped', async () => {
  const hasFailed = Promise.withResolvers<void>()
  const loop = startLoop({
    pollMs: POLL_MS,
    step: () => Promise.reject(new Error('the database is down')),
    onError: () => hasFailed.resolve(),
  })
  await hasFailed.promise
  await loop.stop()
})
