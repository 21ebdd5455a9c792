// Finds lost results: an ended payment must have a callback, and a delivered callback must have an accepted attempt.
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
     -- Skips deliveries whose attempts may already be deleted. The hour is a margin, because retention counts from the
     -- start of an attempt.
     and coalesce(c.delivered_at, c.created_at) > now() - make_interval(days => $2::integer) + interval '1 hour'
     and not exists (select from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id
       and a.outcome = 'delivered') and not ${isNew('c')})`,
)

export interface LostResult {
  transactionId: string
  callbackId: string | null
}

/** All given payments must have ended. */
export async function findLostResults(
  db: Queryable,
  transactionIds: readonly string[],
  attemptRetentionDays: number,
): Promise<LostResult[]> {
  return db.query(FIND_LOST, [transactionIds, attemptRetentionDays])
}
