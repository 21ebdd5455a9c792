import type { Resolution } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { askTogether } from '../db/together.ts'
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

export const COLUMNS = `id, project_id, mode, amount, currency, amount_scale, custom_id, data, state, failure_code, action_url,
  backend, upstream_account, upstream_ref, needs_review, resolution, resolved_at, created_at`

/** Of `transactions` under the name `of`, as payment.ts has it; spelled out, because so the index on orders is. */
export const paid = (of: string) =>
  `(${of}.resolution = 'paid' or (${of}.resolution is null and ${of}.state = 'succeeded'))`
/** In flight or paid: no other payment of the same order may begin. */
export const holdsOrder = (of: string) =>
  `(${of}.state in ('processing', 'requires_action') or ${of}.resolution = 'paid'
     or (${of}.resolution is null and ${of}.state = 'succeeded'))`

/**
 * Payments whose customId is gone, by its hash: by that alone (offset 0), so that whatever the tables' sizes it can only be
 * a step down its index. Null finds none, without a step.
 */
export const erased = (hash: string) =>
  `(select * from (select * from transactions where custom_id_hash = ${hash} offset 0) as hashed where custom_id is null)`

/**
 * What holds a checkout without customId: by its id alone (offset 0), for the same reason. An attempt in flight needs no
 * index: the next one of its checkout is offered only once it has ended.
 */
export const holdsCheckout = (checkoutId: string) =>
  `(select * from transactions where checkout_id = ${checkoutId} and (needs_review or resolution = 'paid') offset 0)`

/** Longer than any call to an upstream may take: until then the request that opened the payment is still on it. */
const FIRST_CHECK = "interval '30 seconds'"

// Two payments of one order cannot be in flight or paid: an index sees to that. One in review holds the order too. In
// the order of what they may wait for, so that two crowds on two replicas cannot wait for each other.
const OPEN = statement(
  'payments.open',
  `with asked as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::uuid[], $11::text[], $12::bytea[], $13::smallint[]) with ordinality as asked(id, project_id, mode, attempt_id, amount,
         currency, custom_id, data, backend, checkout_id, upstream_account, custom_id_hash, amount_scale, n)),
   opened as (
     insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, backend, checkout_id,
       upstream_account, amount_scale, next_check_at)
     select id, project_id, mode, attempt_id, amount, currency, custom_id, data, backend, checkout_id,
       upstream_account, amount_scale, now() + ${FIRST_CHECK}
     from asked
     -- A replica that still runs with the settings from before a change of the currency opens nothing.
     where exists (
       select from installation i where i.currency = asked.currency and i.amount_scale = asked.amount_scale)
     and not exists (
       select from transactions t where t.project_id = asked.project_id and t.mode = asked.mode
         and t.custom_id = asked.custom_id and t.needs_review)
     -- Also in the moments in which the hash stands beside the text: by the next statement the text may be gone.
     and not exists (
       select from (select * from transactions where custom_id_hash = asked.custom_id_hash offset 0) as t
       where t.project_id = asked.project_id and t.mode = asked.mode and (${paid('t')} or t.needs_review))
     and not exists (
       select from ${holdsCheckout('asked.checkout_id')} as t
       where t.project_id = asked.project_id and t.mode = asked.mode)
     order by project_id, mode, custom_id, attempt_id
     on conflict do nothing returning ${COLUMNS})
   select asked.n::int as asked, opened.* from opened join asked using (id)`,
)

/** Null: this very attempt, or another one for the same order, is already on record. */
export async function openPayment(
  db: Queryable,
  id: string,
  order: Order,
  backend: string,
  upstreamAccount: string | null = null,
  customIdHash: Buffer | null = null,
): Promise<Payment | null> {
  const rows = await askTogether<PaymentRow>(db, OPEN, [
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
  ])
  return rows[0] ? toPayment(rows[0]) : null
}

