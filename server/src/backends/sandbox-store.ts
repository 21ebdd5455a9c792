// The sandbox's own books: the other side's ledger, written outside the payment's transaction, so that it survives a
// kill and serves every replica.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { askTogether } from '../db/together.ts'

export interface LedgerRow {
  id: string
  amount: bigint
  currency: string
  status: 'succeeded' | 'failed' | 'requires_action' | 'cancelled'
  failure_code: string | null
}

const COLUMNS = 'id, amount, currency, status, failure_code'

const WRITE = statement(
  'sandbox.write',
  `with asked as (
     select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[])
       with ordinality as asked(id, amount, currency, status, failure_code, n)),
   written as (
     insert into sandbox_charges (${COLUMNS}) select ${COLUMNS} from asked on conflict (id) do nothing
     returning ${COLUMNS})
   select asked.n::int as asked, written.* from written join asked using (id) union all
   select asked.n::int, ${COLUMNS.replaceAll(/\w+/g, 'c.$&')} from sandbox_charges c join asked using (id)`,
)

/** The first entry under an id stands; a repeat gets it back, as an idempotent upstream would answer. */
export async function writeOnce(db: Queryable, row: LedgerRow): Promise<LedgerRow> {
  const rows = await askTogether<LedgerRow>(db, WRITE, [
    row.id,
    row.amount,
    row.currency,
    row.status,
    row.failure_code,
  ])
  return rows[0] ?? (await findEntry(db, row.id))!
}

const FIND = statement('sandbox.find', `select ${COLUMNS} from sandbox_charges where id = $1`)

export async function findEntry(db: Queryable, id: string): Promise<LedgerRow | null> {
  const rows = await db.query<LedgerRow>(FIND, [id])
  return rows[0] ?? null
}

const FINISH = statement(
  'sandbox.finish',
  `update sandbox_charges set status = $2, failure_code = $3, updated_at = now()
   where id = $1 and status = 'requires_action'`,
)

/** Only an open bank step can still go either way. */
export async function finishStep(
  db: Queryable,
  id: string,
  status: LedgerRow['status'],
  failureCode: string | null,
): Promise<void> {
  await db.query(FINISH, [id, status, failureCode])
}

const DELETE = statement('sandbox.delete', 'delete from sandbox_charges where id = any($1::uuid[])')

/** For test payments that are deleted as a whole. */
export async function deleteCharges(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(DELETE, [ids])
}
