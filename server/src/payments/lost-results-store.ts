import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/** Only payments that began within this time are checked. It is longer than a callback is retried. */
export const CHECKED_DAYS = 4
/** Small, so that the check does not slow down payments. */
export const CHECK_BATCH = 500

// An id begins with the time of its payment (UUIDv7), so a range of time is a range of the key.
const LIST_ENDED = statement(
  'payments.list_ended',
  `select id::text as id from transactions
   where id > coalesce($1::uuid, (lpad(to_hex((extract(epoch from now() - interval '${CHECKED_DAYS} days') * 1000)::bigint),
       12, '0') || '7' || repeat('0', 19))::uuid)
     and completed_at is not null
   order by id limit ${CHECK_BATCH}`,
)

export async function listEndedPayments(db: Queryable, after: string | null): Promise<string[]> {
  return (await db.query<{ id: string }>(LIST_ENDED, [after])).map(({ id }) => id)
}
