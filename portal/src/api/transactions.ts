import { useQuery } from '@tanstack/react-query'
import type { Mode, transactionList } from '@pazar/contract'
import { ApiError, DismissedError } from './api-error.ts'
import { call } from './call.ts'

export type TransactionList = (typeof transactionList)['_output']

export interface TransactionFilter {
  projectId: string
  mode: Mode
  state?: string
  refunded?: boolean
  disputed?: boolean
  needsReview?: boolean
  q?: string
  customId?: string
  from?: string
  to?: string
  order?: 'oldest'
  page?: number
  limit: number
}

/** A service of an earlier release has the list only at the older URL `/transactions/list`. */
export async function listTransactions(
  filter: Partial<TransactionFilter>,
  signal?: AbortSignal,
): Promise<TransactionList> {
  const options = signal ? { signal } : {}
  try {
    return await call<TransactionList>('/sdk/transactions/list', filter, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem?.status !== 404) throw error
    return call<TransactionList>('/transactions/list', filter, options)
  }
}

function isSameList(previousFilter: unknown, { projectId, mode }: TransactionFilter): boolean {
  const shown = previousFilter as TransactionFilter | undefined
  return shown?.projectId === projectId && shown.mode === mode
}

/** The list is not reloaded when the window gets the focus: no row may move while somebody is about to press that row. */
export function useTransactions(filter: TransactionFilter, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['transactions', filter],
    queryFn: ({ signal }) => listTransactions(filter, signal),
    // While the rows load, the rows shown before stay if they belong to the same project and mode.
    placeholderData: (previous, query) => (isSameList(query?.queryKey[1], filter) ? previous : undefined),
    refetchOnWindowFocus: false,
  })
}

/**
 * Short enough that a merchant who waits for a payment sees the payment soon. Long enough that a page that is open all day
 * does not send too many requests.
 */
const NEW_ROWS_POLL_MS = 10_000

export function usePolledTransactions(filter: TransactionFilter) {
  return useQuery({
    queryKey: ['transactions-polled', filter],
    queryFn: ({ signal }) => listTransactions(filter, signal),
    // A timer must not reopen the sign-in dialog that the user closed.
    refetchInterval: ({ state }) => (state.error instanceof DismissedError ? false : NEW_ROWS_POLL_MS),
  })
}
