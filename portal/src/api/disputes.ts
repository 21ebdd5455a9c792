import { useQuery } from '@tanstack/react-query'
import type { Mode, OpenDisputesView } from '@pazar/contract'
import { call } from './call.ts'

/** Fails if a replica of an earlier release gets the request, because that release does not have this route. */
export function useOpenDisputes(projectId: string, mode: Mode) {
  return useQuery({
    queryKey: ['open-disputes', projectId, mode],
    queryFn: ({ signal }) =>
      call<OpenDisputesView>(`/portal/api/projects/${projectId}/open-disputes?mode=${mode}`, undefined, {
        signal,
      }),
  })
}
