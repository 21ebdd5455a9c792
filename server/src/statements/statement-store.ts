// Reads the ledger of a project. Triggers write the entries (0082_disputes_of_second_charges.sql) and the sums per day
// (0048_ledger.sql). Entries of payments that are older than the ledger are added by backfill-store.ts.
import type { LedgerEntryType, Mode } from '@pazar/contract'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface Scope {
  projectId: string
  mode: Mode
  /** The first day of the month, and the first day of the next month. */
  from: string
  to: string
}

export interface Sums {
  payments: number
  gross: bigint
  refunds: bigint
  returned: bigint
  disputes: bigint
}

export interface LedgerDay extends CurrencyAndScale, Sums {
  date: string
}

const LIST_DAYS = statement(
  'books.list_days',
  `select day::text as date, currency, amount_scale as scale, payments, gross, refunds, returned, disputes
   from ledger_days where project_id = $1 and mode = $2 and day >= $3::date and day < $4::date order by day`,
)

/**
 * Lists the days that have entries, the oldest first. A day is listed once for each currency and number of decimals of
 * its entries.
 */
export async function listDays(db: Queryable, { projectId, mode, from, to }: Scope): Promise<LedgerDay[]> {
  return db.query<LedgerDay>(LIST_DAYS, [projectId, mode, from, to])
}

export interface LedgerEntry extends CurrencyAndScale {
  id: bigint
  date: string
  at: Date
  type: LedgerEntryType
  amount: bigint
  transactionId: string
  refundId: string | null
  disputeId: string | null
  upstreamRef: string | null
}

// If the entry of a payment has no charge id, the id is read from the payment, because the upstream may have reported
// it later.
const LIST_ENTRIES = statement(
  'books.list_entries',
  `select e.id, e.posted_on::text as date, e.at, e.type, e.amount, e.currency, e.amount_scale as scale,
     e.transaction_id as "transactionId", e.refund_id as "refundId", e.dispute_id as "disputeId",
     coalesce(e.upstream_ref, case when e.refund_id is null and e.dispute_id is null then t.upstream_ref end) as "upstreamRef"
   from (select * from ledger_entries where project_id = $1 and mode = $2 and posted_on < $4::date
       and (posted_on, id) > ($3::date, $5) and currency = $6 order by posted_on, id limit $7) e
     left join transactions t on t.id = e.transaction_id
   order by e.posted_on, e.id`,
)

export interface EntryPosition {
  date: string
  id: bigint
}

/** Lists entries by day, and within a day in the order of posting. */
export async function listEntries(
  db: Queryable,
  { projectId, mode, from, to }: Scope,
  { currency, after, limit }: { currency: string; after: EntryPosition | null; limit: number },
): Promise<LedgerEntry[]> {
  const position = after ?? { date: from, id: 0n }
  const values = [projectId, mode, position.date, to, position.id, currency, limit]
  return db.query<LedgerEntry>(LIST_ENTRIES, values)
}
