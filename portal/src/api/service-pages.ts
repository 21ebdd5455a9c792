// Pages of the service that a project may use until the merchant has a server: the result page, and the inbox for callbacks.
import type { Mode, ProjectView } from '@pazar/contract'
import { pageData } from './page-data.ts'

const RESULT_PAGE = `${pageData.baseUrl}/pay/successful`

/** The URLs of a new project without a server. The service appends the project's id to the URL of the inbox. */
export const SERVICE_PAGES = { resultUrl: RESULT_PAGE, apiUrl: `${pageData.baseUrl}/inbox` }

type Urls = Pick<ProjectView, 'id' | 'apiUrl' | 'resultUrl'>

/** Whether callbacks are stored in the inbox instead of sent. */
export function hasInbox({ id, apiUrl }: Pick<Urls, 'id' | 'apiUrl'>): boolean {
  return apiUrl === `${SERVICE_PAGES.apiUrl}/${id}`
}

/** Whether the callbacks of this mode are stored in the inbox. Only test callbacks can have a URL of their own. */
export function isInboxTarget(
  project: Pick<ProjectView, 'id' | 'apiUrl' | 'testApiUrl'>,
  mode: Mode,
): boolean {
  return hasInbox(project) && (mode === 'live' || project.testApiUrl === null)
}

/**
 * Whether one of the project's URLs is still a page of the service, so that the merchant still has to enter a URL of
 * their server.
 */
export function hasServicePages(project: Urls): boolean {
  return hasInbox(project) || project.resultUrl === RESULT_PAGE
}

/** Whether a typed URL is a page of the service. The form does not check such a URL, because the service does. */
export function isServicePage(text: string): boolean {
  return text === RESULT_PAGE || text.startsWith(`${SERVICE_PAGES.apiUrl}/`)
}
