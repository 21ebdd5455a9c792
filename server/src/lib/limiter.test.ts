import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLimiter } from './limiter.ts'

const BOUNDS = { concurrency: 2, queueMax: 3, retryAfterSec: 4, name: 'tests' }

test('the numbers of running and of waiting tasks are limited, and a further task is refused with a retry time', async () => {
  const limiter = createLimiter(BOUNDS)
  const finish = Promise.withResolvers<void>()
  let running = 0
  let runningMax = 0
  const work = async () => {
    running += 1
    runningMax = Math.max(runningMax, running)
    await finish.promise
    running -= 1
  }
  const accepted = Array.from({ length: 5 }, () => limiter.run(work))
  await assert.rejects(limiter.run(work), {
    code: 'unavailable',
    retryAfterSec: 4,
    log: 'the queue of tests is full',
  })
  finish.resolve()
  await Promise.all(accepted)
  assert.equal(runningMax, 2)
  await limiter.run(work)
})

test('a task that fails frees its slot', async () => {
  const limiter = createLimiter(BOUNDS)
  for (let round = 0; round < 5; round += 1)
    await assert.rejects(
      limiter.run(() => Promise.reject(new Error('oops'))),
      { message: 'oops' },
    )
  assert.equal(await limiter.run(async () => 'through'), 'through')
})

test('a task that waits behind hanging tasks for longer than waitMaxMs is refused', async () => {
  const limiter = createLimiter({ ...BOUNDS, waitMaxMs: 20 })
  const release = Promise.withResolvers<void>()
  const hanging = Array.from({ length: 2 }, () => limiter.run(() => release.promise))
  await assert.rejects(
    limiter.run(async () => undefined),
    { code: 'unavailable', log: 'the queue of tests does not move' },
  )
  release.resolve()
  await Promise.all(hanging)
  const all = await Promise.all(Array.from({ length: 4 }, (_, index) => limiter.run(async () => index)))
  assert.deepEqual(all, [0, 1, 2, 3])
})
