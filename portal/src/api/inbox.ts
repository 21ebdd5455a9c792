import { useQuery } from '@tanstack/react-query'
import type { inboxList } from '@pazar/contract'
import { DismissedError } from './api-error.ts'
import { call } from './call.ts'

export type InboxRequest = (typeof inboxList)['_output']['items'][number]

/** The interval is short, because somebody may be waiting for their first callback. */
const POLL_MS = 4_000

export function useInbox(projectId: string, limit: number) {
  return useQuery({
    queryKey: ['inbox', projectId, limit],
    queryFn: async ({ signal }) => {
      const path = `/portal/api/projects/${projectId}/inbox?limit=${limit}`
      return (await call<{ items: InboxRequest[] }>(path, undefined, { signal })).items
    },
    // A timer must not reopen the sign-in dialog that the user closed.
    refetchInterval: ({ state }) => (state.error instanceof DismissedError ? false : POLL_MS),
    // While a longer list of the same project loads, the shorter one stays.
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? previous : undefined),
  })
}
