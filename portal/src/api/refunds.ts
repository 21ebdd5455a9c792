import { useQuery } from '@tanstack/react-query'
import type { RefundBody, RefundView, TransactionDetails, TransactionView } from '@pazar/contract'
import { ApiError, hasCode, DismissedError } from './api-error.ts'
import { call } from './call.ts'
import { queryClient } from './session.ts'
import { listTransactions } from './transactions.ts'

/** Most refunds end within seconds. */
const PROCESSING_POLL_MS = 2_000

function isProcessing(details: TransactionDetails | null | undefined): boolean {
  return details?.refunds.some((refund) => refund.state === 'processing') ?? false
}

/**
 * How often the details are loaded again while the payment is open, or while its callback is `pending` or `sending`. The
 * timeline is loaded again equally often.
 */
const CALLBACK_POLL_MS = 5_000

function toPollMs(details: TransactionDetails | null | undefined): number | false {
  if (isProcessing(details)) return PROCESSING_POLL_MS
  const status = details?.transaction.callback?.status
  const isOpen = details?.transaction.completedAt === null
  return isOpen || status === 'pending' || status === 'sending' ? CALLBACK_POLL_MS : false
}

/** Null if there is no such payment. `listRow` is shown until the response arrives. */
export function useTransactionDetails(
  { projectId, mode, id }: Pick<TransactionView, 'projectId' | 'mode' | 'id'>,
  listRow: TransactionView | undefined,
) {
  return useQuery({
    // `id` may be a payment reference, which is looked up in one mode only.
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
        // 400: `id` is a payment reference. 404: there is no such payment, or a replica of an earlier release, which lacks
        // this route, has responded. The list may still find the payment.
        const { items } = await listTransactions({ projectId, mode, q: id, limit: 1 }, signal)
        return items[0] ? { transaction: items[0], refunds: [], disputes: [] } : null
      }
    },
    ...(listRow ? { placeholderData: { transaction: listRow, refunds: [], disputes: [] } } : {}),
    // A timer must not reopen the sign-in dialog that the user closed.
    refetchInterval: ({ state }) => (state.error instanceof DismissedError ? false : toPollMs(state.data)),
  })
}

interface SentKey {
  key: string
  /** What could be refunded before the request. If less can be refunded now, a refund was made. */
  refundable: string
}

/** The last idempotency key of each payment. A key is removed when a response shows that a refund was made with it. */
const pendingKeys = new Map<string, SentKey>()

type RefundablePayment = Pick<TransactionView, 'id' | 'projectId' | 'refundable'>

/** A request without a response keeps its key until the refundable amount changes, so that a retry cannot refund twice. */
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
    // This refusal shows that an earlier request with this key was accepted. Other refusals do not show this.
    if (hasCode(error, 'idempotency_conflict')) pendingKeys.delete(id)
    throw error
  }
}

export function reloadRefunds({ id, projectId }: RefundablePayment): void {
  void queryClient.invalidateQueries({ queryKey: ['transaction', projectId, id] })
  void queryClient.invalidateQueries({ queryKey: ['transactions'] })
}
