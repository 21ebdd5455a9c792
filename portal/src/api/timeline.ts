import { useQuery } from '@tanstack/react-query'
import type { TransactionDetails, TransactionTimeline } from '@pazar/contract'
import { locale } from '../ui/language.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'

const WAITING_POLL_MS = 5_000

function isUnderWay(timeline: TransactionTimeline | null | undefined): boolean {
  return (timeline?.callbacks ?? []).some(
    ({ callback: { status, nextAt } }) =>
      status === 'sending' || (nextAt !== null && Date.parse(nextAt) < Date.now() + WAITING_POLL_MS),
  )
}

/** The data is null after a 404. For example, the replica that responded may run an older release without this route. */
export function useTimeline({ transaction: { projectId, id, state }, refunds }: TransactionDetails) {
  return useQuery({
    // The end of the payment or of a refund creates a callback, so the timeline is read again for each state.
    queryKey: ['timeline', projectId, id, state, refunds.map((refund) => refund.state), locale],
    queryFn: async ({ signal }): Promise<TransactionTimeline | null> => {
      const path = `/portal/api/projects/${projectId}/transactions/${id}/timeline`
      try {
        return await call<TransactionTimeline>(path, undefined, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.problem?.status === 404) return null
        throw error
      }
    },
    // The callbacks stay on the page while the timeline is read again.
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: query }) => (isUnderWay(query.data) && !query.error ? WAITING_POLL_MS : false),
  })
}
