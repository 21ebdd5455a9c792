// Orders by what a merchant has in hand: a reference, an id, the beginning of customId or data, in any project and mode.
import { queryOptions } from '@tanstack/react-query'
import type { TransactionView } from '@pazar/contract'
import { call } from '../api/call.ts'
import type { TransactionList } from '../api/transactions.ts'

const FOUND_MAX = 5
/** One letter begins too many orders to be a question. */
const TEXT_MIN = 2

export function foundOrders(text: string) {
  return queryOptions({
    queryKey: ['found-orders', text],
    enabled: text.length >= TEXT_MIN,
    queryFn: async ({ signal }): Promise<TransactionView[]> => {
      const find = (body: object) => call<TransactionList>('/sdk/transactions/list', body, { signal })
      // The order of exactly this name comes first, however many newer ones begin alike.
      const lists = await Promise.all([
        find({ customId: text, limit: FOUND_MAX }),
        find({ q: text, limit: FOUND_MAX }),
      ])
      const all = lists.flatMap(({ items }) => items)
      return [...new Map(all.map((item) => [item.id, item])).values()].slice(0, FOUND_MAX)
    },
  })
}
