// Row 9: the cost of a list page, a search, the delivery log, stats, a status check and a claim with two million rows,
// compared with two thousand. Calls run one after another in this process, because the row measures the database.
import type { AccountId } from '../../server/src/accounts/account.ts'
import { claimCallbacks } from '../../server/src/callbacks/claim-store.ts'
import { listDeliveries } from '../../server/src/deliveries/log.ts'
import { listTransactions } from '../../server/src/payments/list.ts'
import { readStats } from '../../server/src/payments/stats.ts'
import { findStatusFacts } from '../../server/src/payments/status-store.ts'
import { seedCallbacks, seedPayments } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { compare, median } from '../measure.ts'
import type { Result } from '../measure.ts'

const MANY = 2_000_000
const FEW = 2_000
const CALLS = 200
const DAY_MS = 24 * 60 * 60 * 1000

class RollBack extends Error {}

/** Claims a batch and rolls back. */
async function tryClaim(database: BenchDatabase): Promise<void> {
  const work = database.deps.db.transaction(async (tx) => {
    await claimCallbacks(tx, 64, null, [])
    throw new RollBack('claimed and given back')
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
}

function works(rows: number): Record<string, (database: BenchDatabase, n: number) => Promise<unknown>> {
  const someOrder = (n: number) => `order-${1 + ((n * 7_919) % rows)}`
  const list = (database: BenchDatabase, filter: object) =>
    listTransactions(database.deps, database.ownerId as AccountId, {
      page: 1,
      limit: 20,
      projectId: database.projectId,
      ...filter,
    })
  const log = (database: BenchDatabase, filter: object) =>
    listDeliveries(database.deps, database.ownerId as AccountId, {
      projectId: database.projectId,
      query: { limit: 50, ...filter },
      locale: 'en',
    })
  const stats = (database: BenchDatabase, days: number) => {
    const now = database.deps.clock.nowMs()
    const [from, to] = [now - days * DAY_MS, now].map((ms) => new Date(ms).toISOString())
    return readStats(
      database.deps,
      { id: database.ownerId as AccountId, timeZone: 'Europe/Podgorica' },
      { projectId: database.projectId, query: { from, to, mode: 'live' } },
    )
  }
  return {
    'list page 1': (database) => list(database, {}),
    'list by customId': (database, n) => list(database, { customId: someOrder(n) }),
    'list by state, page 1': (database) => list(database, { state: 'succeeded' }),
    'delivery log': (database) => log(database, {}),
    'delivery log by status': (database) => log(database, { status: 'pending' }),
    'stats of 7 days': (database) => stats(database, 7),
    'stats of 30 days': (database) => stats(database, 30),
    checkStatus: (database, n) => findStatusFacts(database.deps.db, database.projectId, someOrder(n)),
    'claim of 64': (database) => tryClaim(database),
  }
}

async function timeCalls(work: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < CALLS; n += 1) {
    const startedMs = performance.now()
    await work(n)
    times.push(performance.now() - startedMs)
  }
  return median(times)
}

/** The stats rows that this many accepted callbacks produce in sixty days; both sizes fill nearly every hour. */
async function seedAnswers(database: BenchDatabase, rows: number): Promise<void> {
  await database.sql(
    `insert into callback_figures (project_id, mode, hour, answers)
     select $1, 'live', date_trunc('hour', now()) - n * interval '1 hour',
       array(select case when step between 30 and 60 then ceil($2::float8 / 1440 / 30)::int else 0 end
         from generate_series(1, 96) as step)
     from generate_series(0, 1439) as n`,
    [database.projectId, rows],
  )
  await database.sql('vacuum analyze payment_figures, callback_figures')
}

async function prepare(setup: Setup, name: string, rows: number): Promise<BenchDatabase> {
  const database = await setup.database(name)
  await seedPayments(database, rows)
  await seedCallbacks(database, { delivered: rows, pending: 500 })
  await seedAnswers(database, rows)
  return database
}

export async function benchGrowth(setup: Setup): Promise<Result[]> {
  const few = await prepare(setup, 'growth_few', FEW)
  const many = await prepare(setup, 'growth_many', MANY)
  const results: Result[] = []
  for (const name of Object.keys(works(FEW))) {
    results.push(
      await compare({
        name: `9 ${name}, 2 M rows beside 2 k`,
        unit: 'ms',
        bar: { kind: 'at most', must: 1.5, goal: 1.15 },
        rounds: 5,
        ours: () => timeCalls((n) => works(MANY)[name]!(many, n)),
        floor: () => timeCalls((n) => works(FEW)[name]!(few, n)),
      }),
    )
  }
  await few.close()
  await many.close()
  return results
}
