import type { ProjectView } from '@pazar/contract'

/** Whether the exam would reach the shop that serves customers: it has no other URL, or the same one twice. */
export function isLiveTarget({ apiUrl, testApiUrl }: Pick<ProjectView, 'apiUrl' | 'testApiUrl'>): boolean {
  return testApiUrl === null || testApiUrl === apiUrl
}
