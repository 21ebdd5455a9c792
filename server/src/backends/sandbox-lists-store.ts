// Reads the sandbox's ledger in the order of its ids, which begin with the time of the payment or refund.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { toFirstUuidV7 } from '../lib/id.ts'
import type { PageOptions } from './pager.ts'
import type { RefundRow } from './sandbox-refunds-store.ts'
import { COLUMNS as REFUND_COLUMNS } from './sandbox-refunds-store.ts'
import type { LedgerRow } from './sandbox-store.ts'
import { toReportedColumns } from './sandbox-store.ts'

export const LISTED_PER_PAGE = 100
/** An id may be this much older than its entry, because a request may be repeated later with the same id. */
const SLACK_MS = 3_600_000

interface ListColumns {
  created_at: Date
  metadata: unknown
}
export type ListedCharge = LedgerRow & ListColumns
export type ListedRefund = RefundRow & ListColumns

const list = (table: string, columns: string) =>
  `select ${columns}, created_at from ${table} where id > $1::uuid and created_at >= $2 and created_at <= coalesce($3, now())
   order by id limit ${LISTED_PER_PAGE}`
const LIST_CHARGES = statement(
  'sandbox.list_charges',
  list('sandbox_charges', `${toReportedColumns('')}, metadata`),
)
const LIST_REFUNDS = statement(
  'sandbox.list_refunds_since',
  list('sandbox_refunds', `${REFUND_COLUMNS}, metadata`),
)

function toValues({ since, until, cursor }: PageOptions): unknown[] {
  return [cursor ?? toFirstUuidV7(since.getTime() - SLACK_MS), since, until ?? null]
}

export async function listChargeRows(db: Queryable, options: PageOptions): Promise<ListedCharge[]> {
  return db.query<ListedCharge>(LIST_CHARGES, toValues(options))
}

export async function listRefundRowsSince(db: Queryable, options: PageOptions): Promise<ListedRefund[]> {
  return db.query<ListedRefund>(LIST_REFUNDS, toValues(options))
}
