// For the check that no result was lost: every ended payment has a callback, and every delivered callback has an attempt
// that arrived.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { isResult } from './callback.ts'
import { isNew } from './new-callbacks-store.ts'

const FIND_LOST = statement(
  'callbacks.find_lost',
  `select t.id::text as "transactionId", c.id as "callbackId"
   from unnest($1::uuid[]) as t(id) left join lateral (
     select c.project_id, c.id, c.status, c.delivered_at, c.created_at from callbacks c where c.transaction_id = t.id and ${isResult('c')}
     order by c.revision desc limit 1) c on true
   where c.id is null or (c.status = 'delivered'
     -- Skips deliveries whose attempts may already be deleted. Retention counts from the start of an attempt, which is
     -- before delivered_at, so an hour is added as a margin. A callback without that time must have its first attempt, which
     -- cannot be older than the callback, unless it is new.
     and coalesce(c.delivered_at, c.created_at) > now() - make_interval(days => $2::integer) + interval '1 hour'
     and not exists (select from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id
       and a.outcome = 'delivered') and not ${isNew('c')})`,
)

export interface LostResult {
  transactionId: string
  /** Null if the payment has no callback at all. */
  callbackId: string | null
}

/** Finds those of the payments whose merchant will never get the result. All given payments must have ended. */
export async function findLostResults(
  db: Queryable,
  transactionIds: readonly string[],
  attemptRetentionDays: number,
): Promise<LostResult[]> {
  return db.query(FIND_LOST, [transactionIds, attemptRetentionDays])
}
