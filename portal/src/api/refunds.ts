import { useQuery } from '@tanstack/react-query'
import type { RefundBody, RefundView, TransactionDetails, TransactionView } from '@pazar/contract'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { queryClient } from './session.ts'
import { listTransactions } from './transactions.ts'

/** How often the drawer polls while a refund is processing. Most refunds end within seconds. */
const PROCESSING_POLL_MS = 2_000

function isProcessing(details: TransactionDetails | null | undefined): boolean {
  return details?.refunds.some((refund) => refund.state === 'processing') ?? false
}

/**
 * One payment with its refunds and disputes; null if there is no such payment. `listRow` is shown until the response
 * arrives.
 */
export function useTransactionDetails(
  { projectId, mode, id }: Pick<TransactionView, 'projectId' | 'mode' | 'id'>,
  listRow: TransactionView | undefined,
) {
  return useQuery({
    // The mode is part of the key, because `id` may be a payment reference, which is looked up in one mode only.
    queryKey: ['transaction', projectId, id, mode],
    queryFn: async ({ signal }): Promise<TransactionDetails | null> => {
      try {
        return await call<TransactionDetails>(
          '/sdk/transaction/get',
          { projectId, transactionId: id },
          { signal },
        )
      } catch (error) {
        if (!(error instanceof ApiError) || ![400, 404].includes(error.problem?.status ?? 0)) throw error
        // 400: the URL has a payment reference instead of an id. 404: there is no such payment, or this replica still runs
        // the previous release, which does not have the route. In all three cases the list is searched instead.
        const { items } = await listTransactions({ projectId, mode, q: id, limit: 1 }, signal)
        return items[0] ? { transaction: items[0], refunds: [], disputes: [] } : null
      }
    },
    ...(listRow ? { placeholderData: { transaction: listRow, refunds: [], disputes: [] } } : {}),
    refetchInterval: ({ state }) => (isProcessing(state.data) ? PROCESSING_POLL_MS : false),
  })
}

export async function requestRefund(body: RefundBody): Promise<RefundView> {
  const { refund } = await call<{ refund: RefundView }>('/sdk/transaction/refund', body)
  void queryClient.invalidateQueries({ queryKey: ['transaction', body.projectId, body.transactionId] })
  void queryClient.invalidateQueries({ queryKey: ['transactions'] })
  return refund
}
