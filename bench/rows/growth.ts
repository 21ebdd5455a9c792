// Row 9 of the benchmark table: how long reads, and a claim of due callbacks, take with two million rows, compared with two
// thousand. Calls run one after another in this process, because this row measures the database.
import type { AccountId } from '../../server/src/accounts/account.ts'
import { randomUUID } from 'node:crypto'
import { LEDGER_BACKFILL } from '../../server/src/statements/backfill-store.ts'
import { readStatement } from '../../server/src/statements/statement.ts'
import { fetchDue } from '../../server/src/callbacks/fetch-store.ts'
import { takeLanes } from '../../server/src/callbacks/lane-store.ts'
import { listDeliveries } from '../../server/src/deliveries/log.ts'
import { toCursorText } from '../../server/src/feed/cursor.ts'
import { publishEvents, readHead } from '../../server/src/feed/feed-store.ts'
import { listEvents } from '../../server/src/feed/list-events.ts'
import { listTransactions } from '../../server/src/payments/reads/list.ts'
import { readStats } from '../../server/src/payments/reads/stats.ts'
import { findStatusFacts } from '../../server/src/payments/reads/status-store.ts'
import { getTransactionDetails } from '../../server/src/refunds/get-details.ts'
import { seedCallbacks, seedPayments } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { compare, median } from '../measure.ts'
import type { Result } from '../measure.ts'

const MANY = 2_000_000
const FEW = 2_000
const CALLS = 200
const DAY_MS = 24 * 60 * 60 * 1000
const SEED_BATCH = 20_000

/** The time ratio of these calls has a stricter maximum, because programs make such calls regularly. */
const WITH_LOWER_LIMIT = new Set(['events page', 'statement of a month'])

interface SeededDatabase extends BenchDatabase {
  rows: number
  /** A part of every cursor of /sdk/events/list. */
  epoch: string
  paymentIds: readonly string[]
}

class RollBack extends Error {}

/** Takes all lanes (a lane is the queue of one project in one mode), claims a batch and rolls back. */
async function tryClaim(database: BenchDatabase): Promise<void> {
  const work = database.deps.db.transaction(async (tx) => {
    const processId = randomUUID()
    const { lanes } = await takeLanes(tx, processId, { after: null, dead: [], alive: [processId] })
    const request = { slots: 64, unrecordedIds: [], entries: [], held: [], isProbe: false }
    await fetchDue(
      tx,
      processId,
      lanes.map((lane) => ({ ...lane, ...request })),
    )
    throw new RollBack('rolled back on purpose')
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
}

/** Spreads calls over the table. This works because 7,919 and each `limit` have no common factor. */
const pick = (n: number, limit: number) => (n * 7_919) % limit

function listCalls(): Record<string, (database: SeededDatabase, n: number) => Promise<unknown>> {
  const pickOrder = (database: SeededDatabase, n: number) => `order-${1 + pick(n, database.rows)}`
  const list = (database: BenchDatabase, filter: object) =>
    listTransactions(database.deps, database.ownerId as AccountId, {
      page: 1,
      limit: 20,
      projectId: database.projectId,
      ...filter,
    })
  const listLog = (database: BenchDatabase, filter: object) =>
    listDeliveries(database.deps, database.ownerId as AccountId, {
      projectId: database.projectId,
      query: { limit: 50, ...filter },
      locale: 'en',
    })
  const readDays = (database: BenchDatabase, days: number) => {
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
    'list by customId': (database, n) => list(database, { customId: pickOrder(database, n) }),
    'list by state, page 1': (database) => list(database, { state: 'succeeded' }),
    'delivery log': (database) => listLog(database, {}),
    'delivery log by status': (database) => listLog(database, { status: 'pending' }),
    'stats of 7 days': (database) => readDays(database, 7),
    'stats of 30 days': (database) => readDays(database, 30),
    checkStatus: (database, n) =>
      findStatusFacts(database.deps.db, database.projectId, pickOrder(database, n)),
    'one payment': ({ deps, ownerId, projectId, paymentIds }, n) =>
      getTransactionDetails(deps, ownerId as AccountId, {
        projectId,
        transactionId: paymentIds[pick(n, paymentIds.length)]!,
      }),
    'events page': ({ deps, ownerId, projectId, epoch, rows }, n) =>
      listEvents(deps, ownerId as AccountId, {
        projectId,
        after: toCursorText({ epoch, projectId, position: BigInt(pick(n, rows)) }),
        limit: 100,
      }),
    'statement of a month': ({ deps, ownerId, projectId }) => {
      const month = new Date(deps.clock.nowMs() - 30 * DAY_MS).toISOString().slice(0, 7)
      return readStatement(deps, ownerId as AccountId, {
        projectId,
        query: { month, mode: 'live', format: 'json' },
      })
    },
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

/** Inserts callback stats for sixty days: one row for every hour. */
async function seedResponses(database: BenchDatabase, rows: number): Promise<void> {
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

/** Publishes the events of all payments, which also posts the payments to the ledger. */
async function publishSeeded(database: BenchDatabase): Promise<void> {
  while ((await publishEvents(database.deps.db, database.projectId, SEED_BATCH)) > 0);
  await database.sql('vacuum analyze feed_inbox, feed_heads, feed_events, ledger_entries, ledger_days')
}

async function prepare(setup: Setup, name: string, rows: number): Promise<SeededDatabase> {
  const database = await setup.database(name)
  // Completes the backfill of the ledger. Before that, no monthly statement can be read.
  await database.deps.db.transaction((tx) => LEDGER_BACKFILL.fill(tx, 1))
  await seedPayments(database, rows)
  await publishSeeded(database)
  await seedCallbacks(database, { delivered: rows, pending: 500 })
  await seedResponses(database, rows)
  const { epoch } = await readHead(database.deps.db, database.projectId)
  const found = await database.sql(
    `select id from transactions where custom_id = any(select 'order-' || 1 + n * $1::int / 500 from generate_series(0, 499) as n)`,
    [rows],
  )
  return { ...database, rows, epoch, paymentIds: found.rows.map(({ id }: { id: string }) => id) }
}

export async function benchGrowth(setup: Setup): Promise<Result[]> {
  const few = await prepare(setup, 'growth_few', FEW)
  const many = await prepare(setup, 'growth_many', MANY)
  const results: Result[] = []
  for (const [name, work] of Object.entries(listCalls())) {
    results.push(
      await compare({
        name: `9 ${name}, 2 M rows relative to 2 k`,
        unit: 'ms',
        target: WITH_LOWER_LIMIT.has(name)
          ? { kind: 'at most', must: 1.15, goal: 1.1 }
          : { kind: 'at most', must: 1.2, goal: 1.1 },
        rounds: 5,
        ours: () => timeCalls((n) => work(many, n)),
        floor: () => timeCalls((n) => work(few, n)),
      }),
    )
  }
  await few.close()
  await many.close()
  return results
}
