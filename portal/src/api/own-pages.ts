// The service's own pages, which a project may use until the merchant has a server.
import type { ProjectView } from '@pazar/contract'
import { pageData } from './page-data.ts'

const RESULT_PAGE = `${pageData.baseUrl}/pay/successful`

/** What a new project is saved with; the service adds its id to the inbox. */
export const OWN_PAGES = { resultUrl: RESULT_PAGE, apiUrl: `${pageData.baseUrl}/inbox` }

type Urls = Pick<ProjectView, 'id' | 'apiUrl' | 'resultUrl'>

/** Whether callbacks are stored in the inbox instead of sent. */
export function hasInbox({ id, apiUrl }: Pick<Urls, 'id' | 'apiUrl'>): boolean {
  return apiUrl === `${OWN_PAGES.apiUrl}/${id}`
}

/** Whether the merchant still has to enter one of their own URLs. */
export function hasOwnPages(project: Urls): boolean {
  return hasInbox(project) || project.resultUrl === RESULT_PAGE
}

/** Such a URL is exempt from the rules that the form checks; the service decides. */
export function isOwnPage(text: string): boolean {
  return text === RESULT_PAGE || text.startsWith(`${OWN_PAGES.apiUrl}/`)
}
