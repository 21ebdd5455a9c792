// Counts the rows that were added since the list was loaded. If the total is exact, as the difference of two totals;
// otherwise as the rows after the newest one shown, which costs the service only as much as there is new.
import { useTransactions, usePolledTransactions } from '../../api/transactions.ts'
import type { TransactionList, TransactionFilter } from '../../api/transactions.ts'

export interface NewTransactions {
  count: number
  /** There may be more than `count`. */
  isMore: boolean
}

const NONE: NewTransactions = { count: 0, isMore: false }

/** Times are in milliseconds, and a row of the same millisecond is shown already. */
function toInstantAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString()
}

export function useNewTransactions(filter: TransactionFilter, list: TransactionList): NewTransactions {
  const isFirstPage = list.page === 1
  const first = { ...filter, page: 1, limit: 1 }
  // A later page does not show the newest row.
  const top = useTransactions(first, !list.totalExact && !isFirstPage)
  const topRow = top.isPlaceholderData ? undefined : top.data?.items[0]
  const newest = isFirstPage ? list.items[0] : topRow
  const isByTotal = list.totalExact || !newest
  const { data: now } = usePolledTransactions(
    isByTotal ? first : { ...first, limit: filter.limit, from: toInstantAfter(newest.createdAt) },
  )
  if (!now) return NONE
  if (!isByTotal) {
    // A search with too many hits does not count even these.
    return now.totalExact
      ? { count: now.total, isMore: false }
      : { count: now.items.length, isMore: now.hasMore }
  }
  if (!list.totalExact) return NONE
  return now.totalExact
    ? { count: now.total - list.total, isMore: false }
    : { count: now.total + 1 - list.total, isMore: true }
}
