// The attempts of a dead process may have reached the merchant, so they are logged as interrupted and counted.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { mayStart } from './callback.ts'
import { toTargetUrl } from './fetch-store.ts'
import { toEntryId } from './flights.ts'
import type { Lane } from './lanes.ts'
import { LEASE_SEC } from './lanes.ts'
import { storePending } from './new-callbacks-store.ts'
import { ATTEMPTS_MAX } from './retry.ts'

/** SQL: true if callback `c` has no attempt left in its round. */
const IS_LAST_ATTEMPT = `(c.trigger in ('test', 'exam') or o.attempt - c.round_from - c.not_ready >=
  case c.mode when 'live' then ${ATTEMPTS_MAX.live} else ${ATTEMPTS_MAX.test} end)`

/** `lost` selects project_id, id, attempt, trigger, started_at, and whether a person requested a new round meanwhile. */
const toInterruptSql = (lost: string) => `with lost as materialized (
     ${lost}
   ), requeued as (
     update callbacks c set attempts = o.attempt, claim = null, lease_until = null, last_outcome = 'interrupted',
       -- After the last attempt: when the callback was given up. Otherwise, the callback keeps its place in the queue.
       next_at = case when ${IS_LAST_ATTEMPT} and not o.is_round_requested then now() else least(c.next_at, now()) end,
       round_from = case when o.is_round_requested then o.attempt else c.round_from end,
       trigger = case when o.is_round_requested then 'manual' when c.trigger = 'manual' then 'auto' else c.trigger end,
       status = case
         when o.is_round_requested then 'pending'
         when c.delivered_at is not null then 'delivered'
         when ${IS_LAST_ATTEMPT} then 'exhausted'
         else 'pending' end
     from lost o where c.project_id = o.project_id and c.id = o.id
     returning c.project_id, c.id, c.mode, c.attempts, c.status, o.trigger, o.started_at
   ), logged as (
     insert into callback_attempts (project_id, callback_id, attempt, trigger, url, started_at, outcome, next_at)
     select r.project_id, r.id, r.attempts, r.trigger, ${toTargetUrl('r.mode')}, r.started_at, 'interrupted',
       case r.status when 'pending' then now() end
     from requeued r join projects p on p.id = r.project_id
     on conflict do nothing
   ), given_up as (
     insert into callback_lanes as l (project_id, mode, exhausted_untold, given_up)
     select project_id, mode, count(*), count(*) from requeued where status = 'exhausted' and mode = 'live'
     group by project_id, mode order by project_id, mode
     on conflict (project_id, mode) do update set
       exhausted_untold = l.exhausted_untold + excluded.exhausted_untold, given_up = l.given_up + excluded.given_up
   )
   select id from requeued`

const INTERRUPT = statement(
  'callbacks.interrupt',
  toInterruptSql(`select c.project_id, c.id, c.attempts + 1 as attempt, e.trigger, now() as started_at,
       c.trigger = 'manual' and e.trigger <> 'manual' as is_round_requested
     from unnest($3::text[]) as w(entry)
     cross join lateral (select split_part(w.entry, ':', 1) as id, split_part(w.entry, ':', 2)::integer as attempts,
       split_part(w.entry, ':', 3) as trigger) e
     join callbacks c on c.project_id = $1 and c.id = e.id
     -- Leaves out a callback whose outcome was recorded after all: its number of attempts has changed.
     where c.mode = $2 and c.attempts = e.attempts and c.claim is null and ${mayStart('interrupt', 'c.status')}
     order by c.id for update of c`),
)

/** `entries`: the callbacks that the last owner of the lane was sending, as `id:attempts:trigger`. */
export async function interruptAttempts(
  db: Queryable,
  { projectId, mode }: Lane,
  entries: readonly string[],
): Promise<void> {
  await storePending(db, projectId, entries.map(toEntryId))
  await db.query(INTERRUPT, [projectId, mode, entries])
}

const FORGET_HELD = statement(
  'lanes.forget_held',
  `update callback_lanes set held = array(select e from unnest(held) e where e <> all ($3::text[]))
   where project_id = $1 and mode = $2`,
)

export async function forgetHeld(
  db: Queryable,
  { projectId, mode }: Lane,
  entries: readonly string[],
): Promise<void> {
  await db.query(FORGET_HELD, [projectId, mode, entries])
}

/**
 * How many expired claims one statement recovers. More are rare: few callbacks have a claim, and usually a claim expires
 * only if its process dies.
 */
const RECOVER_MAX = 128

const RECOVER = statement(
  'callbacks.recover',
  toInterruptSql(`select project_id, id, attempts as attempt, trigger, lease_until - interval '${LEASE_SEC} seconds' as started_at,
       round_from >= attempts as is_round_requested
     from callbacks where ${mayStart('recover')} and lease_until < now()
     order by lease_until limit ${RECOVER_MAX} for update skip locked`),
)

/**
 * Recovers the expired claims of callbacks with the trigger `test` or `exam`, and of callbacks that an earlier release
 * claimed. Returns how many callbacks were recovered.
 */
export async function recoverClaims(db: Queryable): Promise<number> {
  return (await db.query(RECOVER)).length
}
