// Sums up refunds and disputes over time. Most of this is read from sums per quarter of an hour, which a trigger updates
// (0052_ledger_quarters.sql). So the cost depends on the length of the range, and hardly on the number of refunds.
import type { Mode } from '@pazar/contract'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface TakenBack {
  /** How many refunds succeeded, including those that were returned later. */
  refunds: number
  /** The refunded amount minus the amount that was returned. It is negative if more was returned than refunded. */
  refunded: bigint
  /** How many disputes were opened, including those that were won later. */
  disputes: number
  /** The disputed amount minus the amount that came back because disputes were won. */
  disputed: bigint
}

export const NOTHING_TAKEN_BACK: TakenBack = { refunds: 0, refunded: 0n, disputes: 0, disputed: 0n }

export interface TimeRange {
  from: Date
  to: Date
  wholeFrom: Date
  wholeTo: Date
  starts: readonly Date[]
}

/**
 * Selects the entries between two times. It is used only before the first and after the last whole quarter of an hour,
 * where there are few entries.
 */
const entriesBetween = (from: string, to: string) =>
  `select at, currency, amount_scale, (type = 'refund')::integer as refunds,
     case when refund_id is not null then -amount else 0 end as refunded, (type = 'dispute')::integer as disputes,
     case when dispute_id is not null then -amount else 0 end as disputed
   from ledger_entries where project_id = $1 and mode = $2 and at >= ${from} and at < ${to}
     and (refund_id is not null or dispute_id is not null)`

const IN_CURRENCY =
  'filter (where currency = $8 and amount_scale = $9 and ($10::timestamptz is null or at >= $10))'

const READ = statement(
  'books.taken_back',
  `select width_bucket(at, $7::timestamptz[]) as bucket, sum(refunds)::integer as refunds,
     coalesce(sum(refunded) ${IN_CURRENCY}, 0)::text as refunded, sum(disputes)::integer as disputes,
     coalesce(sum(disputed) ${IN_CURRENCY}, 0)::text as disputed
   from (
     select quarter as at, currency, amount_scale, refunds, refunded, disputes, disputed from ledger_quarters
     where project_id = $1 and mode = $2 and quarter >= $4 and quarter < $5
     union all ${entriesBetween('$3', '$4')}
     union all ${entriesBetween('$5', '$6')}) as parts
   group by bucket`,
)

interface TakenBackRow {
  bucket: number
  refunds: number
  refunded: string
  disputes: number
  disputed: string
}

/**
 * Returns the sums of each interval. `starts` says when the intervals begin. Entries with another currency or number of
 * decimals, or from before the currency changed, are counted without their amounts.
 */
export async function readTakenBack(
  db: Queryable,
  { projectId, mode }: { projectId: string; mode: Mode },
  { from, wholeFrom, wholeTo, to, starts }: TimeRange,
  unit: CurrencyAndScale & { currencyChangedAt?: Date | null },
): Promise<TakenBack[]> {
  const { currency, scale, currencyChangedAt = null } = unit
  const values = [projectId, mode, from, wholeFrom, wholeTo, to, starts, currency, scale, currencyChangedAt]
  const rows = await db.query<TakenBackRow>(READ, values)
  const found = new Map(
    rows.map(({ bucket, refunded, disputed, ...counts }) => [
      bucket,
      { ...counts, refunded: BigInt(refunded), disputed: BigInt(disputed) },
    ]),
  )
  return starts.map((_, index) => found.get(index + 1) ?? NOTHING_TAKEN_BACK)
}
