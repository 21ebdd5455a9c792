import type { Queryable } from '../db/pool.ts'
import { QUEUED_STATES, toStateArray } from '../callbacks/callback.ts'
import { statement } from '../db/pool.ts'

/** Small, so that no lock is held for long. */
export const RETENTION_BATCH = 500

// Project by project, because that is how the index goes; each costs one step in it when there is nothing to remove.
export const DELETE_OLD = statement(
  'callbacks.delete_old_attempts',
  `delete from callback_attempts where ctid = any (array(
     select a.ctid from projects p cross join lateral (
       select ctid from callback_attempts a where a.project_id = p.id
         and a.started_at < now() - make_interval(days => $1::integer)
       order by a.started_at limit ${RETENTION_BATCH}) a
     limit ${RETENTION_BATCH})) returning 1`,
)

export async function deleteOldAttempts(db: Queryable, keptDays: number): Promise<number> {
  return (await db.query(DELETE_OLD, [keptDays])).length
}

// Its attempts go with it. One that a person has just sent again stays until it has arrived or was given up.
export const DELETE_OLD_TESTS = statement(
  'callbacks.delete_old_tests',
  `delete from callbacks where ctid = any (array(
     select ctid from callbacks where transaction_id is null and created_at < now() - make_interval(days => $1::integer)
       and status <> all (${toStateArray(QUEUED_STATES)})
     limit ${RETENTION_BATCH})) returning 1`,
)

/** Callbacks without a payment: no books hang on them. */
export async function deleteOldTestCallbacks(db: Queryable, keptDays: number): Promise<number> {
  return (await db.query(DELETE_OLD_TESTS, [keptDays])).length
}
