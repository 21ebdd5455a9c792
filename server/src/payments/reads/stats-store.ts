// Counts of payments over time. Triggers store them when payments end, so that a long range is not read payment by
// payment.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import type { StatsRange } from './stats-range.ts'

export interface PaymentStats {
  volume: bigint
  succeeded: number
  failed: number
  /** How many payments are open, or are unpaid and in review. */
  open: number
  /** How many of the payments in `open` have ended. These are unpaid and in review. */
  inReview: number
}

/**
 * Open payments, and unpaid payments in review. It is not decided yet whether money moved, so they count as neither
 * succeeded nor failed. A paid payment in review counts as paid, as in the merchant's statement.
 */
const UNDECIDED = '(completed_at is null or needs_review and not is_paid(state, resolution))'

/** The states are literals, so that PostgreSQL knows how rare open payments are and uses their index. */
const countBegun = (states: string, from: string, to: string) =>
  `select created_at as at, (not ${UNDECIDED} and is_paid(state, resolution))::integer as succeeded,
     (not ${UNDECIDED} and not is_paid(state, resolution))::integer as failed,
     case when not ${UNDECIDED} and is_paid(state, resolution) then amount else 0 end as volume, ${UNDECIDED}::integer as open,
     (completed_at is not null and ${UNDECIDED})::integer as in_review
   from transactions
   where project_id = $1 and mode = $2 and state in (${states}) and created_at >= ${from} and created_at < ${to}`

/** The stored stats count an unpaid payment in review as failed. These rows correct that: they count it as open. */
export const subtractInReview = (projectId: string, mode: string) =>
  `select to_quarter(created_at) as at, 0 as succeeded, -1 as failed, 0 as volume, 1 as open, 1 as in_review
   from transactions where project_id = ${projectId} and mode = ${mode} and needs_review and completed_at is not null
     and not is_paid(state, resolution)`

const OPEN = `'processing', 'requires_action'`
const ENDED = `'succeeded', 'failed', 'expired'`

// This is one statement, so that a payment that ends meanwhile is counted once. The parts before and after the whole
// quarters are each shorter than a quarter of an hour, so few ended payments are read one by one.
const READ = statement(
  'stats.read',
  `select width_bucket(at, $7::timestamptz[]) as bucket, coalesce(sum(volume) filter (where $8::timestamptz is null or at >= $8), 0)::text as volume,
     sum(succeeded)::integer as succeeded,
     sum(failed)::integer as failed, sum(open)::integer as open,
     sum(in_review)::integer as "inReview"
   from (
     select quarter as at, succeeded, failed, volume, 0 as open, 0 as in_review from payment_figures
     where project_id = $1 and mode = $2 and quarter >= $4 and quarter < $5
     union all ${subtractInReview('$1', '$2')} and created_at >= $4 and created_at < $5
     union all ${countBegun(OPEN, '$3', '$6')}
     union all ${countBegun(ENDED, '$3', '$4')}
     union all ${countBegun(ENDED, '$5', '$6')}) as parts
   group by bucket`,
)

interface StatsRow {
  bucket: number
  volume: string
  succeeded: number
  failed: number
  open: number
  inReview: number
}

export const NO_STATS: PaymentStats = { volume: 0n, succeeded: 0, failed: 0, open: 0, inReview: 0 }

/** Payments from before a change of currency are counted, but their amounts are not in the volume. */
export async function readPaymentStats(
  db: Queryable,
  projectId: string,
  mode: Mode,
  range: StatsRange,
  currencyChangedAt: Date | null,
): Promise<PaymentStats[]> {
  const { from, wholeFrom, wholeTo, to, starts } = range
  const rows = await db.query<StatsRow>(READ, [
    projectId,
    mode,
    from,
    wholeFrom,
    wholeTo,
    to,
    starts,
    currencyChangedAt,
  ])
  const found = new Map(
    rows.map(({ bucket, volume, ...counts }) => [bucket, { ...counts, volume: BigInt(volume) }]),
  )
  return starts.map((_, index) => found.get(index + 1) ?? NO_STATS)
}

export const FOLD_BATCH = 5_000

/** After this time most payments of a quarter of an hour have ended, so its rows are rarely merged twice. */
const FOLD_AFTER = "interval '1 hour'"

// Rows that another transaction is still updating are skipped, and a later call merges them.
const FOLD = statement(
  'stats.fold',
  `with due as (
     select ctid from payment_figures where shard <> 0 and quarter < now() - ${FOLD_AFTER}
     limit ${FOLD_BATCH} for update skip locked
   ), removed as (
     delete from payment_figures where ctid = any (array(select ctid from due)) returning *
   ), folded as (
     insert into payment_figures as stored (project_id, mode, quarter, shard, succeeded, failed, volume)
     select project_id, mode, quarter, 0, sum(succeeded), sum(failed), sum(volume) from removed
     group by project_id, mode, quarter order by project_id, mode, quarter
     on conflict (project_id, mode, quarter, shard) do update set succeeded = stored.succeeded + excluded.succeeded,
       failed = stored.failed + excluded.failed, volume = stored.volume + excluded.volume)
   select count(*)::integer as folded from removed`,
)

/**
 * Payments that end at the same time usually write to different rows (shards) of a quarter of an hour, so that they do
 * not wait for each other. `foldStats` merges up to FOLD_BATCH shards into the row with shard 0 of their quarter. Returns how
 * many shards were merged.
 */
export async function foldStats(db: Queryable): Promise<number> {
  return (await db.query<{ folded: number }>(FOLD))[0]!.folded
}
