import type { ProjectView } from '@pazar/contract'

/** Whether the exam would call the live URL: the project has no test URL, or both URLs are the same. */
export function isLiveTarget({ apiUrl, testApiUrl }: Pick<ProjectView, 'apiUrl' | 'testApiUrl'>): boolean {
  return testApiUrl === null || testApiUrl === apiUrl
}
