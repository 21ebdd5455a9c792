import { useQuery } from '@tanstack/react-query'
import type { Mode, StatementView } from '@pazar/contract'
import { locale } from '../ui/language.ts'
import { call } from './call.ts'

const toBasePath = (projectId: string) => `/portal/api/projects/${projectId}/statement`

export interface StatementChoice {
  month: string
  mode: Mode
  /** If absent, the service chooses one. */
  currency?: string | undefined
}

const toQuery = ({ month, mode, currency }: StatementChoice) => ({
  month,
  mode,
  ...(currency && { currency }),
})

export function toStatementCsvUrl(projectId: string, choice: StatementChoice): string {
  const query = { ...toQuery(choice), format: 'csv', lang: locale }
  return `${toBasePath(projectId)}?${new URLSearchParams(query).toString()}`
}

export function useStatement(projectId: string, choice: StatementChoice) {
  const key = ['statement', projectId, choice.mode, choice.month]
  return useQuery({
    queryKey: [...key, choice.currency],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(toQuery(choice)).toString()
      return call<StatementView>(`${toBasePath(projectId)}?${query}`, undefined, { signal })
    },
    // While another currency of the same month loads, the previous statement and its currencies stay on the page.
    placeholderData: (previous, query) =>
      key.every((part, index) => query?.queryKey[index] === part) ? previous : undefined,
  })
}

/** Includes the shown currency, which may have no entries. A replica of the previous release sends no `currencies`. */
export function listCurrencies({
  currency,
  currencies = [],
}: Pick<StatementView, 'currency'> & Partial<StatementView>): string[] {
  return [...new Set([...currencies, currency])].toSorted()
}
