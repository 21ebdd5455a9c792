import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks, untilStatus } from '../../test/deliveries.ts'
import { answerWith, startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import { ConnectionLostError } from '../db/connection.ts'
import type { Queryable } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { createResponseCounter } from './count-responses.ts'
import { toStep } from './response-times.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.pair })
const NOON = Date.parse('2026-11-15T12:00:00Z')

/** How many responses stand in the figures, by hour and step. */
async function kept(projectId: string): Promise<[hour: string, step: number, count: number][]> {
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

function counterAt(nowMs: number, db: Queryable = deps.db) {
  const clock = { nowMs: () => nowMs }
  return { clock, counter: createResponseCounter({ db, clock, log: deps.log }) }
}

test('responses are counted by lane, hour and step, and written in one statement', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const { clock, counter } = counterAt(NOON + 60_000)
  for (const ms of [10, 10, 300]) counter.count({ projectId: shop, mode: 'live' }, ms)
  // Begun in the hour before.
  clock.nowMs = () => NOON + 100
  counter.count({ projectId: shop, mode: 'live' }, 200)
  const before = deps.db.statementCount()
  await counter.write()
  assert.equal(deps.db.statementCount() - before, 1)
  await counter.write()
  assert.equal(deps.db.statementCount() - before, 1, 'nothing new is nothing to write')
  assert.deepEqual(await kept(shop), [
    ['2026-11-15T11:00:00.000Z', toStep(200), 1],
    ['2026-11-15T12:00:00.000Z', toStep(10), 2],
    ['2026-11-15T12:00:00.000Z', toStep(300), 1],
  ])
})

test('two processes add to the same hour, and neither loses what the other wrote', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const counters = [counterAt(NOON).counter, counterAt(NOON).counter]
  for (let round = 0; round < 20; round += 1) {
    for (const counter of counters) counter.count({ projectId: shop, mode: 'test' }, 40)
    await Promise.all(counters.map((counter) => counter.write()))
  }
  const [first] = await kept(shop)
  assert.deepEqual(first?.slice(1), [toStep(40), 40])
})

test('while the database is away responses wait, and a project that is gone does not hold up the others', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  let isAway = true
  const db: Queryable = {
    query: async (what, values) => {
      if (isAway) throw new Error('away')
      return deps.db.query(what, values)
    },
  }
  const { counter } = counterAt(NOON + 1_000, db)
  counter.count({ projectId: shop, mode: 'live' }, 7)
  counter.count({ projectId: 'gone', mode: 'live' }, 7)
  await counter.write()
  counter.count({ projectId: shop, mode: 'live' }, 7)
  isAway = false
  await counter.write()
  assert.deepEqual(await kept(shop), [['2026-11-15T12:00:00.000Z', 7, 2]])
})

test('a callback that a merchant accepts is counted by itself, one that it refuses is not', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const total = async () => (await kept(shop)).reduce((sum, [, , count]) => sum + count, 0)
  const worker = startDeliveryWorker(deps)
  const [good] = await queueCallbacks(deps.db, shop)
  worker.wake()
  await untilStatus(deps.db, good!, 'delivered')
  await until(async () => (await total()) === 1, 'the answer is in the figures')

  merchant.reply = answerWith(500)
  const [bad] = await queueCallbacks(deps.db, shop)
  worker.wake()
  await until(
    async () =>
      (await rows(deps.db, 'select from callback_attempts where callback_id = $1', [bad])).length > 0,
    'the refused attempt is recorded',
  )
  await worker.stop()
  await deps.responseCounter.close()
  assert.equal(await total(), 1)
  await merchant.close()
})

test('responses whose writing got no response count once or not at all', async () => {
  const shop = await addCallbackProject(deps, merchant.url)
  const lostReply: Queryable = {
    async query(what, values) {
      await deps.db.query(what, values)
      throw new ServiceError('unavailable', { cause: new ConnectionLostError('no response') })
    },
  }
  const { counter } = counterAt(NOON, lostReply)
  counter.count({ projectId: shop, mode: 'live' }, 10)
  await counter.write()
  await counter.write()
  assert.deepEqual(await kept(shop), [['2026-11-15T11:00:00.000Z', toStep(10), 1]])
})
