import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks, untilStatus } from '../../test/deliveries.ts'
import { respondWith, startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import { ConnectionLostError } from '../db/connection.ts'
import type { Queryable } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { createResponseCounter } from './count-responses.ts'
import { toStep } from './response-times.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const NOON = Date.parse('2026-11-15T12:00:00Z')

async function storedCounts(projectId: string): Promise<[hour: string, step: number, count: number][]> {
  const found = await rows<{ hour: Date; answers: number[] }>(
    deps.db,
    'select hour, answers from callback_figures where project_id = $1 order by hour',
    [projectId],
  )
  return found.flatMap(({ hour, answers }) =>
    answers.flatMap((count, step): [string, number, number][] =>
      count === 0 ? [] : [[hour.toISOString(), step, count]],
    ),
  )
}

function createCounter(nowMs: number, db: Queryable = deps.db) {
  const clock = { nowMs: () => nowMs }
  return { clock, counter: createResponseCounter({ db, clock, log: deps.log }) }
}

test('responses are counted by lane, hour and response time, and written in one statement', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const { clock, counter } = createCounter(NOON + 60_000)
  for (const ms of [10, 10, 300]) counter.count({ projectId: shop, mode: 'live' }, ms)
  // This request took 200 ms, so it started before noon.
  clock.nowMs = () => NOON + 100
  counter.count({ projectId: shop, mode: 'live' }, 200)
  const countBefore = deps.db.statementCount()
  await counter.write()
  assert.equal(deps.db.statementCount() - countBefore, 1)
  await counter.write()
  assert.equal(deps.db.statementCount() - countBefore, 1, 'without new responses nothing is written')
  assert.deepEqual(await storedCounts(shop), [
    ['2026-11-15T11:00:00.000Z', toStep(200), 1],
    ['2026-11-15T12:00:00.000Z', toStep(10), 2],
    ['2026-11-15T12:00:00.000Z', toStep(300), 1],
  ])
})

test('two processes add to the counts of the same hour', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const counters = [createCounter(NOON).counter, createCounter(NOON).counter]
  for (let round = 0; round < 20; round += 1) {
    for (const counter of counters) counter.count({ projectId: shop, mode: 'test' }, 40)
    await Promise.all(counters.map((counter) => counter.write()))
  }
  const [first] = await storedCounts(shop)
  assert.deepEqual(first?.slice(1), [toStep(40), 40])
})

test('counts survive an unreachable database, and the counts of a deleted project do not block other counts', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  let isUnreachable = true
  const db: Queryable = {
    query: async (what, values) => {
      if (isUnreachable) throw new Error('unreachable')
      return deps.db.query(what, values)
    },
  }
  const { counter } = createCounter(NOON + 1_000, db)
  counter.count({ projectId: shop, mode: 'live' }, 7)
  counter.count({ projectId: 'gone', mode: 'live' }, 7)
  await counter.write()
  counter.count({ projectId: shop, mode: 'live' }, 7)
  isUnreachable = false
  await counter.write()
  assert.deepEqual(await storedCounts(shop), [['2026-11-15T12:00:00.000Z', 7, 2]])
})

test('the worker counts accepted callbacks, and does not count refused ones', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const total = async () => (await storedCounts(shop)).reduce((sum, [, , count]) => sum + count, 0)
  const worker = startDeliveryWorker(deps)
  const [acceptedId] = await queueCallbacks(deps.db, shop)
  worker.wake()
  await untilStatus(deps.db, acceptedId!, 'delivered')
  await until(async () => (await total()) === 1, 'the response is counted')

  merchant.reply = respondWith(500)
  const [refusedId] = await queueCallbacks(deps.db, shop)
  worker.wake()
  await until(
    async () =>
      (await rows(deps.db, 'select from callback_attempts where callback_id = $1', [refusedId])).length > 0,
    'the refused attempt is recorded',
  )
  await worker.stop()
  await deps.responseCounter.close()
  assert.equal(await total(), 1)
  await merchant.close()
})

test('counts whose write was not confirmed are not written a second time', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const lostReply: Queryable = {
    async query(what, values) {
      await deps.db.query(what, values)
      throw new ServiceError('unavailable', { cause: new ConnectionLostError('no response') })
    },
  }
  const { counter } = createCounter(NOON, lostReply)
  counter.count({ projectId: shop, mode: 'live' }, 10)
  await counter.write()
  await counter.write()
  // The request started ten milliseconds before noon.
  assert.deepEqual(await storedCounts(shop), [['2026-11-15T11:00:00.000Z', toStep(10), 1]])
})

test('at most five thousand pairs of lane and hour are counted before a write', async () => {
  let written = 0
  const db: Queryable = {
    query: async (_what, values = []) => {
      written = (values[0] as string[]).length
      return []
    },
  }
  const { counter } = createCounter(NOON + 1_000, db)
  for (let n = 0; n < 5_010; n += 1) counter.count({ projectId: `p${n}`, mode: 'live' }, 7)
  await counter.write()
  assert.equal(written, 5_000)
})
