import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { countsAsPaid } from './payments-store.ts'

/**
 * For this many days after its end, a payment is checked once a day for a lost result (lost-results.ts). A callback is
 * retried for fewer days than that.
 */
export const CHECKED_DAYS = 4
/**
 * Payments that began more than this many days ago are not checked. An upstream may need 14 days for a payment; two more
 * days are a reserve.
 */
const BEGAN_DAYS_MAX = CHECKED_DAYS + 16
/** The batch is small, so that the check does not slow down payments. */
export const CHECK_BATCH = 500

// An id begins with the time of its payment (UUIDv7), so the payments of a period are one range of ids. Some unpaid payments
// need no callback: a duplicate that was found after a restore, and a payment whose order was paid by another payment.
const LIST_ENDED = statement(
  'payments.list_ended',
  `select t.id::text as id, coalesce(t.completed_at > now() - interval '${CHECKED_DAYS} days', false)
       and t.failure_code is distinct from 'duplicate'
       and (t.custom_id is null or ${countsAsPaid('t')} or not exists (
         select from transactions o where o.project_id = t.project_id and o.mode = t.mode and o.custom_id = t.custom_id
           and ${countsAsPaid('o')})) as "isChecked"
   from transactions t
   where t.id > coalesce($1::uuid, (lpad(to_hex((extract(epoch from now() - interval '${BEGAN_DAYS_MAX} days') * 1000)::bigint),
       12, '0') || '7' || repeat('0', 19))::uuid)
   order by t.id limit ${CHECK_BATCH}`,
)

export interface EndedPayments {
  ids: string[]
  /** The id after which the next payments begin. Null: there are no more. */
  after: string | null
}

/** Reads at most CHECK_BATCH payments after this id. `ids`: the payments that ended recently and must have a callback. */
export async function listEndedPayments(db: Queryable, after: string | null): Promise<EndedPayments> {
  const found = await db.query<{ id: string; isChecked: boolean }>(LIST_ENDED, [after])
  return {
    ids: found.filter(({ isChecked }) => isChecked).map(({ id }) => id),
    after: found.length < CHECK_BATCH ? null : found.at(-1)!.id,
  }
}
