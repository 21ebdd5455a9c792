// Counts of payments over time, from the figures that the database keeps as payments end. What they cost depends on the
// length of the range, never on the number of payments.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { StatsRange } from './stats-range.ts'

export interface PaymentFigures {
  volume: bigint
  succeeded: number
  failed: number
  open: number
}

/** Still open, or ended and in review: whether money moved is not decided, so it counts as neither. */
const UNDECIDED = '(completed_at is null or needs_review)'

/** Payments read row by row, begun in that range. The states are literals, so that PostgreSQL knows how rare the open
 * ones are and uses their index, instead of reading everything begun in the range. */
const begun = (states: string, from: string, to: string) =>
  `select created_at as at, (not ${UNDECIDED} and is_paid(state, resolution))::integer as succeeded,
     (not ${UNDECIDED} and not is_paid(state, resolution))::integer as failed,
     case when not ${UNDECIDED} and is_paid(state, resolution) then amount else 0 end as volume, ${UNDECIDED}::integer as open
   from transactions
   where project_id = $1 and mode = $2 and state in (${states}) and created_at >= ${from} and created_at < ${to}`

/** The stored stats count every payment that has ended; this takes those in review out again. They are few, because each
 * has an open incident. */
export const reviewed = (projectId: string, mode: string) =>
  `select to_quarter(created_at) as at, -is_paid(state, resolution)::integer as succeeded, is_paid(state, resolution)::integer - 1 as failed,
     case when is_paid(state, resolution) then -amount else 0 end as volume, 1 as open
   from transactions where project_id = ${projectId} and mode = ${mode} and needs_review and completed_at is not null`

const OPEN = `'processing', 'requires_action'`
const ENDED = `'succeeded', 'failed', 'expired'`

// All parts in one statement, so that a payment that ends meanwhile is counted once and not twice or never. The open ones
// are few; the two ends of the range are less than a quarter of an hour each, and nothing at all for whole hours and days.
const READ = statement(
  'stats.read',
  `select width_bucket(at, $7::timestamptz[]) as place, coalesce(sum(volume) filter (where $8::timestamptz is null or at >= $8), 0)::text as volume,
     sum(succeeded)::integer as succeeded,
     sum(failed)::integer as failed, sum(open)::integer as open
   from (
     select quarter as at, succeeded, failed, volume, 0 as open from payment_figures
     where project_id = $1 and mode = $2 and quarter >= $4 and quarter < $5
     union all ${reviewed('$1', '$2')} and created_at >= $4 and created_at < $5
     union all ${begun(OPEN, '$3', '$6')}
     union all ${begun(ENDED, '$3', '$4')}
     union all ${begun(ENDED, '$5', '$6')}) as parts
   group by place`,
)

interface FiguresRow {
  place: number
  volume: string
  succeeded: number
  failed: number
  open: number
}

const NONE: PaymentFigures = { volume: 0n, succeeded: 0, failed: 0, open: 0 }

/** One for each hour or day of the range. Amounts from before the currency changed are counted as payments, not as volume. */
export async function readFigures(
  db: Queryable,
  projectId: string,
  mode: Mode,
  range: StatsRange,
  currencyChangedAt: Date | null,
): Promise<PaymentFigures[]> {
  const { from, wholeFrom, wholeTo, to, starts } = range
  const rows = await db.query<FiguresRow>(READ, [
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
    rows.map(({ place, volume, ...counts }) => [place, { ...counts, volume: BigInt(volume) }]),
  )
  return starts.map((_, index) => found.get(index + 1) ?? NONE)
}

/** Enough for a busy hour of every project; the rest waits for the next call. */
export const FOLD_BATCH = 5_000

// Those who still add to a quarter are waited for by nobody: their rows are left for the next time.
const FOLD = statement(
  'stats.fold',
  `with due as (
     select ctid from payment_figures where shard <> 0 and quarter < now() - interval '1 hour'
     limit ${FOLD_BATCH} for update skip locked
   ), taken as (
     delete from payment_figures where ctid = any (array(select ctid from due)) returning *
   ), folded as (
     insert into payment_figures as kept (project_id, mode, quarter, shard, succeeded, failed, volume)
     select project_id, mode, quarter, 0, sum(succeeded), sum(failed), sum(volume) from taken
     group by project_id, mode, quarter order by project_id, mode, quarter
     on conflict (project_id, mode, quarter, shard) do update set succeeded = kept.succeeded + excluded.succeeded,
       failed = kept.failed + excluded.failed, volume = kept.volume + excluded.volume)
   select count(*)::integer as folded from taken`,
)

/** Puts what many connections counted into one row per quarter of an hour; how many rows went into others. */
export async function foldFigures(db: Queryable): Promise<number> {
  return (await db.query<{ folded: number }>(FOLD))[0]!.folded
}
