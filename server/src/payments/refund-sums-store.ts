// Reads payments with the sums of their refunds and disputes, and finds the payment of a charge. Triggers maintain the sums.
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'
import type { RefundSums } from './refundable.ts'

export const SUMS = 'refunded, refunds_processing, disputed'

export interface SumsRow {
  refunded: bigint
  refunds_processing: bigint
  disputed: bigint
}

export function toSums({ refunded, refunds_processing: processing, disputed }: SumsRow): RefundSums {
  return { refunded, processing, disputed }
}

export interface RefundedPayment {
  payment: Payment
  sums: RefundSums
}

function toRefunded(rows: readonly (PaymentRow & SumsRow)[]): RefundedPayment | null {
  const [row] = rows
  return row ? { payment: toPayment(row), sums: toSums(row) } : null
}

const FIND = statement(
  'payments.find_refunded',
  `select ${COLUMNS}, ${SUMS} from transactions where project_id = $1 and id = $2`,
)

export async function findRefundedPayment(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<RefundedPayment | null> {
  return toRefunded(await db.query(FIND, [projectId, id]))
}

const LOCK = statement(
  'payments.lock_refunded',
  `select ${COLUMNS}, ${SUMS} from transactions where project_id = $1 and id = $2 for no key update`,
)

/** Used before a refund or dispute of the payment changes, so that such changes run one after the other. */
export async function lockRefundedPayment(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<RefundedPayment | null> {
  return toRefunded(await tx.query(LOCK, [projectId, id]))
}

// A second charge, or a charge that was reported after its payment had ended unpaid, is stored only in
// upstream_reports. There, the query uses only reports that name the payment itself (`saidId`) and a success (`said`).
const FIND_BY_CHARGE = statement(
  'payments.find_by_charge',
  `(select ${COLUMNS}, 1 as rank from transactions where upstream_ref = $1 and upstream_ref is not null and backend = $2 limit 1)
   union all
   (select ${COLUMNS}, 2 from transactions where backend = $2 and id in (
      select transaction_id from upstream_reports where charge_id = $1 and report->>'saidId' = transaction_id::text
        and report->>'said' = 'succeeded') limit 1)
   order by rank limit 1`,
)

export async function findPaymentByCharge(
  db: Queryable,
  backend: string,
  chargeId: string,
): Promise<Payment | null> {
  const [row] = await db.query<PaymentRow>(FIND_BY_CHARGE, [chargeId, backend])
  return row ? toPayment(row) : null
}
