// Somebody with an account and one project, at a browser of his own.
import type { Browser } from 'playwright-core'
import { newPerson } from './portal-browser.ts'
import type { Person } from './portal-browser.ts'

export const PASSWORD = 'sedam plavih brodova kod obale'
let people = 0

export interface PortalMerchant {
  one: Person
  email: string
  projectId: string
}

export async function newMerchant(
  browser: Browser,
  baseUrl: string,
  apiUrl = 'https://shop.example.com/c',
): Promise<PortalMerchant> {
  people += 1
  const email = `merchant-${people}@example.com`
  const one = await newPerson(browser, { baseUrl, locale: 'en' })
  const { request } = one.context
  await request.post('/portal/api/sign-up', { data: { email, password: PASSWORD } })
  const project = { name: 'Knjižara', resultUrl: 'https://shop.example.com/r', apiUrl }
  const answer = await request.post('/sdk/project/add', { data: project })
  const { id } = (await answer.json()) as { id: string }
  return { one, email, projectId: id }
}
