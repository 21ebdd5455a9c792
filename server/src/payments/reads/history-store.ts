import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import type { Payment } from '../payment.ts'
import type { PaymentRow } from '../payments-store.ts'
import { COLUMNS, toPayment } from '../payments-store.ts'

export interface PaymentRecord {
  payment: Payment
  attemptId: string
  actionAt: Date | null
  completedAt: Date | null
  resolvedBy: string | null
  resolutionReason: string | null
  checks: number
  nextCheckAt: Date | null
}

type RecordRow = PaymentRow & {
  attempt_id: string
  action_at: Date | null
  completed_at: Date | null
  resolved_by: string | null
  resolution_reason: string | null
  checks: number
  next_check_at: Date | null
}

const READ = statement(
  'payments.read_course',
  `select ${COLUMNS}, attempt_id, action_at, completed_at, resolved_by, resolution_reason, checks, next_check_at
   from transactions where id = $1`,
)

export async function findPaymentRecord(db: Queryable, id: string): Promise<PaymentRecord | null> {
  const [row] = await db.query<RecordRow>(READ, [id])
  if (!row) return null
  return {
    payment: toPayment(row),
    attemptId: row.attempt_id,
    actionAt: row.action_at,
    completedAt: row.completed_at,
    resolvedBy: row.resolved_by,
    resolutionReason: row.resolution_reason,
    checks: row.checks,
    nextCheckAt: row.next_check_at,
  }
}
