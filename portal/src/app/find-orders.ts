// Finds orders by reference, by id, or by the start of customId or data, in any project and mode.
import { queryOptions } from '@tanstack/react-query'
import type { Mode, TransactionView } from '@pazar/contract'
import { listTransactions } from '../api/transactions.ts'
import type { TransactionFilter } from '../api/transactions.ts'

const FOUND_MAX = 5
/** A single letter matches too many orders. */
const TEXT_MIN = 2

/**
 * Orders whose customId is exactly the text come first, then orders of the shown project and mode, then all others.
 * `shown` is null if the page has no project.
 */
export function findOrders(text: string, shown: { projectId: string; mode: Mode } | null) {
  return queryOptions({
    queryKey: ['find-orders', text, shown],
    enabled: text.length >= TEXT_MIN,
    queryFn: async ({ signal }): Promise<TransactionView[]> => {
      const find = (filter: Partial<TransactionFilter>) => listTransactions(filter, signal)
      const lists = await Promise.all([
        find({ customId: text, limit: FOUND_MAX }),
        ...(shown ? [find({ ...shown, q: text, limit: FOUND_MAX })] : []),
        find({ q: text, limit: FOUND_MAX }),
      ])
      const all = lists.flatMap(({ items }) => items)
      return [...new Map(all.map((item) => [item.id, item])).values()].slice(0, FOUND_MAX)
    },
  })
}
