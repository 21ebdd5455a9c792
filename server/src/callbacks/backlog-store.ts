// How many callbacks wait to be delivered, and how many processes deliver them, for operators.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/** Counting stops here: a backlog of this size is an alarm anyway, and the count has to stay cheap. */
export const COUNT_MAX = 10_000

export interface Backlog {
  count: number
  oldestSec: number
}

// The condition on attempts is always true; it makes the planner use the index of due callbacks.
const DUE = statement(
  'callbacks.backlog',
  `select count(*)::integer as count, coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as "oldestSec"
   from (select next_at from callbacks where status = 'pending' and attempts >= 0 and next_at <= now()
         order by next_at limit ${COUNT_MAX}) due`,
)

const OWNERS = statement(
  'callbacks.count_owners',
  `select count(*)::integer as count from delivery_processes where lease_until > now() and not is_leaving`,
)

/** Counts the delivery processes that are alive and neither starting nor stopping. Each of them can serve any project. */
export async function countLaneOwners(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(OWNERS)
  return row!.count
}

export async function countDueCallbacks(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<Backlog>(DUE)
  return row!
}