// The same attempt, else the one that holds the order, else one in review, else the one that holds the checkout.
const FIND_RIVAL = statement(
  'payments.find_rival',
  `select ${COLUMNS}, 1 as place from transactions where attempt_id = $4
   union all
   select ${COLUMNS}, 2 from transactions t where project_id = $1 and mode = $2 and custom_id = $3
     and ${holdsOrder('t')} and attempt_id <> $4
   union all
   select ${COLUMNS}, 3 from transactions where project_id = $1 and mode = $2 and custom_id = $3
     and needs_review and attempt_id <> $4
   union all
   select ${COLUMNS}, 4 from ${erased('$5::bytea')} as e where project_id = $1 and mode = $2
     and (${paid('e')} or needs_review) and attempt_id <> $4
   union all
   select ${COLUMNS}, 5 from ${holdsCheckout('$6::uuid')} as c where project_id = $1 and mode = $2 and attempt_id <> $4
   order by place limit 1`,
)

export interface Rival {
  payment: Payment
  sameAttempt: boolean
  /** Its customId and data are gone; that it is the same order is known by the hash. */
  isErased: boolean
}

/** The payment that kept this order from being opened. */
export async function findRival(
  db: Queryable,
  order: Order,
  customIdHash: Buffer | null = null,
): Promise<Rival | null> {
  const rows = await db.query<PaymentRow & { place: number }>(FIND_RIVAL, [
    order.projectId,
    order.mode,
    order.customId,
    order.attemptId,
    customIdHash,
    order.checkoutId ?? null,
  ])
  const [row] = rows
  return row ? { payment: toPayment(row), sameAttempt: row.place === 1, isErased: row.place === 4 } : null
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

/** Null: this report has no place in the order, or its upstream keeps none. */
type Sequence = number | null | undefined

const IS_NEWEST = '($2::bigint is null or coalesce(upstream_sequence, 0) <= $2)'

const NOTE_SEQUENCE = statement(
  'payments.note_sequence',
  `update transactions set upstream_sequence = $2 where id = $1 and ($3 or ${IS_NEWEST}) returning ${COLUMNS}`,
)

/** The payment as it stands. Null: something newer has been seen. `isReset`: whatever was seen, this is where it stands. */
export async function noteSequence(
  db: Queryable,
  id: string,
  sequence: number,
  isReset: boolean,
): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(NOTE_SEQUENCE, [id, sequence, isReset])
  return rows[0] ? toPayment(rows[0]) : null
}

const REQUIRE_ACTION = statement(
  'payments.require_action',
  `update transactions set state = 'requires_action', action_url = $3, action_at = coalesce(action_at, now()),
     next_check_at = now() + interval '1 minute'
   where id = $1 and (state = 'processing' or (state = 'requires_action' and action_url is null))
     and ${IS_NEWEST} returning ${COLUMNS}`,
)

/** Null: it has moved on since. */
export async function sendToBank(
  db: Queryable,
  id: string,
  actionUrl: string,
  sequence?: Sequence,
): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(REQUIRE_ACTION, [id, sequence ?? null, actionUrl])
  return rows[0] ? toPayment(rows[0]) : null
}

const LEAVE_BANK = statement(
  'payments.leave_bank',
  `update transactions set action_url = null
   where id = $1 and state = 'requires_action' and action_url is not null and ${IS_NEWEST} returning ${COLUMNS}`,
)

/** Null: it has moved on since. */
export async function leaveBank(db: Queryable, id: string, sequence?: Sequence): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(LEAVE_BANK, [id, sequence ?? null])
  return rows[0] ? toPayment(rows[0]) : null
}

const FLAG_FOR_REVIEW = statement(
  'payments.flag_for_review',
  'update transactions set needs_review = $2 where id = $1 and needs_review <> $2',
)

export async function setNeedsReview(tx: Tx, id: string, needsReview: boolean): Promise<void> {
  await tx.query(FLAG_FOR_REVIEW, [id, needsReview])
}
