import type { CallbackStatus } from '@pazar/contract'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import { subtractInReview } from './stats-store.ts'

export interface ProjectDay {
  projectId: string
  volume: bigint
  succeeded: number
  failed: number
  lastCallback: { status: CallbackStatus; attempts: number; at: Date } | null
}

// The newest callback is selected per status, because the index is ordered by time only within one status.
const READ = statement(
  'today.read',
  `select p.id, day.volume, day.succeeded, day.failed, last.status, last.attempts, last.created_at
   from projects p
   cross join lateral (
     select coalesce(sum(volume) filter (where $3::timestamptz is null or at >= $3), 0)::text as volume, coalesce(sum(succeeded), 0)::integer as succeeded,
       coalesce(sum(failed), 0)::integer as failed
     from (
       select quarter as at, succeeded, failed, volume, 0 as open, 0 as in_review from payment_figures
       where project_id = p.id and mode = 'live' and quarter >= $2
       union all ${subtractInReview('p.id', "'live'")} and created_at >= $2) as parts) as day
   left join lateral (
     select state.status, state.attempts, newest.created_at
     from unnest(array['pending', 'sending', 'delivered', 'exhausted', 'cancelled']) as s(status) cross join lateral (
       select id, created_at from callbacks where project_id = p.id and mode = 'live' and status = s.status
       order by created_at desc, id desc limit 1) as newest
     cross join lateral (select * from callback_states c where c.project_id = p.id and c.id = newest.id offset 0) as state
     order by newest.created_at desc limit 1) as last on true
   where p.id = any (array(select id from projects where owner_id = $1
     union all select project_id from project_members where account_id = $1)) order by p.created_at, p.id`,
)

interface DayRow {
  id: string
  volume: string
  succeeded: number
  failed: number
  status: CallbackStatus | null
  attempts: number | null
  created_at: Date | null
}

/** Amounts from before a change of currency are not in the volume. */
export async function readProjectDays(
  db: Queryable,
  accountId: string,
  dayStart: Date,
  currencyChangedAt: Date | null,
): Promise<ProjectDay[]> {
  const rows = await db.query<DayRow>(READ, [accountId, dayStart, currencyChangedAt])
  return rows.map(({ id, volume, succeeded, failed, status, attempts, created_at: at }) => ({
    projectId: id,
    volume: BigInt(volume),
    succeeded,
    failed,
    lastCallback: status && at && { status, attempts: attempts ?? 0, at },
  }))
}
