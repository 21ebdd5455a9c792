// Adds ledger entries for paid payments that ended before the ledger existed. Later payments are posted when their events
// are published.
import type { Backfill } from '../db/backfill.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { lockHeads } from '../feed/feed-store.ts'

const IS_DONE = statement('books.backfill_done', 'select done_at is not null as done from ledger_backfill')

export async function isBackfilled(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ done: boolean }>(IS_DONE)
  // The migration adds the row, so only a database that is just being restored has no row.
  if (!row)
    throw new ServiceError('unavailable', { retryAfterSec: 2, log: 'database: no row of the backfill' })
  return row.done
}

const LIST = statement(
  'books.backfill_list',
  `select t.id, t.project_id from transactions t
   where t.id > coalesce((select after from ledger_backfill), '00000000-0000-0000-0000-000000000000') order by t.id limit $1`,
)

// The event of the payment may be published at the same time, and publishing the event posts the payment too. `not exists`
// prevents a second entry.
const POST = statement(
  'books.backfill_post',
  `insert into ledger_entries (project_id, mode, posted_on, at, type, amount, currency, amount_scale, transaction_id, upstream_ref)
   select t.project_id, t.mode, to_posting_day(t.ended_at, p.time_zone), t.ended_at, 'payment', t.amount, t.currency,
     coalesce(t.amount_scale, i.unstored_scale, 2), t.id, t.upstream_ref
   from (select *, case when state = 'succeeded' then completed_at else resolved_at end as ended_at from transactions
       where id = any($1::uuid[]) and completed_at is not null and is_paid(state, resolution)) t
     join projects p on p.id = t.project_id cross join installation i
   where not exists (select from ledger_entries l where l.transaction_id = t.id and l.refund_id is null and l.dispute_id is null)
   order by t.id`,
)

const ADVANCE = statement(
  'books.backfill_advance',
  'update ledger_backfill set after = coalesce($1, after), done_at = case when $2 then now() end',
)

async function fill(tx: Tx, limit: number): Promise<number> {
  if (await isBackfilled(tx)) return 0
  const payments = await tx.query<{ id: string; project_id: string }>(LIST, [limit])
  await lockHeads(tx, [...new Set(payments.map((one) => one.project_id))])
  await tx.query(POST, [payments.map(({ id }) => id)])
  await tx.query(ADVANCE, [payments.at(-1)?.id ?? null, payments.length < limit])
  return payments.length
}

export const LEDGER_BACKFILL: Backfill = { name: 'ledger', fill }
