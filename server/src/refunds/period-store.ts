// An id begins with the time at which its refund was requested or recorded, so a period is a range of ids.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Refund } from './refund.ts'
import type { RefundRow } from './refunds-store.ts'
import { COLUMNS, toRefund } from './refunds-store.ts'

const PAGE = 500

const LIST = statement(
  'refunds.list_in_period',
  `select ${COLUMNS} from refunds where id > $1::uuid and id < $2::uuid and state = 'succeeded' order by id limit ${PAGE}`,
)

export async function listSucceededRefunds(db: Queryable, after: string, before: string): Promise<Refund[]> {
  return (await db.query<RefundRow>(LIST, [after, before])).map(toRefund)
}

const FIND = statement('refunds.find_many', `select ${COLUMNS} from refunds where id = any($1::uuid[])`)

export async function findRefundsById(db: Queryable, ids: readonly string[]): Promise<Refund[]> {
  return (await db.query<RefundRow>(FIND, [ids])).map(toRefund)
}

const NEWEST = statement('refunds.newest', 'select created_at from refunds order by id desc limit 1')

/** Null: there are no refunds. */
export async function findNewestRefundAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(NEWEST)
  return row?.created_at ?? null
}
