import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface DisputedRow {
  id: string
  amount: bigint
  currency: string
  disputed_at: Date
  respond_by: Date
  cursor: string
}

export const DISPUTES_PER_PAGE = 100

/** The amount is part of the SQL text, so that PostgreSQL can use the partial index of this amount. */
export function createDisputedRowsReader({ amount, afterSec }: { amount: bigint; afterSec: number }) {
  const list = statement(
    'sandbox.list_disputes',
    `select id, amount, currency, created_at + interval '${afterSec} seconds' as disputed_at,
       created_at + interval '7 days' as respond_by, created_at::text || ' ' || id as cursor
     from sandbox_charges
     where amount = ${amount} and status = 'succeeded' and created_at <= now() - interval '${afterSec} seconds'
       and created_at >= $1::timestamptz - interval '${afterSec} seconds' and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
     order by created_at, id limit ${DISPUTES_PER_PAGE}`,
  )

  /** Reads the oldest rows first. `cursor` is the cursor of the last row that was read. */
  return async (db: Queryable, since: Date, cursor: string | null): Promise<DisputedRow[]> => {
    const [, at = null, id = null] = /^(.*) (\S+)$/.exec(cursor ?? '') ?? []
    return db.query<DisputedRow>(list, [since, at, id])
  }
}
