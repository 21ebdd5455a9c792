import type { Backlog } from '../callbacks/backlog-store.ts'
import { COUNT_MAX } from '../callbacks/backlog-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface OpenPayments extends Backlog {
  /** For each upstream with open payments: how long the oldest due lookup has waited; 0 if none is due. */
  lookupWaitsSec: Record<string, number>
  incidents: number
}

const OPEN = statement(
  'payments.backlog',
  `with open as materialized (
     select backend, created_at, next_check_at from transactions where state in ('processing', 'requires_action')
     order by next_check_at limit ${COUNT_MAX}
   ), waits as (
     select backend, greatest(extract(epoch from now() - min(next_check_at)), 0)::float8 as sec from open group by backend
   )
   select count(*)::integer as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSec",
     (select coalesce(jsonb_object_agg(backend, sec), '{}') from waits) as "lookupWaitsSec",
     (select count(*)::integer from (select from incidents where closed_at is null order by id limit ${COUNT_MAX}) open)
       as incidents
   from open`,
)

export async function countOpenPayments(db: Queryable): Promise<OpenPayments> {
  const [row] = await db.query<OpenPayments>(OPEN)
  return row!
}
