// If a process cannot record the outcomes of its callbacks, no other process sends these callbacks again during the grace
// period.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  addCallbackProject,
  listAttemptRows,
  queueCallbacks,
  untilStatus,
  isRecording,
} from '../../test/deliveries.ts'
import { startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { Db } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { CallbackDeps } from './deps.ts'
import { BREAKER_FAILURES, RECOVER_GRACE_MS } from './lanes.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps, replica } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const projectId = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, delivery_processes cascade')
  merchant.received.length = 0
})

function withFaults(base: CallbackDeps, isRefused: (name: string) => boolean): CallbackDeps {
  const query: Db['query'] = (prepared, values) =>
    isRefused(prepared.name)
      ? Promise.reject(new ServiceError('unavailable', { cause: new Error('no response') }))
      : base.db.query(prepared, values)
  const log = { ...base.log, info: () => undefined, warn: () => undefined, error: () => undefined }
  return { ...base, log, db: Object.assign(Object.create(base.db) as Db, { query }) }
}

/** The clock that measures the grace periods of this worker moves only when `passTime` is called. */
function startWorker(t: TestContext, workerDeps: CallbackDeps) {
  let nowMs = 0
  const worker = startDeliveryWorker(workerDeps, undefined, () => nowMs)
  t.after(() => worker.stop())
  return { worker, passTime: (ms: number) => (nowMs += ms) }
}

const countSent = (id: string) => merchant.received.filter((request) => request.id === id).length

const findOwner = async () =>
  (
    await rows<{ owner: string | null }>(db, 'select owner from callback_lanes where project_id = $1', [
      projectId,
    ])
  )[0]?.owner

async function deliverNew(): Promise<void> {
  const [id] = await queueCallbacks(db, projectId)
  await untilStatus(db, id!, 'delivered')
}

test('a process that renews its lease but cannot record outcomes keeps its lane, and no callback is sent twice', async (t) => {
  let isFailing = true
  t.after(() => (isFailing = false))
  startWorker(
    t,
    withFaults(deps, (name) => isFailing && isRecording(name)),
  )
  const ids = await queueCallbacks(db, projectId, 5)
  await until(() => merchant.received.length === ids.length)
  const owner = await findOwner()
  let beats = 0
  const watched = withFaults(await replica(), (name) => {
    if (name === 'lanes.beat') beats += 1
    return false
  })
  const otherWorker = startWorker(t, watched)
  await until(() => {
    otherWorker.passTime(RECOVER_GRACE_MS)
    return beats > 5
  })
  assert.equal(await findOwner(), owner)
  isFailing = false
  for (const id of ids) {
    await untilStatus(db, id, 'delivered')
    assert.equal(countSent(id), 1)
  }
})

test('callbacks sent before a process lost the database are recorded when the database is back, and are not sent again', async (t) => {
  let isFailing = false
  startWorker(
    t,
    withFaults(deps, () => isFailing),
  )
  merchant.reply = (response) => {
    isFailing = true
    response.writeHead(200).end()
  }
  const ids = await queueCallbacks(db, projectId, 5)
  await until(() => merchant.received.length === ids.length)
  const owner = await findOwner()
  // Pretends that the process has not renewed its lease in time.
  await rows(db, `update delivery_processes set lease_until = now() - interval '1 second'`)
  const otherWorker = startWorker(t, await replica())
  await deliverNew()
  assert.notEqual(await findOwner(), owner)
  otherWorker.passTime(RECOVER_GRACE_MS - 1)
  await deliverNew()
  isFailing = false
  merchant.reply = (response) => response.writeHead(200).end()
  for (const id of ids) await untilStatus(db, id, 'delivered')
  otherWorker.passTime(2 * RECOVER_GRACE_MS)
  await deliverNew()
  for (const id of ids) {
    assert.equal(countSent(id), 1)
    assert.deepEqual(
      (await listAttemptRows(db, id)).map((row) => [row.attempt, row.outcome]),
      [[1, 'delivered']],
    )
  }
})

test('a tripped lane is probed again if the outcome of a probe is lost or cannot be recorded', async (t) => {
  const otherId = await addCallbackProject(deps, merchant.url)
  const tripped = `insert into callback_lanes (project_id, mode, failures_in_row, failing_since)
    values ($1, 'live', $2, now())`
  for (const id of [projectId, otherId]) await rows(db, tripped, [id, BREAKER_FAILURES])
  await queueCallbacks(db, projectId, 2)
  await queueCallbacks(db, otherId, 2)
  merchant.reply = (response) => response.writeHead(500).end()
  t.after(() => (merchant.reply = (response) => response.writeHead(200).end()))
  let attempts = 0
  let isRefused = false
  const query: Db['query'] = (prepared, values) => {
    if (!isRecording(prepared.name)) return db.query(prepared, values)
    isRefused = true
    return Promise.reject(new Error('refused'))
  }
  const metrics: CallbackDeps['metrics'] = {
    ...deps.metrics,
    countAttempt() {
      attempts += 1
      if (attempts === 1) throw new Error('lost')
    },
  }
  startWorker(t, {
    ...withFaults(deps, () => false),
    metrics,
    db: Object.assign(Object.create(db) as Db, { query }),
  })
  await until(() => merchant.received.length === 4, 'each lane was probed twice')
  assert.equal(new Set(merchant.received.map((request) => request.id)).size, 4, 'no callback was sent twice')
  assert.deepEqual([attempts > 1, isRefused], [true, true])
})
