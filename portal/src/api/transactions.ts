import { useQuery } from '@tanstack/react-query'
import type { Mode, TransactionView, transactionList } from '@pazar/contract'
import { ApiError, GivenUp } from './api-error.ts'
import { call } from './call.ts'

export type TransactionList = (typeof transactionList)['_output']

export interface TransactionWish {
  projectId: string
  mode: Mode
  state?: string
  q?: string
  from?: string
  to?: string
  page?: number
  limit: number
}

/** The older address of the same list answers where a service has not been updated yet. */
export async function listTransactions(
  wish: TransactionWish,
  signal?: AbortSignal,
): Promise<TransactionList> {
  const options = signal ? { signal } : {}
  try {
    return await call<TransactionList>('/sdk/transactions/list', wish, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem?.status !== 404) throw error
    return call<TransactionList>('/transactions/list', wish, options)
  }
}

function isSameList(before: unknown, { projectId, mode }: TransactionWish): boolean {
  const shown = before as TransactionWish | undefined
  return shown?.projectId === projectId && shown.mode === mode
}

/** What is shown stays until the reader asks: a list must not move under his finger. */
export function useTransactions(wish: TransactionWish, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['transactions', wish],
    queryFn: ({ signal }) => listTransactions(wish, signal),
    // Another page of the same list may stand in for a moment; what another project or mode has may not.
    placeholderData: (before, query) => (isSameList(query?.queryKey[1], wish) ? before : undefined),
    refetchOnWindowFocus: false,
  })
}

/** Soon enough for somebody who waits for a payment, and seldom enough for a page that is left open all day. */
const LOOK_FOR_NEW_MS = 10_000

/** What there is by now, asked for quietly while the page is in view. */
export function useWatchedTransactions(wish: TransactionWish) {
  return useQuery({
    queryKey: ['transactions-by-now', wish],
    queryFn: ({ signal }) => listTransactions(wish, signal),
    // Whoever closed the sign-in dialog is not asked again by a clock.
    refetchInterval: ({ state }) => (state.error instanceof GivenUp ? false : LOOK_FOR_NEW_MS),
  })
}

export function useTransaction(
  projectId: string,
  mode: Mode,
  id: string,
  known: TransactionView | undefined,
) {
  return useQuery({
    queryKey: ['transaction', projectId, id],
    queryFn: async ({ signal }) => {
      const { items } = await listTransactions({ projectId, mode, q: id, limit: 1 }, signal)
      return items[0] ?? null
    },
    ...(known ? { placeholderData: known } : {}),
  })
}
