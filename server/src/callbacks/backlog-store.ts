// For operators: how many callbacks are due, and how many processes deliver callbacks.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/** Counting stops here, because a larger backlog is an alarm anyway. */
export const COUNT_MAX = 10_000

export interface Backlog {
  count: number
  oldestSec: number
}

// `attempts >= 0` is always true. With this condition the planner uses the index of due callbacks.
const DUE = statement(
  'callbacks.backlog',
  `with recursive due as (
     (select next_at from callbacks where status = 'pending' and attempts >= 0 and next_at <= now() order by next_at limit ${COUNT_MAX})
     union all (select created_at from new_callbacks limit ${COUNT_MAX})
   ), oldest (mode, project_id, created_at, nth) as (
     -- Finds the oldest new callback of each lane in one index step. The index is ordered by time only within a lane.
     (select mode, project_id, created_at, 1 from new_callbacks order by mode, project_id, created_at limit 1)
     union all
     select n.*, o.nth + 1 from oldest o cross join lateral (
       select n.mode, n.project_id, n.created_at from new_callbacks n where (n.mode, n.project_id) > (o.mode, o.project_id)
       order by n.mode, n.project_id, n.created_at limit 1) n where o.nth < ${COUNT_MAX}
   )
   select least(count(*), ${COUNT_MAX})::integer as count, greatest(0, coalesce(extract(epoch from now() - least(min(next_at),
     (select min(created_at) from oldest))), 0))::float8 as "oldestSec" from due`,
)

const OWNERS = statement(
  'callbacks.count_owners',
  `select count(*)::integer as count from delivery_processes where lease_until > now() and not is_leaving`,
)

export async function countLaneOwners(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(OWNERS)
  return row!.count
}

export async function countDueCallbacks(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<Backlog>(DUE)
  return row!
}
