// The cost of stats hardly grows with the number of payments. The tests count database pages instead of measuring time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../accounts.ts'
import { addCallbackProject } from '../deliveries.ts'
import { startPayments } from '../payments.ts'
import { countPages } from '../touched-pages.ts'
import { readTakenBack } from '../../src/statements/taken-back-store.ts'
import { toDate } from '../../src/lib/clock.ts'
import { readResponses } from '../../src/callbacks/response-times-store.ts'
import { findFailures } from '../../src/deliveries/failures-store.ts'
import type { Queryable } from '../../src/db/pool.ts'
import { readFirstSteps } from '../../src/payments/reads/first-steps-store.ts'
import { planRange } from '../../src/payments/reads/stats-range.ts'
import { foldStats, readPaymentStats } from '../../src/payments/reads/stats-store.ts'
import { readProjectDays } from '../../src/payments/reads/today-store.ts'

const { deps, databaseUrl } = await startPayments()
const { db } = deps
const FEW = 3_000
const MANY = 30_000
/** With this many callbacks, a week has more failures than one query reads. */
const CALLBACKS_PER_PAYMENT = 2
const ROWS_PER_INSERT = 5_000

/** Adds thirty days of payments with refunds, and their callbacks. One callback in five is not delivered. */
async function addPastPayments(projectId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_PER_INSERT) {
    const values = [projectId, from, Math.min(count, from + ROWS_PER_INSERT - 1), count]
    await rows(
      db,
      `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, created_at, completed_at)
       select gen_random_uuid(), $1, 'live', gen_random_uuid(), 1500, 'EUR', 'succeeded', at, at
       from (select n, now() - n * interval '30 days' / $4::int as at from generate_series($2::int, $3::int) as n) as made`,
      values,
    )
    await rows(
      db,
      `insert into ledger_entries (project_id, mode, posted_on, at, type, amount, currency, amount_scale, transaction_id, refund_id)
       select $1, 'live', at::date, at, 'refund', -1, 'EUR', 2, gen_random_uuid(), 're_' || n
       from (select n, now() - n * interval '30 days' / $4::int as at from generate_series($2::int, $3::int) as n) as made`,
      values,
    )
  }
  await addPastCallbacks(projectId, count * CALLBACKS_PER_PAYMENT)
  await rows(
    db,
    `insert into callback_figures (project_id, mode, hour, answers)
     select $1, 'live', date_trunc('hour', now()) - n * interval '1 hour', array_fill($2::int / 720, array[96])
     from generate_series(0, 719) as n`,
    [projectId, count],
  )
  while ((await foldStats(db)) > 0);
  for (const table of [
    'transactions',
    'callbacks',
    'callback_attempts',
    'payment_figures',
    'callback_figures',
    'ledger_entries',
    'ledger_quarters',
  ])
    await rows(db, `vacuum analyze ${table}`)
}

async function addPastCallbacks(projectId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_PER_INSERT)
    await rows(
      db,
      `with made as (
         insert into callbacks (project_id, id, mode, result, payload, status, attempts, last_outcome, created_at, delivered_at)
         select $1::text, 'msg_' || md5($1::text || n), 'live', 'success', '{}', case n % 5 when 0 then 'exhausted' else 'delivered' end,
           1, case n % 5 when 0 then 'timeout' else 'delivered' end, now() - n * interval '30 days' / $4::int,
           case when n % 5 <> 0 then now() end
         from generate_series($2::int, $3::int) as n returning *)
       insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
       select project_id, id, 1, 'https://shop.example.com', created_at, 20, last_outcome from made`,
      [projectId, from, Math.min(count, from + ROWS_PER_INSERT - 1), count],
    )
}

function toQueries(projectId: string, ownerId: string) {
  const range = planRange({}, 'Europe/Podgorica', deps.clock.nowMs())
  const lane = { projectId, mode: 'live' } as const
  const queries: Record<string, (queryable: Queryable) => Promise<unknown>> = {
    'stats of a week': (on) => readPaymentStats(on, projectId, 'live', range, null),
    'refunds and disputes of a week': (on) => readTakenBack(on, lane, range, deps.installation),
    'refunds and disputes up to now': (on) =>
      readTakenBack(
        on,
        lane,
        planRange({ to: toDate(deps.clock.nowMs()).toISOString() }, 'UTC', deps.clock.nowMs()),
        deps.installation,
      ),
    'response times of a week': (on) => readResponses(on, lane, range),
    'the day of every project': (on) => readProjectDays(on, ownerId, range.starts.at(-1)!, null),
    'the first steps': (on) => readFirstSteps(on, projectId),
    'failures by cause': (on) => findFailures(on, lane),
  }
  return queries
}

async function addShop(count: number) {
  const projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')
  await addPastPayments(projectId, count)
  const [row] = await rows<{ owner_id: string }>(db, 'select owner_id from projects where id = $1', [
    projectId,
  ])
  return toQueries(projectId, row!.owner_id)
}

const small = await addShop(FEW)
const pagesWithFew: Record<string, number> = {}
for (const [name, query] of Object.entries(small))
  pagesWithFew[name] = await countPages(databaseUrl, db, query)
const big = await addShop(MANY)

for (const [name, query] of Object.entries(big)) {
  test(`reading ${name} takes about as many database pages with ${MANY} payments as with ${FEW}`, async (t) => {
    const pages = await countPages(databaseUrl, db, query)
    t.diagnostic(`${pagesWithFew[name]} pages, then ${pages}`)
    // Deeper indexes and rows spread further apart cost some pages. The query 'failures by cause' needs 200 lookups of four
    // pages each. A scan of the range would cost more: about 190 pages, or 1,600 for the failures.
    const allowedGrowth = name === 'failures by cause' ? 1_000 : 120
    assert.ok(pages <= pagesWithFew[name]! + allowedGrowth, `${pagesWithFew[name]} pages became ${pages}`)
  })
}
