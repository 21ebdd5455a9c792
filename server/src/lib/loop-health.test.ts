import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoop } from './loop.ts'
import { createLoopHealth, LONG_STEP_MAX_MS } from './loop-health.ts'

const MINUTE_MS = 60_000

test('if no step ends within the poll interval plus five minutes, the loop is reported as hanging until a step ends', () => {
  let now = 0
  const health = createLoopHealth(() => now)
  const reportStep = health.watch('mails', 10 * MINUTE_MS)
  health.watch('delivery', 0)
  assert.deepEqual(health.listHanging(), [])
  now = 6 * MINUTE_MS
  assert.deepEqual(health.listHanging(), ['delivery'])
  now = 16 * MINUTE_MS
  assert.deepEqual(health.listHanging(), ['mails', 'delivery'])
  reportStep()
  assert.deepEqual(health.listHanging(), ['delivery'])
})

test('a loop that may have long steps is reported as hanging only after an hour', () => {
  let now = 0
  const health = createLoopHealth(() => now)
  health.watch('cleanup', 0, LONG_STEP_MAX_MS)
  now = 60 * MINUTE_MS
  assert.deepEqual(health.listHanging(), [])
  now += 1
  assert.deepEqual(health.listHanging(), ['cleanup'])
})

test('a loop is reported as hanging if its step never ends, but not if its steps fail', async () => {
  let now = 0
  const health = createLoopHealth(() => now)
  const failed = Promise.withResolvers<void>()
  const failing = startLoop({
    pollMs: 1,
    step: async () => {
      now = 6 * MINUTE_MS
      throw new Error('the database is down')
    },
    onStepEnd: health.watch('failing', 0),
    onError: () => failed.resolve(),
  })
  await failed.promise
  assert.deepEqual(health.listHanging(), [])
  await failing.stop()

  const released = Promise.withResolvers<boolean>()
  const hanging = startLoop({
    pollMs: 1,
    step: () => released.promise,
    onStepEnd: health.watch('hanging', 0),
    onError: () => undefined,
  })
  now += 6 * MINUTE_MS
  assert.ok(health.listHanging().includes('hanging'))
  released.resolve(false)
  await hanging.stop()
})
