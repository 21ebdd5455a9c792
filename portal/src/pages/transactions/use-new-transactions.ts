// Counts the rows that were added since the list was loaded. If the total of the list is exact, the count is the
// current total minus the total of the list. Otherwise the service counts the rows after the newest known row.
import { useTransactions, usePolledTransactions } from '../../api/transactions.ts'
import type { TransactionList, TransactionFilter } from '../../api/transactions.ts'

export interface NewTransactions {
  count: number
  isAtLeast: boolean
}

const NO_NEW_TRANSACTIONS: NewTransactions = { count: 0, isAtLeast: false }

/** Returns the next millisecond, because rows of the same millisecond as `time` are not counted as new. */
function toInstantAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString()
}

export function useNewTransactions(filter: TransactionFilter, list: TransactionList): NewTransactions {
  const { order, ...newestFirst } = filter
  const hasNewestRow = list.page === 1 && order === undefined
  const firstRowFilter = { ...newestFirst, page: 1, limit: 1 }
  // Runs only if the total is not exact and the list does not begin with the newest row.
  const newestRowQuery = useTransactions(firstRowFilter, !list.totalExact && !hasNewestRow)
  const queriedRow = newestRowQuery.isPlaceholderData ? undefined : newestRowQuery.data?.items[0]
  const newestRow = hasNewestRow ? list.items[0] : queriedRow
  const pollsFirstRowOnly = list.totalExact || !newestRow
  const { data: polled } = usePolledTransactions(
    pollsFirstRowOnly
      ? firstRowFilter
      : { ...firstRowFilter, limit: filter.limit, from: toInstantAfter(newestRow.createdAt) },
  )
  if (!polled) return NO_NEW_TRANSACTIONS
  if (!pollsFirstRowOnly) {
    // Even the new rows may be too many to count exactly.
    return polled.totalExact
      ? { count: polled.total, isAtLeast: false }
      : { count: polled.items.length, isAtLeast: polled.hasMore }
  }
  if (!list.totalExact) return NO_NEW_TRANSACTIONS
  // If the current total is not exact, the service stopped counting at a limit, and there is at least one row more.
  return polled.totalExact
    ? { count: polled.total - list.total, isAtLeast: false }
    : { count: polled.total + 1 - list.total, isAtLeast: true }
}
