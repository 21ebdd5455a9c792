import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { NewRefund } from './backend.ts'
import { toRefundMetadata } from './metadata.ts'

export interface RefundRow {
  id: string
  payment_id: string
  amount: bigint
  currency: string
  status: 'succeeded' | 'failed'
  failure_code: string | null
  /** When the money comes back to the merchant. After this time the sandbox reports the refund as failed. Null: never. */
  returns_at: Date | null
  is_returned: boolean
}

export const COLUMNS = `id, payment_id, amount, currency, status, failure_code, returns_at, coalesce(returns_at <= now(), false) as is_returned`

// The charge is locked, so that two refunds at the same time cannot both see the whole amount.
const WRITE = statement(
  'sandbox.refund',
  `with charge as (
     select id, amount, currency from sandbox_charges where id = $2 and status = 'succeeded' for update),
   checked as (
     select c.id, $5 = 'succeeded' and c.currency = $4 and c.amount >= $3 + sandbox_refunded(c.id, $1) as is_allowed from charge c)
   insert into sandbox_refunds (id, payment_id, amount, currency, status, failure_code, returns_at, metadata)
   select $1, id, $3, $4, case when is_allowed then 'succeeded' else 'failed' end,
     case when is_allowed then null when $5 = 'succeeded' then 'amount_too_large' else 'declined' end,
     case when is_allowed then now() + $6::float8 * interval '1 millisecond' end, $7::jsonb
   from checked on conflict (id) do nothing returning ${COLUMNS}`,
)

/**
 * Idempotent: a repeat returns the first refund of this id. Null: the charge `paymentId` does not exist or did not
 * succeed.
 */
export async function writeRefund(
  db: Queryable,
  refund: NewRefund & { status: RefundRow['status']; returnsInMs: number | null },
): Promise<RefundRow | null> {
  const { id, paymentId, amount, currency, status, returnsInMs } = refund
  const metadata = JSON.stringify(toRefundMetadata(refund))
  const values = [id, paymentId, amount, currency, status, returnsInMs, metadata]
  const [row] = await db.query<RefundRow>(WRITE, values)
  return row ?? findRefundRow(db, id)
}

const FIND = statement('sandbox.find_refund', `select ${COLUMNS} from sandbox_refunds where id = $1`)

export async function findRefundRow(db: Queryable, id: string): Promise<RefundRow | null> {
  const [row] = await db.query<RefundRow>(FIND, [id])
  return row ?? null
}

const LIST = statement(
  'sandbox.list_refunds',
  `select ${COLUMNS} from sandbox_refunds where payment_id = $1 order by created_at, id`,
)

export async function listRefundRows(db: Queryable, paymentId: string): Promise<RefundRow[]> {
  return db.query<RefundRow>(LIST, [paymentId])
}
