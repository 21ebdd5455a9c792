// The sandbox's ledger. It is written outside the payment's transaction, like the ledger of a real upstream.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { batchQuery } from '../db/batch-query.ts'
import type { Metadata } from './metadata.ts'

export interface LedgerRow {
  id: string
  amount: bigint
  currency: string
  status: 'succeeded' | 'failed' | 'requires_action' | 'cancelled' | 'processing'
  failure_code: string | null
  metadata?: Metadata | null
}

const COLUMNS = 'id, amount, currency, status, failure_code'
/**
 * SQL columns; `c` is empty or an alias with a dot. A payment of 4008 is reported as processing for its first 20 seconds.
 */
export const toReportedColumns = (c: string) =>
  `${c}id, ${c}amount, ${c}currency, ${c}failure_code, case when ${c}amount = 4008 and ${c}status = 'succeeded'
     and ${c}created_at > now() - interval '20 seconds' then 'processing' else ${c}status end as status`

const WRITE = statement(
  'sandbox.write',
  `with requested as (
     select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::jsonb[])
       with ordinality as requested(id, amount, currency, status, failure_code, metadata, n)),
   written as (
     insert into sandbox_charges (${COLUMNS}, metadata) select ${COLUMNS}, metadata from requested on conflict (id) do nothing
     returning ${toReportedColumns('')})
   select requested.n::int as requested, written.* from written join requested using (id) union all
   select requested.n::int, ${toReportedColumns('c.')} from sandbox_charges c join requested using (id)`,
)

/** If the ledger already has an entry with this id, writes nothing and returns that entry. */
export async function writeOnce(db: Queryable, row: LedgerRow): Promise<LedgerRow> {
  const rows = await batchQuery<LedgerRow>(db, WRITE, [
    row.id,
    row.amount,
    row.currency,
    row.status,
    row.failure_code,
    row.metadata ? JSON.stringify(row.metadata) : null,
  ])
  return rows[0] ?? (await findEntry(db, row.id))!
}

const FIND = statement('sandbox.find', `select ${toReportedColumns('')} from sandbox_charges where id = $1`)

export async function findEntry(db: Queryable, id: string): Promise<LedgerRow | null> {
  const rows = await db.query<LedgerRow>(FIND, [id])
  return rows[0] ?? null
}

const FINISH = statement(
  'sandbox.finish',
  `update sandbox_charges set status = $2, failure_code = $3, updated_at = now()
   where id = $1 and status = 'requires_action'`,
)

export async function finishStep(
  db: Queryable,
  id: string,
  status: LedgerRow['status'],
  failureCode: string | null,
): Promise<void> {
  await db.query(FINISH, [id, status, failureCode])
}

const ERASE = statement(
  'sandbox.erase',
  'update sandbox_charges set metadata = null where id = any($1::uuid[]) and metadata is not null',
)

/** The metadata contain customId and data. */
export async function eraseChargeTexts(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(ERASE, [ids])
}

const DELETE = statement('sandbox.delete', 'delete from sandbox_charges where id = any($1::uuid[])')
const DELETE_REFUNDS = statement(
  'sandbox.delete_refunds',
  'delete from sandbox_refunds where payment_id = any($1::uuid[])',
)

export async function deleteCharges(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(DELETE_REFUNDS, [ids])
  await db.query(DELETE, [ids])
}
