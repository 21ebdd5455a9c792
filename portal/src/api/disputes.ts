import { useQuery } from '@tanstack/react-query'
import type { Mode, OpenDisputesView } from '@pazar/contract'
import { call } from './call.ts'

/** Fails at a replica of an earlier release without this route. */
export function useOpenDisputes(projectId: string, mode: Mode) {
  return useQuery({
    queryKey: ['open-disputes', projectId, mode],
    queryFn: ({ signal }) =>
      call<OpenDisputesView>(`/portal/api/projects/${projectId}/open-disputes?mode=${mode}`, undefined, {
        signal,
      }),
  })
}
