// Totals by project, mode and state are exact, because counts of ended payments are stored. Other totals are counted up
// to a limit.
import { transactionState } from '@pazar/contract'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import type { ListFilter } from './list-filter.ts'
import {
  COUNT_MAX,
  namedByText,
  Parameters,
  toCandidates,
  toOtherFilters,
  toFirstRows,
} from './list-scope-store.ts'
import { isFinal } from '../payment.ts'

// The counters contain only ended payments. The few open payments are counted in the same statement, so that a
// payment that ends meanwhile is counted once.
const STORED_TOTAL = statement(
  'list.stored_total',
  `select (select coalesce(sum(ended), 0) from transaction_counts
       where project_id = any($1) and mode = any($2) and state = any($3))::bigint
     + (select count(*) from transactions where project_id = any($1) and mode = any($2) and state = any($4)) as total`,
)

export async function readStoredTotal(db: Queryable, filter: ListFilter): Promise<number> {
  const states = filter.state === null ? transactionState.options : [filter.state]
  const [row] = await db.query<{ total: bigint }>(STORED_TOTAL, [
    filter.projectIds,
    filter.modes,
    states.filter(isFinal),
    states.filter((state) => !isFinal(state)),
  ])
  return Number(row!.total)
}

export async function countFound(db: Queryable, filter: ListFilter): Promise<number> {
  const p = new Parameters()
  const firstRows = toFirstRows(p, filter, null, COUNT_MAX)
  const text = `select count(*)::int as total from (select from (${firstRows}) as found limit ${p.add(COUNT_MAX)}) as counted`
  const [row] = await db.query<{ total: number }>(namedByText('list.count', text), p.values)
  return row!.total
}

/**
 * `counted`: how many rows match the search or the range of end times, up to the limit. A payment that matches
 * in two ways is counted twice. `matching`: how many different payments in these rows also match all other filters.
 */
export async function probeCandidates(
  db: Queryable,
  filter: ListFilter,
): Promise<{ counted: number; matching: number }> {
  const p = new Parameters()
  const text = `select count(*)::int as counted, count(distinct id) filter (where ${toOtherFilters(p, filter, null)})::int as matching
    from (${toCandidates(p, filter)}) as candidates`
  const [row] = await db.query<{ counted: number; matching: number }>(
    namedByText('list.probe', text),
    p.values,
  )
  return row!
}
