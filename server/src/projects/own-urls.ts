// The service's own pages, which a project may use as its URLs before the merchant has a server. The service sends no
// request to these pages, so the rules for URLs do not apply.
import type { Project } from './project.ts'

export function toInboxUrl(baseUrl: string, projectId: string): string {
  return `${baseUrl}/inbox/${projectId}`
}

/** Whether `apiUrl` is the inbox of the project. Callbacks to an inbox are stored instead of sent. */
export function hasInbox(baseUrl: string, { id, apiUrl }: Pick<Project, 'id' | 'apiUrl'>): boolean {
  return apiUrl === toInboxUrl(baseUrl, id)
}

export interface UrlContext {
  baseUrl: string
  projectId: string
  /** True if the project is being added. Then the caller cannot know the URL of its inbox. */
  isNew: boolean
}

/** Returns the URL to store. Null if the text is not a page of the service that this field allows. */
export function findOwnUrl(context: UrlContext, field: string, text: string): string | null {
  const { baseUrl, projectId, isNew } = context
  if (field === 'resultUrl') return text === `${baseUrl}/pay/successful` ? text : null
  const inbox = toInboxUrl(baseUrl, projectId)
  return field === 'apiUrl' && text === (isNew ? `${baseUrl}/inbox` : inbox) ? inbox : null
}

export function isOwnResultPage(baseUrl: string, resultUrl: string): boolean {
  return resultUrl.split(/[?#]/, 1)[0] === `${baseUrl}/pay/successful`
}

/** Whether the text is the URL of an inbox. Call this only after `findOwnUrl`, which finds the one inbox that is allowed. */
export function isOtherInbox({ baseUrl }: UrlContext, text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.origin === baseUrl && /^\/inbox(?:\/|$)/.test(url.pathname)
}
