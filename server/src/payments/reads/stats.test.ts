import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { newOrder, resolveOpenPayments } from '../../../test/payments.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { addResponses } from '../../callbacks/response-times-store.ts'
import { countSteps } from '../../callbacks/response-times.ts'
import { newUuidV7 } from '../../lib/id.ts'
import { recordBankPage } from '../bank-step-store.ts'
import { confirmPayment } from '../confirm.ts'
import { openPayment } from '../payments-store.ts'
import { settle } from '../settle.ts'
import { foldAllStats } from './stats.ts'
import { startStatsOwner } from '../../../test/stats-owner.ts'

const { service, deps, owner, newProject, getStats, readStats } = await startStatsOwner()

const NOTHING_TAKEN_BACK = { refunds: 0, refunded: '0', disputes: 0, disputed: '0', net: '0' }

test('a project without payments has zeros, no success rate, and a bar for each of seven days', async () => {
  const project = await newProject()
  const { series, ...whole } = await readStats(project)
  assert.deepEqual(whole, {
    bucket: 'day',
    volume: '0',
    ...NOTHING_TAKEN_BACK,
    count: 0,
    succeeded: 0,
    failed: 0,
    inReview: 0,
    successRate: null,
    callbackMs: { p50: null, p95: null },
  })
  assert.equal(series.length, 7)
  for (const { at, ...bar } of series) {
    assert.match(at, /^\d{4}-\d\d-\d\dT2[23]:00:00\.000Z$/) // Midnight in Podgorica.
    assert.deepEqual(bar, {
      volume: '0',
      ...NOTHING_TAKEN_BACK,
      count: 0,
      succeeded: 0,
      failed: 0,
      callbackP50Ms: null,
    })
  }
})

test('payments are counted by mode; open payments are only in "count", not in "volume", "succeeded" or "failed"', async () => {
  const project = await newProject()
  const pay = (amount: bigint, mode: Mode = 'live') =>
    confirmPayment(deps, newOrder(project, { amount, mode }))
  await pay(1500n)
  await pay(2500n)
  await pay(4000n) // Declined.
  await pay(4004n) // At the bank.
  await pay(700n, 'test')
  const live = await readStats(project)
  assert.deepEqual(
    [live.volume, live.count, live.succeeded, live.failed, live.successRate],
    ['4000', 4, 2, 1, 2 / 3],
  )
  const last = live.series.at(-1)!
  assert.deepEqual([last.volume, last.count, last.succeeded, last.failed], ['4000', 4, 2, 1])
  const testing = await readStats(project, { mode: 'test' })
  assert.deepEqual([testing.volume, testing.count, testing.successRate], ['700', 1, 1])
})

test('a payment that expires days after it began is counted as failed on the day it began', async () => {
  const project = await newProject()
  const id = newUuidV7(deps.clock)
  const payment = (await openPayment(deps.db, id, newOrder(project), 'sandbox'))!
  await recordBankPage(deps.db, id, 'https://bank.example.com/1')
  const began =
    "update transactions set created_at = now() - interval '3 days' where id = $1 returning created_at as at"
  const [{ at } = { at: new Date() }] = await rows<{ at: Date }>(deps.db, began, [id])
  const around = (ms: number) => new Date(at.getTime() + ms).toISOString()
  const counts = async (query: Record<string, string>) => {
    const { count, failed, series } = await readStats(project, query)
    return [count, failed, series.map((bar) => bar.failed).filter((n) => n > 0)]
  }
  // The first range is read from the stats stored per quarter of an hour, the second range from single payments.
  const ranges = [{}, { from: around(-1_000), to: around(1_000) }]
  for (const range of ranges) assert.deepEqual(await counts(range), [1, 0, []])
  await settle(deps, payment, { state: 'expired', failureCode: 'expired', upstreamRef: null })
  for (const range of ranges) assert.deepEqual(await counts(range), [1, 1, [1]])
  await foldAllStats(deps)
  assert.deepEqual(await counts({}), [1, 1, [1]])
  const listed = await owner.post('/sdk/transactions/list', { projectId: project, state: 'expired' })
  assert.equal(listed.json()['total'], 1)
})

test('the stats include payments that end late, and payments that many connections end at the same time', async () => {
  const project = await newProject()
  const replica = await service.replica()
  const replicas = [deps, replica.deps]
  // The outcomes: paid; declined; no response, but charged; no response and not charged; waiting at the bank.
  const amounts = [1500n, 4000n, 4002n, 4003n, 4004n]
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      confirmPayment(replicas[n % 2]!, newOrder(project, { amount: amounts[n % 5]! })),
    ),
  )
  await resolveOpenPayments(deps, 2)
  const countPayments = async () => {
    const [row] = await rows<{ volume: string; succeeded: number; failed: number; count: number }>(
      deps.db,
      `select coalesce(sum(amount) filter (where state = 'succeeded'), 0)::text as volume, count(*)::int as count,
         (count(*) filter (where state = 'succeeded'))::int as succeeded,
         (count(*) filter (where state in ('failed', 'expired')))::int as failed
       from transactions where project_id = $1 and mode = 'live'`,
      [project],
    )
    return row
  }
  const readReported = async () => {
    const { volume, succeeded, failed, count } = await readStats(project)
    return { volume, succeeded, failed, count }
  }
  assert.deepEqual(await readReported(), await countPayments())
  const shards = await rows(deps.db, 'select from payment_figures where project_id = $1', [project])
  assert.ok(shards.length > 1, 'with only one row, each payment would wait for the previous payment')
})

