import { useQuery } from '@tanstack/react-query'
import type { RefundBody, RefundView, TransactionDetails, TransactionView } from '@pazar/contract'
import { ApiError, hasCode, DismissedError } from './api-error.ts'
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
    // A timer must not reopen the sign-in dialog that the user closed.
    refetchInterval: ({ state }) =>
      isProcessing(state.data) && !(state.error instanceof DismissedError) ? PROCESSING_POLL_MS : false,
  })
}

interface SentKey {
  key: string
  /** What could be refunded before the request. If less can be refunded now, the refund was made and the key is used up. */
  refundable: string
}

/**
 * By payment: the idempotency key that was sent last, until a response shows that it is used up. A request without a response
 * may have made a refund.
 */
const pendingKeys = new Map<string, SentKey>()

type RefundablePayment = Pick<TransactionView, 'id' | 'projectId' | 'refundable'>

/**
 * The idempotency key of the next refund of a payment. If the response to an earlier request was lost, its key is used again,
 * so that nothing is refunded twice.
 */
export function toRefundKey({ id, refundable }: RefundablePayment): string {
  const sent = pendingKeys.get(id)
  return sent?.refundable === refundable ? sent.key : `portal-${crypto.randomUUID()}`
}

export async function requestRefund(
  payment: RefundablePayment,
  request: Pick<RefundBody, 'amount' | 'reason' | 'idempotencyKey'>,
): Promise<RefundView> {
  const { id, projectId, refundable } = payment
  const key = request.idempotencyKey
  if (pendingKeys.get(id)?.key !== key) pendingKeys.set(id, { key, refundable })
  try {
    const body: RefundBody = { projectId, transactionId: id, ...request }
    const { refund } = await call<{ refund: RefundView }>('/sdk/transaction/refund', body)
    pendingKeys.delete(id)
    reloadRefunds(payment)
    return refund
  } catch (error) {
    // Any other refusal says nothing about an earlier request with this key.
    if (hasCode(error, 'idempotency_conflict')) pendingKeys.delete(id)
    throw error
  }
}

export function reloadRefunds({ id, projectId }: RefundablePayment): void {
  void queryClient.invalidateQueries({ queryKey: ['transaction', projectId, id] })
  void queryClient.invalidateQueries({ queryKey: ['transactions'] })
}
