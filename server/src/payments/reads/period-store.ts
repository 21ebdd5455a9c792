// An id begins with the time at which its payment was opened, so a period is a range of ids.
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import type { Payment } from '../payment.ts'
import type { PaymentRow } from '../payments-store.ts'
import { COLUMNS, countsAsPaid, toPayment } from '../payments-store.ts'

export const PERIOD_PAGE = 500

const LIST_PAID = statement(
  'payments.list_paid_in_period',
  `select ${COLUMNS} from transactions t where id > $1::uuid and id < $2::uuid and ${countsAsPaid('t')} order by id limit ${PERIOD_PAGE}`,
)

export async function listPaidPayments(db: Queryable, after: string, before: string): Promise<Payment[]> {
  return (await db.query<PaymentRow>(LIST_PAID, [after, before])).map(toPayment)
}

const NEWEST = statement('payments.newest', 'select created_at from transactions order by id desc limit 1')

/** Null: there are no payments. */
export async function findNewestPaymentAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(NEWEST)
  return row?.created_at ?? null
}