test('the rows of stats that many connections have stored are merged into one row, even while more payments end', async () => {
  const project = await newProject()
  const replica = await service.replica()
  const createdAt = new Date(deps.clock.nowMs() - 3 * 3_600_000).toISOString()
  const ids = await insertPayments(
    deps,
    project,
    Array.from({ length: 80 }, () => ({ createdAt, amount: 100, state: 'processing' as const })),
  )
  const connections = [deps.db, replica.deps.db]
  const end = (id: string, n: number) =>
    rows(connections[n % 2]!, 'update transactions set state = $2, completed_at = now() where id = $1', [
      id,
      n % 4 === 0 ? 'failed' : 'succeeded',
    ])
  // The rows of these payments are merged first, so that the other payments are added to an existing row.
  await Promise.all(ids.slice(0, 40).map(end))
  await foldAllStats(deps)
  const ending = ids.slice(40).map(end)
  const folding = Array.from({ length: 12 }, () => foldAllStats(deps))
  await Promise.all([...ending, ...folding])
  await foldAllStats(deps)
  const { volume, succeeded, failed } = await readStats(project)
  assert.deepEqual({ volume, succeeded, failed }, { volume: '6000', succeeded: 60, failed: 20 })
  const merged = await rows(deps.db, 'select shard from payment_figures where project_id = $1', [project])
  assert.deepEqual(merged, [{ shard: 0 }])
})

test('deleted payments are removed from the stats, and a rolled back change never counts', async () => {
  const project = await newProject()
  await insertPayments(deps, project, [{ amount: 100 }, { amount: 200, state: 'failed' }, { amount: 400 }])
  await rows(deps.db, 'delete from transactions where project_id = $1 and amount = 400', [project])
  const undone = deps.db.transaction(async (tx) => {
    await rows(tx, 'delete from transactions where project_id = $1', [project])
    throw new Error('changed its mind')
  })
  await assert.rejects(undone, /changed its mind/)
  const { volume, succeeded, failed } = await readStats(project)
  assert.deepEqual({ volume, succeeded, failed }, { volume: '100', succeeded: 1, failed: 1 })
})

test('sums beyond the range of a JavaScript number are exact', async () => {
  const project = await newProject()
  const amount = 999_999_999_999
  await insertPayments(
    deps,
    project,
    Array.from({ length: 40 }, () => ({ amount })),
  )
  await rows(deps.db, 'update payment_figures set volume = volume * 1000 where project_id = $1', [project])
  assert.equal((await readStats(project)).volume, (BigInt(amount) * 40_000n).toString())
})

test('callback times are reported for the whole range and for each bar, and separately by mode', async () => {
  const project = await newProject()
  const counts = (...durations: number[]) => countSteps(durations)
  const toMs = (text: string) => Date.parse(text)
  await addResponses(deps.db, [
    { projectId: project, mode: 'live', hourMs: toMs('2026-11-08T23:00:00Z'), counts: counts(5, 5, 9) },
    { projectId: project, mode: 'live', hourMs: toMs('2026-11-09T22:00:00Z'), counts: counts(9, 9, 9) },
    { projectId: project, mode: 'live', hourMs: toMs('2026-11-09T23:00:00Z'), counts: counts(12) },
    { projectId: project, mode: 'test', hourMs: toMs('2026-11-09T22:00:00Z'), counts: counts(15) },
  ])
  const range = { from: '2026-11-08T23:00:00Z', to: '2026-11-11T23:00:00Z' }
  const live = await readStats(project, range)
  assert.deepEqual(live.callbackMs, { p50: 9, p95: 12 })
  assert.deepEqual(
    live.series.map((bar) => bar.callbackP50Ms),
    [9, 12, null],
  )
  assert.deepEqual((await readStats(project, { ...range, mode: 'test' })).callbackMs, { p50: 15, p95: 15 })
  // If any part of an hour is in the range, the whole hour counts.
  const part = await readStats(project, { from: '2026-11-09T23:30:00Z', to: '2026-11-09T23:40:00Z' })
  assert.deepEqual(part.callbackMs, { p50: 12, p95: 12 })
})

test('reading the stats of a week or of almost three months takes six statements, including the checks of session and ownership', async () => {
  const project = await newProject()
  await getStats(project)
  for (const query of [{}, { from: '2026-08-20T10:07:00Z', to: '2026-11-15T09:13:00Z' }]) {
    const statementsBefore = deps.db.statementCount()
    await readStats(project, query)
    assert.equal(deps.db.statementCount() - statementsBefore, 6)
  }
})
