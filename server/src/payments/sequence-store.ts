// Upstreams may number the reports of a payment. A report with a lower number than the newest one is outdated.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'

/**
 * SQL condition: no report of the payment with a higher number is stored. `$2` is the number of the new report. If `$2` is
 * null, the report has no number, and the condition is true.
 */
export const IS_NEWEST = '($2::bigint is null or coalesce(upstream_sequence, 0) <= $2)'

const RECORD_SEQUENCE = statement(
  'payments.note_sequence',
  `update transactions set upstream_sequence = $2 where id = $1 and ($3 or ${IS_NEWEST}) returning ${COLUMNS}`,
)

/**
 * Stores the number of a report and returns the payment. Null: the number of a newer report is already stored. With
 * `isReset`, the report counts as the newest whatever its number is, because the upstream may have restarted its numbering.
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
