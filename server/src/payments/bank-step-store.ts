import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'
import { IS_NEWEST } from './sequence-store.ts'

/** Null or undefined: the report has no sequence number. */
type Sequence = number | null | undefined

/** A payer needs about this long at the bank. */
const FIRST_BANK_CHECK = "interval '1 minute'"

// A payer may be sent to a second page, for example if the bank asks for another code. The time limit starts again with
// each page.
const REQUIRE_ACTION = statement(
  'payments.require_action',
  `update transactions set state = 'requires_action', action_url = $3, action_at = now(),
     next_check_at = now() + ${FIRST_BANK_CHECK}
   where id = $1 and (state = 'processing' or (state = 'requires_action' and action_url is null))
     and ${IS_NEWEST} returning ${COLUMNS}`,
)

/** Null: the payment has ended, already has a bank page, or has a newer report. */
export async function recordBankPage(
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

/** Null: the payer is not at a bank page, or the payment has a newer report. */
export async function recordBankFinished(
  db: Queryable,
  id: string,
  sequence?: Sequence,
): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(LEAVE_BANK, [id, sequence ?? null])
  return rows[0] ? toPayment(rows[0]) : null
}
