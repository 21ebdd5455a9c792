// Pages of the service for a project without a server: the result page, and the inbox for callbacks.
import type { Mode, ProjectView } from '@pazar/contract'
import { pageData } from './page-data.ts'

const RESULT_PAGE = `${pageData.baseUrl}/pay/successful`

/** The service appends the project's id to the URL of the inbox. */
export const SERVICE_PAGES = { resultUrl: RESULT_PAGE, apiUrl: `${pageData.baseUrl}/inbox` }

type Urls = Pick<ProjectView, 'id' | 'apiUrl' | 'resultUrl'>

export function hasInbox({ id, apiUrl }: Pick<Urls, 'id' | 'apiUrl'>): boolean {
  return apiUrl === `${SERVICE_PAGES.apiUrl}/${id}`
}

/** Whether callbacks of this mode go to the inbox. Test callbacks can have a separate URL. */
export function isInboxTarget(
  project: Pick<ProjectView, 'id' | 'apiUrl' | 'testApiUrl'>,
  mode: Mode,
): boolean {
  return hasInbox(project) && (mode === 'live' || project.testApiUrl === null)
}

/** Whether the merchant still has to enter a URL of their server. */
export function hasServicePages(project: Urls): boolean {
  return hasInbox(project) || project.resultUrl === RESULT_PAGE
}

/**
 * Whether the URL is the result page or an inbox of the service. The project form does not check such a URL, and shows only
 * the errors that the service returns.
 */
export function isServicePage(text: string): boolean {
  return text === RESULT_PAGE || text.startsWith(`${SERVICE_PAGES.apiUrl}/`)
}
