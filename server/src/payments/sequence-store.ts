// Upstreams may number the reports of a payment. A report with a lower number than the newest one is outdated.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'

/** A condition on the payment. `$2` is the number of the report; null: the report has none. */
export const IS_NEWEST = '($2::bigint is null or coalesce(upstream_sequence, 0) <= $2)'

const RECORD_SEQUENCE = statement(
  'payments.note_sequence',
  `update transactions set upstream_sequence = $2 where id = $1 and ($3 or ${IS_NEWEST}) returning ${COLUMNS}`,
)

/**
 * Null: a report with a higher number was recorded before. `isReset`: the report counts as the newest, because the
 * upstream may have restarted its numbering.
 */
export async function recordSequence(
  db: Queryable,
  id: string,
  sequence: number,
  isReset: boolean,
): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(RECORD_SEQUENCE, [id, sequence, isReset])
  return rows[0] ? toPayment(rows[0]) : null
}
