import type { Browser } from 'playwright-core'
import { newUser } from './portal-browser.ts'
import type { PortalUser, UserOptions } from './portal-browser.ts'

export const PASSWORD = 'sedam plavih brodova kod obale'
let count = 0

export interface PortalMerchant {
  user: PortalUser
  email: string
  projectId: string
}

export interface MerchantProject {
  name: string
  resultUrl: string
  apiUrl: string
  events?: readonly string[]
}

const PROJECT: MerchantProject = {
  name: 'Knjižara',
  resultUrl: 'https://shop.example.com/r',
  apiUrl: 'https://shop.example.com/c',
}

export async function newMerchant(
  browser: Browser,
  options: Omit<UserOptions, 'locale'> & Partial<UserOptions>,
  project: Partial<MerchantProject> = {},
): Promise<PortalMerchant> {
  count += 1
  const email = `merchant-${count}@example.com`
  const user = await newUser(browser, { locale: 'en', ...options })
  const { request } = user.context
  await request.post('/portal/api/sign-up', { data: { email, password: PASSWORD } })
  const response = await request.post('/sdk/project/add', { data: { ...PROJECT, ...project } })
  const { id } = (await response.json()) as { id: string }
  return { user, email, projectId: id }
}
