// The service's own pages, which a project may use until the merchant has a server.
import type { ProjectView } from '@pazar/contract'
import { pageData } from './page-data.ts'

const RESULT_PAGE = `${pageData.baseUrl}/pay/successful`

/** The URLs of a new project without a server. The service appends the project's id to the one of the inbox. */
export const OWN_PAGES = { resultUrl: RESULT_PAGE, apiUrl: `${pageData.baseUrl}/inbox` }

type Urls = Pick<ProjectView, 'id' | 'apiUrl' | 'resultUrl'>

/** Whether callbacks are stored in the inbox instead of sent. */
export function hasInbox({ id, apiUrl }: Pick<Urls, 'id' | 'apiUrl'>): boolean {
  return apiUrl === `${OWN_PAGES.apiUrl}/${id}`
}

/** Whether one of the project's URLs is still a page of the service, so that the merchant has to enter their own. */
export function hasOwnPages(project: Urls): boolean {
  return hasInbox(project) || project.resultUrl === RESULT_PAGE
}

/** Whether a typed URL is a page of the service. The form does not check such a URL; the service does. */
export function isOwnPage(text: string): boolean {
  return text === RESULT_PAGE || text.startsWith(`${OWN_PAGES.apiUrl}/`)
}
