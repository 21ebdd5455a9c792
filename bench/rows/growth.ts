// Row 9: what a list page, a search, the delivery log, figures, a status check and a claim cost with two million rows
// behind them, beside two thousand. One call after the other, in the process itself: this row is about the database's work.
import type { AccountId } from '../../server/src/accounts/account.ts'
import { claimCallbacks } from '../../server/src/callbacks/claim-store.ts'
import { listDeliveries } from '../../server/src/callbacks/log.ts'
import { listTransactions } from '../../server/src/payments/list.ts'
import { readStats } from '../../server/src/payments/stats.ts'
import { findStatusFacts } from '../../server/src/payments/status-store.ts'
import { seedCallbacks, seedPayments } from '../ground.ts'
import type { Ground, Place } from '../ground.ts'
import { duel, median } from '../measure.ts'
import type { Figure } from '../measure.ts'

const MANY = 2_000_000
const FEW = 2_000
const CALLS = 200
const DAY_MS = 24 * 60 * 60 * 1000

class RollBack extends Error {}

/** Claims, and gives everything back as if it had not. */
async function tryClaim(place: Place): Promise<void> {
  const work = place.deps.db.transaction(async (tx) => {
    await claimCallbacks(tx, 64, null, [])
    throw new RollBack('claimed and given back')
  })
  await work.catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
}

function works(rows: number): Record<string, (place: Place, n: number) => Promise<unknown>> {
  const someOrder = (n: number) => `order-${1 + ((n * 7_919) % rows)}`
  const list = (place: Place, filter: object) =>
    listTransactions(place.deps, place.ownerId as AccountId, {
      page: 1,
      limit: 20,
      projectId: place.projectId,
      ...filter,
    })
  const log = (place: Place, filter: object) =>
    listDeliveries(place.deps, place.ownerId as AccountId, {
      projectId: place.projectId,
      query: { limit: 50, ...filter },
      locale: 'en',
    })
  const stats = (place: Place, days: number) => {
    const now = place.deps.clock.nowMs()
    const [from, to] = [now - days * DAY_MS, now].map((ms) => new Date(ms).toISOString())
    return readStats(
      place.deps,
      { id: place.ownerId as AccountId, timeZone: 'Europe/Podgorica' },
      { projectId: place.projectId, query: { from, to, mode: 'live' } },
    )
  }
  return {
    'list page 1': (place) => list(place, {}),
    'list by customId': (place, n) => list(place, { customId: someOrder(n) }),
    'list by state, page 1': (place) => list(place, { state: 'succeeded' }),
    'delivery log': (place) => log(place, {}),
    'delivery log by status': (place) => log(place, { status: 'pending' }),
    'stats of 7 days': (place) => stats(place, 7),
    'stats of 30 days': (place) => stats(place, 30),
    checkStatus: (place, n) => findStatusFacts(place.deps.db, place.projectId, someOrder(n)),
    'claim of 64': (place) => tryClaim(place),
  }
}

async function timeCalls(work: (n: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < CALLS; n += 1) {
    const begun = performance.now()
    await work(n)
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** What that many accepted callbacks leave in the figures of sixty days; both sizes have some in nearly every hour. */
async function seedAnswers(place: Place, rows: number): Promise<void> {
  await place.sql(
    `insert into callback_figures (project_id, mode, hour, answers)
     select $1, 'live', date_trunc('hour', now()) - n * interval '1 hour',
       array(select case when step between 30 and 60 then ceil($2::float8 / 1440 / 30)::int else 0 end
         from generate_series(1, 96) as step)
     from generate_series(0, 1439) as n`,
    [place.projectId, rows],
  )
  await place.sql('vacuum analyze payment_figures, callback_figures')
}

async function prepare(ground: Ground, name: string, rows: number): Promise<Place> {
  const place = await ground.database(name)
  await seedPayments(place, rows)
  await seedCallbacks(place, { delivered: rows, pending: 500 })
  await seedAnswers(place, rows)
  return place
}

export async function benchGrowth(ground: Ground): Promise<Figure[]> {
  const few = await prepare(ground, 'growth_few', FEW)
  const many = await prepare(ground, 'growth_many', MANY)
  const figures: Figure[] = []
  for (const name of Object.keys(works(FEW))) {
    figures.push(
      await duel({
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
  return figures
}
