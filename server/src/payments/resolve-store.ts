// An operator's decision, written beside the state. Whether another payment of the same order is open or paid is decided
// by the unique index on orders, so that two operators at once cannot both be right.
import type { Queryable, Tx } from '../db/pool.ts'
import { isUniqueViolation, statement } from '../db/pool.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, erased, holdsOrder, toPayment } from './payments-store.ts'
import type { Decision } from './resolution.ts'
import { toFailureCode } from './resolution.ts'

const LOCK = statement('resolve.lock', `select ${COLUMNS} from transactions where id = $1 for update`)

export async function lockPayment(tx: Tx, id: string): Promise<Payment | null> {
  const [row] = await tx.query<PaymentRow>(LOCK, [id])
  return row ? toPayment(row) : null
}

// One that is still open ends here; one that has ended keeps its end. Unpaid by a person alone, it is looked up until the
// upstream confirms it.
const RESOLVE = statement(
  'resolve.write',
  `update transactions set resolution = $2, resolution_reason = $3, resolved_by = $4, resolved_at = now(),
     needs_review = false, action_url = null,
     next_check_at = case when $2 = 'unpaid' and (completed_at is null or failure_code in ('resolved_paid', 'resolved_unpaid'))
       then now() + interval '1 hour' end,
     state = case when completed_at is null then 'failed' else state end,
     failure_code = case when completed_at is null then $5 else failure_code end,
     completed_at = coalesce(completed_at, now())
   where id = $1 returning ${COLUMNS}, checkout_id`,
)

/** Another payment of the same order is open or counts as paid. */
export class OrderHeldError extends Error {
  override readonly name = 'OrderHeldError'
}

export async function writeResolution(
  tx: Tx,
  id: string,
  decision: Decision,
): Promise<{ payment: Payment; checkoutId: string | null }> {
  const { as, reason, by } = decision
  try {
    const values = [id, as, reason, by, toFailureCode(as)]
    const [row] = await tx.query<PaymentRow & { checkout_id: string | null }>(RESOLVE, values)
    return { payment: toPayment(row!), checkoutId: row!.checkout_id }
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_order')) throw new OrderHeldError()
    throw error
  }
}

const FIND_HOLDER = statement(
  'resolve.find_holder',
  `select ${COLUMNS} from transactions t where project_id = $1 and mode = $2 and custom_id = $3 and id <> $4
     and ${holdsOrder('t')}
   union all
   select ${COLUMNS} from ${erased('coalesce($5::bytea, (select custom_id_hash from transactions where id = $4))')} as e
   where project_id = $1 and mode = $2 and id <> $4 and ${holdsOrder('e')} limit 1`,
)

/** The other payment of the same order that is open or counts as paid. */
export async function findOtherHolder(
  db: Queryable,
  payment: Payment,
  customIdHash: Buffer | null,
): Promise<Payment | null> {
  const { projectId, mode, customId, id } = payment
  const [row] = await db.query<PaymentRow>(FIND_HOLDER, [projectId, mode, customId, id, customIdHash])
  return row ? toPayment(row) : null
}

const IS_ERASED = statement(
  'resolve.is_erased',
  'select erased_at is not null as erased from transactions where id = $1',
)

/** Its customId and data are gone, so that a callback about it has neither. */
export async function isErased(db: Queryable, id: string): Promise<boolean> {
  const [row] = await db.query<{ erased: boolean }>(IS_ERASED, [id])
  return row?.erased === true
}
