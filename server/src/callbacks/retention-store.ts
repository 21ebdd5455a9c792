import type { Queryable } from '../db/pool.ts'
import { QUEUED_ARRAY } from '../callbacks/callback.ts'
import { isNew, toDeliveredAt } from '../callbacks/new-callbacks-store.ts'
import { statement } from '../db/pool.ts'

/** The batch is small, so that no lock is held for long. */
export const RETENTION_BATCH = 500

// Searches project by project, because the index is ordered by project.
export const DELETE_OLD = statement(
  'callbacks.delete_old_attempts',
  `with old as materialized (
     select a.* from projects p cross join lateral (
       select ctid as at, project_id, callback_id, attempt, outcome from callback_attempts a where a.project_id = p.id
         and a.started_at < now() - make_interval(days => $1::integer)
       order by a.started_at limit ${RETENTION_BATCH}) a
     limit ${RETENTION_BATCH}
   ), kept as (
     -- If delivered_at is null, only the attempt has the time of delivery. The time is copied before the attempt is deleted.
     update callbacks c set delivered_at = ${toDeliveredAt('c')} from old o
     where c.project_id = o.project_id and c.id = o.callback_id and o.attempt = 1 and o.outcome = 'delivered'
       and c.status = 'delivered' and c.delivered_at is null and not ${isNew('c')}
   )
   delete from callback_attempts where ctid = any (array(select at from old)) returning 1`,
)

export async function deleteOldAttempts(db: Queryable, retentionDays: number): Promise<number> {
  return (await db.query(DELETE_OLD, [retentionDays])).length
}

// A trigger also deletes the attempts of each deleted callback (delete_attempts_of_callbacks).
export const DELETE_OLD_TESTS = statement(
  'callbacks.delete_old_tests',
  `delete from callbacks where ctid = any (array(
     select ctid from callbacks c where transaction_id is null and created_at < now() - make_interval(days => $1::integer)
       and status <> all (${QUEUED_ARRAY}) and not ${isNew('c')}
     limit ${RETENTION_BATCH})) returning 1`,
)

/** Deletes old callbacks that have no payment and are no longer queued. No accounting depends on them. */
export async function deleteOldTestCallbacks(db: Queryable, retentionDays: number): Promise<number> {
  return (await db.query(DELETE_OLD_TESTS, [retentionDays])).length
}
