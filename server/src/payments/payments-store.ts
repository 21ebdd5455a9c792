import { RECEIPTS_PER_PAYMENT_MAX } from '@pazar/contract'
import type { Resolution } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { batchQuery } from '../db/batch-query.ts'
import type { Order, Payment, PaymentState } from './payment.ts'

export interface PaymentRow {
  id: string
  project_id: string
  mode: Payment['mode']
  amount: bigint
  currency: string
  amount_scale: number | null
  custom_id: string | null
  data: string | null
  link_signed: boolean | null
  state: PaymentState
  failure_code: string | null
  action_url: string | null
  backend: string
  upstream_account: string | null
  upstream_ref: string | null
  needs_review: boolean
  resolution: Resolution | null
  resolved_at: Date | null
  created_at: Date
}

export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    projectId: row.project_id,
    mode: row.mode,
    amount: row.amount,
    currency: row.currency,
    scale: row.amount_scale,
    customId: row.custom_id,
    data: row.data,
    isLinkSigned: row.link_signed === true,
    state: row.state,
    failureCode: row.failure_code,
    actionUrl: row.action_url,
    backend: row.backend,
    upstreamAccount: row.upstream_account,
    upstreamRef: row.upstream_ref,
    needsReview: row.needs_review,
    resolution: row.resolution,
    resolvedAt: row.resolved_at,
    createdAt: row.created_at,
  }
}

export const COLUMNS = `id, project_id, mode, amount, currency, amount_scale, custom_id, data, link_signed, state, failure_code,
  action_url, backend, upstream_account, upstream_ref, needs_review, resolution, resolved_at, created_at`

/** isPaid of payment.ts as SQL. Its conditions are written as in the index on orders, so that the index is used. */
export const countsAsPaid = (alias: string) =>
  `(${alias}.resolution = 'paid' or (${alias}.resolution is null and ${alias}.state = 'succeeded'))`
/** The payment is in flight or paid, so no other payment of the same order may be opened. */
export const holdsOrder = (alias: string) =>
  `(${alias}.state in ('processing', 'requires_action') or ${alias}.resolution = 'paid'
     or (${alias}.resolution is null and ${alias}.state = 'succeeded'))`

/**
 * Payments that have this hash and whose customId is erased. `offset 0` prevents the planner from merging the outer
 * conditions into the inner query, so that the index of the hash is used.
 */
export const erasedPayments = (hash: string) =>
  `(select * from (select * from transactions where custom_id_hash = ${hash} offset 0) as hashed where custom_id is null)`

/**
 * Payments of this checkout that are in review or resolved as paid, so that no other payment of the checkout may be opened.
 * Payments that are in flight or succeeded need not be found: the checkout offers another attempt only after a failure.
 * `offset 0` makes the planner use the index of checkout_id.
 */
export const paymentsHoldingCheckout = (checkoutId: string) =>
  `(select * from transactions where checkout_id = ${checkoutId} and (needs_review or resolution = 'paid') offset 0)`

/**
 * The time from the opening of a payment to its first lookup. It is longer than any call to an upstream, so the request
 * that opened the payment has ended by then.
 */
const FIRST_CHECK = "interval '30 seconds'"

// A unique index allows only one payment of an order to be in flight or paid. The conditions below also refuse a new
// payment while another payment of the order is in review. Rows are inserted in a fixed order, so that the batches of two
// replicas cannot deadlock.
const OPEN = statement(
  'payments.open',
  `with requested as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::uuid[], $11::text[], $12::bytea[], $13::smallint[], $14::boolean[]) with ordinality as requested(id, project_id, mode, attempt_id, amount,
         currency, custom_id, data, backend, checkout_id, upstream_account, custom_id_hash, amount_scale, link_signed, n)),
   opened as (
     insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, backend, checkout_id,
       upstream_account, amount_scale, link_signed, next_check_at)
     select id, project_id, mode, attempt_id, amount, currency, custom_id, data, backend, checkout_id,
       upstream_account, amount_scale, link_signed, now() + ${FIRST_CHECK}
     from requested
     -- Nothing is opened with settings from before a change of currency, or while payments are stopped.
     where exists (
       select from installation i where i.currency = requested.currency and i.amount_scale = requested.amount_scale
         and i.gate_closed_at is null)
     and not exists (
       select from transactions t where t.project_id = requested.project_id and t.mode = requested.mode
         and t.custom_id = requested.custom_id and t.needs_review)
     -- The hash is compared even if the customId is still stored, because the customId may be erased during this statement.
     and not exists (
       select from (select * from transactions where custom_id_hash = requested.custom_id_hash offset 0) as t
       where t.project_id = requested.project_id and t.mode = requested.mode and (${countsAsPaid('t')} or t.needs_review))
     and not exists (
       select from ${paymentsHoldingCheckout('requested.checkout_id')} as t
       where t.project_id = requested.project_id and t.mode = requested.mode)
     order by project_id, mode, custom_id, attempt_id
     on conflict do nothing returning ${COLUMNS})
   select requested.n::int as requested, opened.* from opened join requested using (id)`,
)

