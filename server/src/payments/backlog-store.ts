import type { Backlog } from '../callbacks/backlog-store.ts'
import { COUNT_MAX } from '../callbacks/backlog-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface OpenPayments extends Backlog {
  /** How long the oldest due lookup has waited; 0 if none is due. */
  lookupWaitsSec: number
  incidents: number
}

const OPEN = statement(
  'payments.backlog',
  `select count(*)::integer as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSec",
     greatest(coalesce(extract(epoch from now() - min(next_check_at)), 0), 0)::float8 as "lookupWaitsSec",
     (select count(*)::integer from (select from incidents where closed_at is null order by id limit ${COUNT_MAX}) open)
       as incidents
   from (select created_at, next_check_at from transactions where state in ('processing', 'requires_action')
         order by next_check_at limit ${COUNT_MAX}) open`,
)

export async function countOpenPayments(db: Queryable): Promise<OpenPayments> {
  const [row] = await db.query<OpenPayments>(OPEN)
  return row!
}
