import type { ProjectView } from '@pazar/contract'

export function isLiveTarget({ apiUrl, testApiUrl }: Pick<ProjectView, 'apiUrl' | 'testApiUrl'>): boolean {
  return testApiUrl === null || testApiUrl === apiUrl
}
