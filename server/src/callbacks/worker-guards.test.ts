// A worker sends nothing while payments are stopped after a restore. It also sends nothing if the callbacks that it
// fetched may now belong to another process.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks, untilStatus } from '../../test/deliveries.ts'
import { startMerchant } from '../../test/merchant.ts'
import { startPayments, recordStatements } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { Deps } from '../wire.ts'
import { toLaneKey } from './lanes.ts'
import { DUE_CHANNEL } from './ownership.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const projectId = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  merchant.received.length = 0
})

function startWorker(t: TestContext, workerDeps: Deps) {
  const worker = startDeliveryWorker(workerDeps)
  t.after(() => worker.stop())
  return worker
}

test('no callback is sent while payments are stopped after a restore; a waiting callback is sent when payments start again', async (t) => {
  let isClosed = true
  let steps = 0
  const outcomes: string[] = []
  const watched = recordStatements(deps)
  const worker = startWorker(t, {
    ...watched.deps,
    restoreGate: { ...deps.restoreGate, isClosed: () => isClosed },
    metrics: {
      ...deps.metrics,
      recordLoopStep(loop) {
        if (loop === 'delivery') steps += 1
        deps.metrics.recordLoopStep(loop)
      },
      countAttempt: (outcome) => outcomes.push(outcome),
    },
  })
  const [id = ''] = await queueCallbacks(db, projectId)
  const owned = 'select from callback_lanes where owner is not null'
  await until(async () => (await rows(db, owned)).length > 0, 'the lane is taken')
  const stepsBefore = steps
  worker.wake({ projectId, mode: 'live' })
  await until(() => steps > stepsBefore + 1, 'the worker has run')
  assert.equal(watched.statements.includes('callbacks.fetch'), false)
  assert.equal(merchant.received.length, 0)
  isClosed = false
  worker.wake({ projectId, mode: 'live' })
  await untilStatus(db, id, 'delivered')
  assert.equal(merchant.received.length, 1)
  assert.deepEqual(outcomes, ['delivered'], 'each attempt is counted once in the metrics')
})

test('callbacks that took too long to fetch are fetched again before anything is sent', async (t) => {
  let isSlow = true
  let lateMs = 0
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + lateMs)
  const sentAtFetch: number[] = []
  const { deps: slowDeps } = recordStatements(deps, async (name, run) => {
    if (name !== 'callbacks.fetch') return run()
    sentAtFetch.push(merchant.received.length)
    const fetched = await run()
    if (isSlow && Array.isArray(fetched) && fetched.length > 0) {
      isSlow = false
      // Pretends that the fetch has taken too long.
      lateMs = 5_001
    }
    return fetched
  })
  const [id = ''] = await queueCallbacks(db, projectId)
  startWorker(t, slowDeps)
  await untilStatus(db, id, 'delivered')
  assert.equal(isSlow, false)
  assert.deepEqual(sentAtFetch.slice(0, 2), [0, 0], 'a second fetch came before anything was sent')
  assert.equal(merchant.received.length, 1)
})

test('a stopping worker passes a wake-up on to the other processes', async () => {
  const notified: (string | undefined)[] = []
  const signals = {
    ...db.signals,
    notify(channel: string, name?: string) {
      if (channel === DUE_CHANNEL) notified.push(name)
    },
  }
  const worker = startDeliveryWorker({ ...deps, db: { ...db, signals } })
  const lane = { projectId, mode: 'live' } as const
  worker.wake(lane)
  assert.deepEqual(notified, [], 'a running worker that knows of no other process notifies nobody')
  const stopped = worker.stop()
  worker.wake(lane)
  assert.deepEqual(notified, [toLaneKey(lane)], 'a stopping worker always notifies')
  await stopped
})
