import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Order, Payment, PaymentState } from './payment.ts'

interface PaymentRow {
  id: string
  project_id: string
  mode: Payment['mode']
  amount: bigint
  currency: string
  custom_id: string | null
  data: string | null
  state: PaymentState
  failure_code: string | null
  action_url: string | null
  created_at: Date
}

function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    projectId: row.project_id,
    mode: row.mode,
    amount: row.amount,
    currency: row.currency,
    customId: row.custom_id,
    data: row.data,
    state: row.state,
    failureCode: row.failure_code,
    actionUrl: row.action_url,
    createdAt: row.created_at,
  }
}

const COLUMNS =
  'id, project_id, mode, amount, currency, custom_id, data, state, failure_code, action_url, created_at'

/** Longer than any call to an upstream may take: until then the request that opened the payment is still on it. */
const FIRST_CHECK = "interval '30 seconds'"

const OPEN = statement(
  'payments.open',
  `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, next_check_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, now() + ${FIRST_CHECK}) on conflict do nothing returning ${COLUMNS}`,
)

/** Null: this very attempt, or another one for the same order, is already on record. */
export async function openPayment(db: Queryable, id: string, order: Order): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(OPEN, [
    id,
    order.projectId,
    order.mode,
    order.attemptId,
    order.amount,
    order.currency,
    order.customId,
    order.data,
  ])
  return rows[0] ? toPayment(rows[0]) : null
}

const FIND_RIVAL = statement(
  'payments.find_rival',
  `select ${COLUMNS}, attempt_id = $4 as same_attempt from transactions where attempt_id = $4
   union all
   select ${COLUMNS}, false from transactions where project_id = $1 and mode = $2 and custom_id = $3
     and state in ('processing', 'requires_action', 'succeeded') and attempt_id <> $4
   order by same_attempt desc limit 1`,
)

/** The payment that kept this order from being opened; the same attempt before any other. */
export async function findRival(
  db: Queryable,
  order: Order,
): Promise<{ payment: Payment; sameAttempt: boolean } | null> {
  const rows = await db.query<PaymentRow & { same_attempt: boolean }>(FIND_RIVAL, [
    order.projectId,
    order.mode,
    order.customId,
    order.attemptId,
  ])
  return rows[0] ? { payment: toPayment(rows[0]), sameAttempt: rows[0].same_attempt } : null
}

const FIND = statement('payments.find', `select ${COLUMNS} from transactions where id = $1`)

export async function findPayment(db: Queryable, id: string): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(FIND, [id])
  return rows[0] ? toPayment(rows[0]) : null
}

const FINISH = statement(
  'payments.finish',
  `update transactions set state = $2, failure_code = $3, action_url = null, completed_at = now(), next_check_at = null
   where id = $1 and state in ('processing', 'requires_action') returning ${COLUMNS}`,
)

/** Null: somebody else has already ended it. */
export async function finishPayment(
  tx: Tx,
  id: string,
  end: { state: 'succeeded' | 'failed' | 'expired'; failureCode: string | null },
): Promise<Payment | null> {
  const rows = await tx.query<PaymentRow>(FINISH, [id, end.state, end.failureCode])
  return rows[0] ? toPayment(rows[0]) : null
}

const REQUIRE_ACTION = statement(
  'payments.require_action',
  `update transactions set state = 'requires_action', action_url = $2, next_check_at = now() + interval '1 minute'
   where id = $1 and state = 'processing'`,
)

export async function setActionRequired(db: Queryable, id: string, actionUrl: string): Promise<void> {
  await db.query(REQUIRE_ACTION, [id, actionUrl])
}

const CHECK_SOON = statement(
  'payments.check_soon',
  `update transactions set next_check_at = now() + interval '1 second' where id = $1 and state = 'processing'`,
)

export async function checkSoon(db: Queryable, id: string): Promise<void> {
  await db.query(CHECK_SOON, [id])
}

const CLAIM_UNRESOLVED = statement(
  'payments.claim_unresolved',
  `with due as (
     select id from transactions where state in ('processing', 'requires_action') and next_check_at <= now()
     order by next_check_at limit $1 for update skip locked)
   update transactions t set next_check_at = now() + interval '15 seconds' from due where t.id = due.id
   returning t.id, t.project_id, t.mode, t.amount, t.currency, t.custom_id, t.data, t.state, t.failure_code,
     t.action_url, t.created_at`,
)

/** Each is put off a little as it is claimed, so that two replicas do not ask the same question at once. */
export async function claimUnresolved(db: Queryable, limit: number): Promise<Payment[]> {
  const rows = await db.query<PaymentRow>(CLAIM_UNRESOLVED, [limit])
  return rows.map(toPayment)
}
