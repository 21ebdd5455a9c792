import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Origin } from '../backends/origin.ts'
import { addIfPassed } from './erasure/erasure-store.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'

/** A payment that the upstream has and the database lacks. */
export interface LostPayment {
  id: string
  amount: bigint
  currency: string
  backend: string
  upstreamAccount: string
  origin: Origin
}

// The erasure reads payments in the order of their ids, so it would never find an adopted payment whose id it has
// already passed. `to_erase` stores such a payment in erasure_waiting.
const toInsert = (attempt: string, columns: string, values: string) =>
  `with adopted as (
     insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, backend, checkout_id,
       upstream_account, amount_scale, created_at, ${columns})
     values ($1, $2, $3, ${attempt}, $5, $6, $7, $8, $9, $10, $11, $12, $13, ${values})
     on conflict do nothing returning ${COLUMNS}),
   to_erase as (${addIfPassed('adopted')})
   select ${COLUMNS} from adopted`

const ADOPT = statement('payments.adopt', toInsert('$4::uuid', 'next_check_at', 'now()'))
// A duplicate is a lost payment whose order or attempt belongs to another payment here. A duplicate has no callback,
// because the merchant gets the result of that other payment. Attempt ids are unique, so a duplicate whose attempt id
// is taken gets a random attempt id.
const ADOPT_DUPLICATE = statement(
  'payments.adopt_duplicate',
  toInsert(
    'case when exists (select from transactions where attempt_id = $4::uuid) then gen_random_uuid() else $4 end',
    'state, failure_code, completed_at',
    `'failed', 'duplicate', now()`,
  ),
)

function toValues({ id, amount, currency, backend, upstreamAccount, origin }: LostPayment): unknown[] {
  const { projectId, mode, attemptId, customId, data, checkoutId, scale, createdAt } = origin
  return [
    ...[id, projectId, mode, attemptId, amount, currency, customId, data],
    ...[backend, checkoutId, upstreamAccount, scale, createdAt],
  ]
}

/** Stores the payment as open. Null: another payment has this id, this attempt or this order. */
export async function adoptPayment(db: Queryable, lost: LostPayment): Promise<Payment | null> {
  const [row] = await db.query<PaymentRow>(ADOPT, toValues(lost))
  return row ? toPayment(row) : null
}

export async function adoptDuplicate(db: Queryable, lost: LostPayment): Promise<Payment | null> {
  const [row] = await db.query<PaymentRow>(ADOPT_DUPLICATE, toValues(lost))
  return row ? toPayment(row) : null
}
