import type { Mode, Resolution } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { PaymentState } from '../payments/payment.ts'
import { holdsCheckout, holdsOrder } from '../payments/payments-store.ts'
import type { Merchant, ShownPayment } from './shown-payment.ts'

export interface ShownRow {
  id: string
  attempt_id: string
  checkout_id: string | null
  project_id: string
  mode: Mode
  amount: bigint
  currency: string
  amount_scale: number | null
  custom_id: string | null
  data: string | null
  state: PaymentState
  failure_code: string | null
  action_url: string | null
  needs_review: boolean
  resolution: Resolution | null
  resolved_at: Date | null
  backend: string
  created_at: Date
  completed_at: Date | null
}

/** Of `transactions` under the name `t`. */
export const SHOWN_COLUMNS = `t.id, t.attempt_id, t.checkout_id, t.project_id, t.mode, t.amount, t.currency, t.amount_scale,
  t.custom_id, t.data, t.state, t.failure_code, t.action_url, t.needs_review, t.resolution, t.resolved_at, t.backend, t.created_at, t.completed_at`

export function toShownPayment(row: ShownRow): ShownPayment {
  return {
    id: row.id,
    attemptId: row.attempt_id,
    checkoutId: row.checkout_id ?? row.attempt_id,
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
    needsReview: row.needs_review,
    resolution: row.resolution,
    resolvedAt: row.resolved_at,
    backend: row.backend,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

const FIND = statement(
  'checkout.find_shown',
  `select p.name as shop_name, p.result_url, ${SHOWN_COLUMNS},
     exists (select from transactions o where o.project_id = t.project_id and o.mode = t.mode
       and o.custom_id = t.custom_id and ${holdsOrder('o')} and o.id <> t.id)
     or exists (select from transactions o where o.project_id = t.project_id and o.mode = t.mode
       and o.custom_id = t.custom_id and o.needs_review and o.id <> t.id)
     or exists (select from ${holdsCheckout('t.checkout_id')} as o where o.project_id = t.project_id and o.id <> t.id)
     as order_held
   from transactions t join projects p on p.id = t.project_id where t.id = $1`,
)

export async function findShownPayment(
  db: Queryable,
  id: string,
): Promise<{ payment: ShownPayment; merchant: Merchant; isOrderHeld: boolean } | null> {
  const [row] = await db.query<ShownRow & { shop_name: string; result_url: string; order_held: boolean }>(
    FIND,
    [id],
  )
  if (!row) return null
  return {
    payment: toShownPayment(row),
    merchant: { name: row.shop_name, resultUrl: row.result_url },
    isOrderHeld: row.order_held,
  }
}
