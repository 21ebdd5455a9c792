import type { ProjectView } from '@pazar/contract'

/** Whether the exam would call the live URL: the project has no test URL, or the same one. */
export function isLiveTarget({ apiUrl, testApiUrl }: Pick<ProjectView, 'apiUrl' | 'testApiUrl'>): boolean {
  return testApiUrl === null || testApiUrl === apiUrl
}
