// Reads the refunds whose lookup is due, and sets the time of the next lookup. A claim postpones the next lookup, so that
// two replicas do not look up the same refund.
import type { Db, Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Refund } from './refund.ts'
import type { RefundRow } from './refunds-store.ts'
import { COLUMNS, toRefund } from './refunds-store.ts'

export interface DueRefund {
  refund: Refund
  checks: number
  ageMs: number
}

const LOCK_DUE = statement(
  'refunds.lock_due',
  `select ${COLUMNS}, checks, extract(epoch from now() - created_at)::float8 * 1000 as age_ms from refunds
   where next_check_at <= now() order by next_check_at limit $1 for update skip locked`,
)

const POSTPONE = statement(
  'refunds.postpone',
  `update refunds r set checks = r.checks + 1, next_check_at = now() + due.pause_ms * interval '1 millisecond'
   from unnest($1::uuid[], $2::float8[]) as due(id, pause_ms) where r.id = due.id`,
)

export async function claimDueRefunds(
  db: Pick<Db, 'transaction'>,
  options: { limit: number; toPauseMs: (due: DueRefund) => number },
): Promise<DueRefund[]> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<RefundRow & { checks: number; age_ms: number }>(LOCK_DUE, [options.limit])
    const due = rows.map((row) => ({ refund: toRefund(row), checks: row.checks, ageMs: row.age_ms }))
    if (due.length > 0) {
      const ids = due.map(({ refund }) => refund.id)
      await tx.query(POSTPONE, [ids, due.map(options.toPauseMs)])
    }
    return due
  })
}

const CHECK_SOON = statement(
  'refunds.check_soon',
  `update refunds set next_check_at = now() + interval '1 second' where id = $1 and state = 'processing'`,
)

/** Used if the upstream gave no usable response to the refund request, so that the first lookup comes sooner. */
export async function checkSoon(db: Queryable, id: string): Promise<void> {
  await db.query(CHECK_SOON, [id])
}

const DEFER = statement(
  'refunds.defer',
  `update refunds set next_check_at = now() + interval '5 seconds', checks = checks - 1
   where id = any($1::uuid[]) and next_check_at is not null`,
)

/** Used for claimed refunds that cannot be looked up now, because the upstream's quota for lookups is used up. */
export async function deferChecks(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.query(DEFER, [ids])
}

const PLAN = statement(
  'refunds.plan_check',
  `update refunds set next_check_at = now() + $2::float8 * interval '1 millisecond'
   where id = $1 and state <> 'processing' and next_check_at is not null`,
)

/**
 * Plans the next lookup of an ended refund for the time after which the upstream expects a change. Null: no change is
 * expected, and the refund is not looked up again.
 */
export async function planCheckOfEnded(db: Queryable, id: string, changesInMs: number | null): Promise<void> {
  await db.query(PLAN, [id, changesInMs])
}
