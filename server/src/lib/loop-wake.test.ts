import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { startLoop } from './loop.ts'

/** No test runs this long, so only a wake-up can start another step. */
const NEVER_MS = 24 * 3_600_000

test('several wake-ups during a step cause one more step, and a wake-up while the loop waits causes another step', async (t) => {
  const steps: PromiseWithResolvers<boolean>[] = []
  const step = () => {
    const one = Promise.withResolvers<boolean>()
    steps.push(one)
    return one.promise
  }
  const loop = startLoop({ step, pollMs: NEVER_MS, onError: assert.ifError })
  t.after(() => loop.stop())
  loop.wake()
  loop.wake()
  steps[0]!.resolve(false)
  await until(() => steps.length === 2)
  steps[1]!.resolve(false)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(steps.length, 2)
  loop.wake()
  await until(() => steps.length === 3)
  steps[2]!.resolve(false)
})

test('a step that fails is reported, and the next step runs after a wake-up', async (t) => {
  const failure = new Error('the database is lost')
  const errors: unknown[] = []
  let steps = 0
  const step = async () => {
    steps += 1
    if (steps === 1) throw failure
    return false
  }
  const loop = startLoop({ step, pollMs: NEVER_MS, onError: (error) => errors.push(error) })
  t.after(() => loop.stop())
  await until(() => errors.length === 1)
  loop.wake()
  await until(() => steps === 2)
  assert.deepEqual(errors, [failure])
})

test('stop() waits for the current step, and no further step runs', async () => {
  const current = Promise.withResolvers<boolean>()
  let steps = 0
  const step = () => {
    steps += 1
    return current.promise
  }
  const loop = startLoop({ step, pollMs: NEVER_MS, onError: assert.ifError })
  let isStopped = false
  const stopping = loop.stop().then(() => (isStopped = true))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isStopped, false)
  current.resolve(true)
  await stopping
  assert.equal(steps, 1)
})
