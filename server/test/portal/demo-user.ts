import assert from 'node:assert/strict'
import { newUser } from './portal-browser.ts'
import type { RecordedRequest, PortalUser, UserOptions } from './portal-browser.ts'
import type { Portal } from './portal-service.ts'

export async function signInToDemo(
  { service, browser }: Portal,
  options: Partial<UserOptions> = {},
  calls: RecordedRequest[] = [],
): Promise<PortalUser> {
  const user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en', ...options }, calls)
  const { email, password } = service
  await user.context.request.post('/portal/api/sign-in', { data: { email, password } })
  return user
}

export async function findProjectId(user: PortalUser, name: string): Promise<string> {
  const response = await user.context.request.post('/sdk/project/list', { data: {} })
  const { projects } = (await response.json()) as { projects: { id: string; name: string }[] }
  const found = projects.find((project) => project.name === name)
  assert.ok(found, name)
  return found.id
}