/**
 * Null in four cases: the attempt is already stored, another payment blocks the order, payments are stopped, or the
 * installation has another currency or scale.
 */
export async function openPayment(
  db: Queryable,
  id: string,
  order: Order,
  backend: string,
  upstreamAccount: string | null = null,
  customIdHash: Buffer | null = null,
): Promise<Payment | null> {
  const rows = await batchQuery<PaymentRow>(db, OPEN, [
    id,
    order.projectId,
    order.mode,
    order.attemptId,
    order.amount,
    order.currency,
    order.customId,
    order.data,
    backend,
    order.checkoutId ?? null,
    upstreamAccount,
    customIdHash,
    order.scale,
    order.isLinkSigned ?? null,
  ])
  return rows[0] ? toPayment(rows[0]) : null
}

const FIND_BLOCKING = statement(
  'payments.find_rival',
  `select ${COLUMNS}, 1 as rank from transactions where attempt_id = $4
   union all
   select ${COLUMNS}, 2 from transactions t where project_id = $1 and mode = $2 and custom_id = $3
     and ${holdsOrder('t')} and attempt_id <> $4
   union all
   select ${COLUMNS}, 3 from transactions where project_id = $1 and mode = $2 and custom_id = $3
     and needs_review and attempt_id <> $4
   union all
   select ${COLUMNS}, 4 from ${erasedPayments('$5::bytea')} as e where project_id = $1 and mode = $2
     and (${countsAsPaid('e')} or needs_review) and attempt_id <> $4
   union all
   select ${COLUMNS}, 5 from ${paymentsHoldingCheckout('$6::uuid')} as c where project_id = $1 and mode = $2 and attempt_id <> $4
   order by rank limit 1`,
)

export interface BlockingPayment {
  payment: Payment
  sameAttempt: boolean
  /** The customId and data of the payment are erased. The hash shows that the payment is for the same order. */
  isErased: boolean
}

export async function findBlockingPayment(
  db: Queryable,
  order: Order,
  customIdHash: Buffer | null = null,
): Promise<BlockingPayment | null> {
  const rows = await db.query<PaymentRow & { rank: number }>(FIND_BLOCKING, [
    order.projectId,
    order.mode,
    order.customId,
    order.attemptId,
    customIdHash,
    order.checkoutId ?? null,
  ])
  const [row] = rows
  return row ? { payment: toPayment(row), sameAttempt: row.rank === 1, isErased: row.rank === 4 } : null
}

const FIND = statement('payments.find', `select ${COLUMNS} from transactions where id = $1`)

export async function findPayment(db: Queryable, id: string): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(FIND, [id])
  return rows[0] ? toPayment(rows[0]) : null
}

const FIND_MANY = statement(
  'payments.find_many',
  `select ${COLUMNS} from transactions where id = any($1::uuid[])`,
)

export async function findPaymentsById(db: Queryable, ids: readonly string[]): Promise<Payment[]> {
  return (await db.query<PaymentRow>(FIND_MANY, [ids])).map(toPayment)
}

const COUNT_RECEIPT = statement(
  'payments.count_receipt',
  `update transactions set receipts_requested = receipts_requested + 1
   where id = $1 and receipts_requested < ${RECEIPTS_PER_PAYMENT_MAX} returning id`,
)

/** False: the maximum number of receipts has already been requested. */
export async function countReceipt(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query(COUNT_RECEIPT, [id])).length > 0
}

const FLAG_FOR_REVIEW = statement(
  'payments.flag_for_review',
  'update transactions set needs_review = $2 where id = $1 and needs_review <> $2',
)

export async function setNeedsReview(tx: Tx, id: string, needsReview: boolean): Promise<void> {
  await tx.query(FLAG_FOR_REVIEW, [id, needsReview])
}
