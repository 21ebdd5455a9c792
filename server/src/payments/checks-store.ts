// Finds and claims the payments that are due for a lookup. They are open, or an operator resolved them as unpaid and the
// upstream has not confirmed their end yet.
// A claim postpones the next lookup, so that two replicas do not look up the same payment.
import type { LookupQuota } from '../backends/lookup-quota.ts'
import type { Db, Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { OpenPayment } from './check-plan.ts'
import { lockBudget, saveBudget } from './lookup-budget-store.ts'
import { refill, spend, toWaitingMax } from './lookup-budget.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'

const CHECK_SOON = statement(
  'payments.check_soon',
  `update transactions set next_check_at = now() + interval '1 second' where id = $1 and state = 'processing'`,
)

/** Used when the request to charge has ended without an outcome, so that the first lookup comes sooner. */
export async function checkSoon(db: Queryable, id: string): Promise<void> {
  await db.query(CHECK_SOON, [id])
}

const CHECK_NOW = statement(
  'payments.check_now',
  `update transactions set next_check_at = least(next_check_at, now())
   where id = $1 and state in ('processing', 'requires_action')`,
)

export async function checkNow(db: Queryable, id: string): Promise<void> {
  await db.query(CHECK_NOW, [id])
}

// By default the database's clock is used, because all replicas share it.
const NOW = 'coalesce(to_timestamp($1::float8 / 1000), now())'
const IS_DUE = `state in ('processing', 'requires_action') and next_check_at <= ${NOW}`
/**
 * Payments that wait for a payer, a bank or an operator. All other open payments are urgent, because their outcome is
 * unknown.
 */
const IS_WAITING = "(state = 'requires_action' or needs_review)"

/** An operator resolved the payment as unpaid, the upstream has not reported its end yet, and a lookup is due. */
const IS_UNCONFIRMED = `resolution = 'unpaid' and next_check_at <= ${NOW}`

const LIST_DUE = statement(
  'payments.list_due',
  `select backend from transactions where ${IS_DUE}
   union select backend from transactions where ${IS_UNCONFIRMED}`,
)

export async function listDueUpstreams(db: Queryable, nowMs?: number): Promise<string[]> {
  return (await db.query<{ backend: string }>(LIST_DUE, [nowMs ?? null])).map(({ backend }) => backend)
}

const LOCK_DUE = statement(
  'payments.lock_due',
  `select ${COLUMNS}, action_at, checks, extract(epoch from ${NOW})::float8 * 1000 as now_ms from transactions
   where ${IS_DUE} and backend = $2 and ${IS_WAITING} = $3
   order by next_check_at limit $4 for update skip locked`,
)

const LOCK_UNCONFIRMED = statement(
  'payments.lock_unconfirmed',
  `select ${COLUMNS}, action_at, checks, extract(epoch from ${NOW})::float8 * 1000 as now_ms from transactions
   where ${IS_UNCONFIRMED} and backend = $2
   order by next_check_at limit $3 for update skip locked`,
)

const CONFIRM = statement(
  'payments.confirm_unpaid',
  `update transactions set next_check_at = null
   where id = $1 and resolution is not null and next_check_at is not null and completed_at is not null`,
)

/** Used when the upstream has reported the end of a payment that an operator had resolved. */
export async function stopChecks(db: Queryable, id: string): Promise<void> {
  await db.query(CONFIRM, [id])
}

const POSTPONE = statement(
  'payments.postpone',
  `update transactions t set checks = t.checks + 1, next_check_at = to_timestamp(due.next_ms / 1000)
   from unnest($1::uuid[], $2::float8[]) as due(id, next_ms) where t.id = due.id`,
)

export interface DuePayment {
  payment: Payment
  open: OpenPayment
  nowMs: number
}

type DueRow = PaymentRow & { action_at: Date | null; checks: number; now_ms: number }

function toDue(row: DueRow): DuePayment {
  const payment = toPayment(row)
  const { state, actionUrl, needsReview } = payment
  const createdMs = row.created_at.getTime()
  const actionMs = row.action_at?.getTime() ?? null
  return {
    payment,
    open: { state, actionUrl, needsReview, createdMs, actionMs, checks: row.checks },
    nowMs: row.now_ms,
  }
}

export interface ClaimOptions {
  backend: string
  /** Null: lookups are not limited. */
  quota: LookupQuota | null
  limit: number
  /** Set by tests. */
  nowMs?: number | undefined
  toNextCheckMs: (open: OpenPayment, nowMs: number) => number
}

async function lockDue(
  tx: Tx,
  options: ClaimOptions,
  isWaiting: boolean,
  max: number,
): Promise<DuePayment[]> {
  const limit = Math.min(options.limit, Math.floor(max))
  if (limit < 1) return []
  const values = [options.nowMs ?? null, options.backend, isWaiting, limit]
  return (await tx.query<DueRow>(LOCK_DUE, values)).map(toDue)
}

async function lockUnconfirmed(tx: Tx, options: ClaimOptions, max: number): Promise<DuePayment[]> {
  const limit = Math.min(options.limit, Math.floor(max))
  if (limit < 1) return []
  const values = [options.nowMs ?? null, options.backend, limit]
  return (await tx.query<DueRow>(LOCK_UNCONFIRMED, values)).map(toDue)
}

async function lockWithinQuota(tx: Tx, options: ClaimOptions, quota: LookupQuota): Promise<DuePayment[]> {
  const stored = await lockBudget(tx, options.backend, options.nowMs ?? null)
  const budget = refill(stored, quota, stored.elapsedMs)
  const urgent = await lockDue(tx, options, false, budget.tokens)
  const waitingMax = toWaitingMax(budget, urgent.length)
  // Unconfirmed payments get up to half (rounded up) of the lookups that are not urgent. Otherwise, open payments that wait
  // for a payer, a bank or an operator could use up all lookups that are not urgent.
  const unconfirmed = await lockUnconfirmed(tx, options, Math.ceil(Math.floor(waitingMax) / 2))
  const open = await lockDue(tx, options, true, waitingMax - unconfirmed.length)
  const waiting = [...unconfirmed, ...open]
  await saveBudget(tx, options.backend, spend(budget, urgent.length, waiting.length), stored.nowMs)
  return [...urgent, ...waiting]
}

async function lockAndPostpone(tx: Tx, options: ClaimOptions): Promise<DuePayment[]> {
  const { limit, quota, toNextCheckMs } = options
  const due = quota
    ? await lockWithinQuota(tx, options, quota)
    : [
        ...(await lockDue(tx, options, false, limit)),
        ...(await lockDue(tx, options, true, limit)),
        ...(await lockUnconfirmed(tx, options, limit)),
      ]
  if (due.length > 0) {
    const ids = due.map(({ payment }) => payment.id)
    await tx.query(POSTPONE, [ids, due.map(({ open, nowMs }) => toNextCheckMs(open, nowMs))])
  }
  return due
}

export async function claimDue(db: Pick<Db, 'transaction'>, options: ClaimOptions): Promise<DuePayment[]> {
  return db.transaction((tx) => lockAndPostpone(tx, options))
}

const LIST_OPEN = statement(
  'payments.list_open',
  `select ${COLUMNS} from transactions where state in ('processing', 'requires_action') order by next_check_at limit $1`,
)

const LIST_OPEN_OF = statement(
  'payments.list_open_of',
  `select ${COLUMNS} from transactions where state in ('processing', 'requires_action') and backend = $1 order by id`,
)

export async function listOpenOf(db: Queryable, backend: string): Promise<Payment[]> {
  return (await db.query<PaymentRow>(LIST_OPEN_OF, [backend])).map(toPayment)
}

export async function listOpen(db: Queryable, limit: number): Promise<Payment[]> {
  return (await db.query<PaymentRow>(LIST_OPEN, [limit])).map(toPayment)
}
