// The unique index on orders refuses to resolve a payment as paid while another payment with the same customId is open or
// paid.
import type { Queryable, Tx } from '../../db/pool.ts'
import { isUniqueViolation, statement } from '../../db/pool.ts'
import { SLOWEST_CHECK_MS } from '../check-plan.ts'
import type { Payment } from '../payment.ts'
import type { PaymentRow } from '../payments-store.ts'
import { COLUMNS, erasedPayments, holdsOrder, toPayment } from '../payments-store.ts'
import type { Decision } from './resolution.ts'
import { toFailureCode } from './resolution.ts'

const LOCK = statement('resolve.lock', `select ${COLUMNS} from transactions where id = $1 for update`)

export async function lockPayment(tx: Tx, id: string): Promise<Payment | null> {
  const [row] = await tx.query<PaymentRow>(LOCK, [id])
  return row ? toPayment(row) : null
}

// This statement ends an open payment, and keeps the state of an ended payment. A payment that an operator ended and
// resolved as unpaid is looked up until its upstream has reported an end.
const RESOLVE = statement(
  'resolve.write',
  `update transactions set resolution = $2, resolution_reason = $3, resolved_by = $4, resolved_at = now(),
     needs_review = false, action_url = null,
     next_check_at = case when $2 = 'unpaid' and (completed_at is null or failure_code in ('resolved_paid', 'resolved_unpaid'))
       then now() + interval '${SLOWEST_CHECK_MS} milliseconds' end,
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

const FIND_HOLDERS = statement(
  'resolve.find_holders',
  `select ${COLUMNS} from transactions t where project_id = $1 and mode = $2 and custom_id = $3 and id <> $4
     and ${holdsOrder('t')}
   union all
   select ${COLUMNS} from ${erasedPayments('coalesce($5::bytea, (select custom_id_hash from transactions where id = $4))')} as e
   where project_id = $1 and mode = $2 and id <> $4 and ${holdsOrder('e')}
   union all
   select ${COLUMNS} from (select * from transactions
     where checkout_id = (select checkout_id from transactions where id = $4) offset 0) as c
   where project_id = $1 and mode = $2 and id <> $4 and ${holdsOrder('c')}`,
)

/**
 * Finds the other payments with the same customId or checkout that are open or count as paid. Erased payments are found by
 * `customIdHash`; if it is null, by the hash that is stored with `payment`.
 */
export async function listHolders(
  db: Queryable,
  payment: Payment,
  customIdHash: Buffer | null,
): Promise<Payment[]> {
  const { projectId, mode, customId, id } = payment
  const rows = await db.query<PaymentRow>(FIND_HOLDERS, [projectId, mode, customId, id, customIdHash])
  return rows.map(toPayment)
}

/** One statement can read this many orders. */
export const ORDERS_BATCH = 5000

// At most one payment per customId is open or paid, so paging by customId skips no payment.
const LIST_ORDERS = statement(
  'resolve.list_orders',
  `select id, custom_id as "customId" from transactions t where project_id = $1 and mode = $2 and custom_id > $3
     and custom_id is not null and ${holdsOrder('t')} order by custom_id limit ${ORDERS_BATCH}`,
)

export interface HeldOrder {
  id: string
  customId: string
}

export async function listHeldOrders(
  db: Queryable,
  { projectId, mode }: Pick<Payment, 'projectId' | 'mode'>,
  after: string,
): Promise<HeldOrder[]> {
  return db.query<HeldOrder>(LIST_ORDERS, [projectId, mode, after])
}

const FIND_HASH = statement('resolve.find_hash', 'select custom_id_hash from transactions where id = $1')

export async function findCustomIdHash(db: Queryable, id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ custom_id_hash: Buffer | null }>(FIND_HASH, [id])
  return row?.custom_id_hash ?? null
}

const LOCK_PROJECT = statement(
  'resolve.lock_project',
  `select pg_advisory_xact_lock(hashtext('resolve'), hashtext($1))`,
)

/**
 * Lets only one decision of a project run at a time, because no index ensures that an erased order or a checkout is
 * paid only once. It must be called before any row is locked.
 */
export async function lockDecisions(tx: Tx, projectId: string): Promise<void> {
  await tx.query(LOCK_PROJECT, [projectId])
}

const IS_ERASED = statement(
  'resolve.is_erased',
  'select erased_at is not null as erased from transactions where id = $1',
)

export async function isErased(db: Queryable, id: string): Promise<boolean> {
  const [row] = await db.query<{ erased: boolean }>(IS_ERASED, [id])
  return row?.erased === true
}
