import { useQuery } from '@tanstack/react-query'
import type { Mode, StatementView } from '@pazar/contract'
import { locale } from '../ui/language.ts'
import { call } from './call.ts'

const toBasePath = (projectId: string) => `/portal/api/projects/${projectId}/statement`

export function toStatementCsvUrl(projectId: string, month: string, mode: Mode): string {
  return `${toBasePath(projectId)}?${new URLSearchParams({ month, mode, format: 'csv', lang: locale }).toString()}`
}

export function useStatement(projectId: string, month: string, mode: Mode) {
  return useQuery({
    queryKey: ['statement', projectId, mode, month],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ month, mode }).toString()
      return call<StatementView>(`${toBasePath(projectId)}?${query}`, undefined, { signal })
    },
  })
}
