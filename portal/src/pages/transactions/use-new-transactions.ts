// What has come since the list was drawn. As long as all of it can be counted, by the difference of two totals; beyond
// that, by what is younger than the newest row there was, which costs the service no more than what is new.
import { useTransactions, useWatchedTransactions } from '../../api/transactions.ts'
import type { TransactionList, TransactionWish } from '../../api/transactions.ts'

export interface NewTransactions {
  count: number
  /** There may be more of them than that. */
  isMore: boolean
}

const NONE: NewTransactions = { count: 0, isMore: false }

/** The service takes times in milliseconds, and what was created in the same one is shown already. */
function toMomentAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString()
}

export function useNewTransactions(wish: TransactionWish, list: TransactionList): NewTransactions {
  const isFirstPage = list.page === 1
  const first = { ...wish, page: 1, limit: 1 }
  // On a later page the newest row is not among those shown.
  const top = useTransactions(first, !list.totalExact && !isFirstPage)
  const topRow = top.isPlaceholderData ? undefined : top.data?.items[0]
  const newest = isFirstPage ? list.items[0] : topRow
  const isByTotal = list.totalExact || !newest
  const { data: now } = useWatchedTransactions(
    isByTotal ? first : { ...first, limit: wish.limit, from: toMomentAfter(newest.createdAt) },
  )
  if (!now) return NONE
  if (!isByTotal) {
    // Of a search with too many finds not even these are counted.
    return now.totalExact
      ? { count: now.total, isMore: false }
      : { count: now.items.length, isMore: now.hasMore }
  }
  if (!list.totalExact) return NONE
  return now.totalExact
    ? { count: now.total - list.total, isMore: false }
    : { count: now.total + 1 - list.total, isMore: true }
}
