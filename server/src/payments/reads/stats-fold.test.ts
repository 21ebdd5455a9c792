import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { startPayments } from '../../../test/payments.ts'
import { FOLD_BATCH, foldStats, readPaymentStats } from './stats-store.ts'
import { foldAllStats } from './stats.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

beforeEach(() => rows(db, 'truncate payment_figures'))

/** Inserts `shards` rows for each of `quarters` quarters of an hour. The newest quarter began `minutes` minutes ago. */
const insert = (minutes: number, shards: number, quarters = 1) =>
  rows(
    db,
    `insert into payment_figures (project_id, mode, quarter, shard, succeeded, failed, volume)
     select $1, 'live', now() - make_interval(mins => $2 + 15 * q), s, 1, 0, 10
     from generate_series(1, $3::integer) s, generate_series(0, $4::integer - 1) q`,
    [projectId, minutes, shards, quarters],
  )

const countShards = async () => (await rows(db, 'select from payment_figures where shard <> 0')).length

test('the rows of a quarter of an hour are merged one hour after the quarter began, not earlier', async () => {
  await insert(59, 3)
  assert.equal(await foldStats(db), 0)
  assert.equal(await countShards(), 3)
  await insert(61, 3)
  assert.equal(await foldStats(db), 3)
  assert.equal(await countShards(), 3)
})

test('one call merges more rows than fit in a batch', async () => {
  // With 31 shards each, these quarters have a few more rows than one batch.
  const quarters = Math.ceil((FOLD_BATCH + 31) / 31)
  await insert(120, 31, quarters)
  await foldAllStats(deps)
  assert.equal(await countShards(), 0)
  const sums = await rows(
    db,
    'select sum(succeeded)::int as n, sum(volume)::int as volume from payment_figures',
  )
  assert.deepEqual(sums, [{ n: 31 * quarters, volume: 310 * quarters }])
})

test('amounts from before a change of the currency do not count towards the volume', async () => {
  const changeAt = new Date('2026-11-10T10:00:00Z')
  const beforeChange = new Date('2026-11-10T09:45:00Z')
  for (const [at, volume] of [
    [beforeChange, 7],
    [changeAt, 100],
  ] as const)
    await rows(
      db,
      `insert into payment_figures (project_id, mode, quarter, shard, succeeded, failed, volume)
       values ($1, 'live', $2, 0, 1, 0, $3)`,
      [projectId, at, volume],
    )
  const from = new Date('2026-11-10T09:00:00Z')
  const to = new Date('2026-11-10T11:00:00Z')
  const range = { from, wholeFrom: from, wholeTo: to, to, starts: [from], bucket: 'hour' as const }
  const read = async (currencyChangedAt: Date | null) =>
    (await readPaymentStats(db, projectId, 'live', range, currencyChangedAt)).map(({ volume, succeeded }) => [
      volume,
      succeeded,
    ])
  assert.deepEqual(await read(changeAt), [[100n, 2]])
  assert.deepEqual(await read(null), [[107n, 2]])
})
