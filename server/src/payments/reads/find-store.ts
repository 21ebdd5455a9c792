// Finds a payment by any id or text that an operator has. A search by the beginning of customId or data runs once per
// project, because the indexes begin with the project.
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import type { Search } from './list-filter.ts'
import type { Payment } from '../payment.ts'
import type { PaymentRow } from '../payments-store.ts'
import { COLUMNS, toPayment } from '../payments-store.ts'

/** A longer list would not help to find one payment. */
export const FOUND_MAX = 20

const EVERY_LANE = `unnest($10::text[]) as p(id) cross join unnest(array['live', 'test']) as m(mode)`
const selectInEveryLane = (matches: string, order: string) =>
  `select t.id from ${EVERY_LANE} cross join lateral (
     select id from transactions t where t.project_id = p.id and t.mode = m.mode and ${matches}
     order by ${order} limit ${FOUND_MAX + 1}) t`

const FIND = statement(
  'payments.find_any',
  `with found as (
     (select id from transactions where id = any($1::uuid[]))
     union (select id from transactions where attempt_id = any($2::uuid[]))
     union (select id from transactions where right(id::text, 10) = $3 limit ${FOUND_MAX + 1})
     union (select id from transactions where upstream_ref = $4 and upstream_ref is not null limit ${FOUND_MAX + 1})
     union (select transaction_id from upstream_reports where charge_id = $4 limit ${FOUND_MAX + 1})
     union (select id from transactions where custom_id_hash = any($9::bytea[]) limit ${FOUND_MAX + 1})
     union (${selectInEveryLane('t.custom_id ~>=~ $5 and t.custom_id ~<~ $6', 't.custom_id using ~<~')})
     union (${selectInEveryLane(
       'left(t.data, 64) ~>=~ $7 and left(t.data, 64) ~<~ $8 and starts_with(t.data, $4)',
       'left(t.data, 64) using ~<~',
     )}))
   select ${COLUMNS} from transactions where id = any (array(select id from found))
   order by created_at desc, id desc limit ${FOUND_MAX + 1}`,
)

/** `ids`: payments that the caller has found by the same text in other tables. */
export async function findPayments(
  db: Queryable,
  search: Search,
  attemptId: string | null,
  ids: readonly string[],
  customIdHashes: readonly Buffer[],
  projectIds: readonly string[],
): Promise<Payment[]> {
  const { transactionId, reference, text, customId, data } = search
  const rows = await db.query<PaymentRow>(FIND, [
    transactionId === null ? ids : [transactionId, ...ids],
    attemptId === null ? [] : [attemptId],
    reference,
    text,
    customId.start,
    customId.end,
    data.start,
    data.end,
    customIdHashes,
    projectIds,
  ])
  return rows.map(toPayment)
}
