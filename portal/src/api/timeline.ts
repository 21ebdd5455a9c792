import { useQuery } from '@tanstack/react-query'
import type { TransactionTimeline, TransactionView } from '@pazar/contract'
import { locale } from '../ui/language.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'

/** How often the drawer polls while a callback is on its way. */
const WAITING_POLL_MS = 5_000

/** Whether a callback is being sent, or will be within a few seconds. */
function isUnderWay(timeline: TransactionTimeline | null | undefined): boolean {
  return (timeline?.callbacks ?? []).some(
    ({ callback: { status, nextAt } }) =>
      status === 'sending' || (nextAt !== null && Date.parse(nextAt) < Date.now() + WAITING_POLL_MS),
  )
}

/** When the payer was sent to the bank, and the callbacks. Null if this replica still runs a release without the route. */
export function useTimeline({ projectId, id, state }: TransactionView) {
  return useQuery({
    // When the payment ends, a callback is created. The state is part of the key, so the timeline is then read again.
    queryKey: ['timeline', projectId, id, state, locale],
    queryFn: async ({ signal }): Promise<TransactionTimeline | null> => {
      const path = `/portal/api/projects/${projectId}/transactions/${id}/timeline`
      try {
        return await call<TransactionTimeline>(path, undefined, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.problem?.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state: query }) => (isUnderWay(query.data) && !query.error ? WAITING_POLL_MS : false),
  })
}
