// Which open payments are due for a lookup. Each is put off as it is claimed, so that two replicas do not ask at once.
import type { Db, Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { OpenPayment } from './check-plan.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'

const CHECK_SOON = statement(
  'payments.check_soon',
  `update transactions set next_check_at = now() + interval '1 second' where id = $1 and state = 'processing'`,
)

/** For an outcome known to be unknown: nobody is still sending, so there is no reason to wait. */
export async function checkSoon(db: Queryable, id: string): Promise<void> {
  await db.query(CHECK_SOON, [id])
}

// Without a given time the database's clock counts, which all replicas share.
const NOW = 'coalesce(to_timestamp($2::float8 / 1000), now())'

const LOCK_DUE = statement(
  'payments.lock_due',
  `select ${COLUMNS}, action_at, checks, extract(epoch from ${NOW})::float8 * 1000 as now_ms from transactions
   where state in ('processing', 'requires_action') and next_check_at <= ${NOW}
   order by next_check_at limit $1 for update skip locked`,
)

const PUT_OFF = statement(
  'payments.put_off',
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
  limit: number
  /** Tests say what time it is. */
  nowMs?: number | undefined
  toNextCheckMs: (open: OpenPayment, nowMs: number) => number
}

async function claim(tx: Tx, options: ClaimOptions): Promise<DuePayment[]> {
  const rows = await tx.query<DueRow>(LOCK_DUE, [options.limit, options.nowMs ?? null])
  const due = rows.map(toDue)
  if (due.length > 0) {
    const ids = due.map(({ payment }) => payment.id)
    await tx.query(PUT_OFF, [ids, due.map(({ open, nowMs }) => options.toNextCheckMs(open, nowMs))])
  }
  return due
}

export async function claimDue(db: Pick<Db, 'transaction'>, options: ClaimOptions): Promise<DuePayment[]> {
  return db.transaction((tx) => claim(tx, options))
}
