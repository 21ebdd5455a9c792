// Lists pages and open dialogs of the portal, with data that is hard to display. every-page.test.ts and the script for
// screenshots use this list.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { LONG_NAME, LONG_URL } from './hard-data.ts'
import { toEntryPages } from './pages/entry-pages.ts'
import { toListPages } from './pages/list-pages.ts'
import { openAt } from './pages/open-page.ts'
import type { NamedPage, Opener } from './pages/open-page.ts'
import { toProjectPages } from './pages/project-pages.ts'
import { toSettingsPages } from './pages/settings-pages.ts'
import { toToolPages } from './pages/tool-pages.ts'
import { until } from '../until.ts'

interface Account {
  email: string
  password: string
}

interface ListedProject {
  id: string
  name: string
}

async function post<T>(context: BrowserContext, path: string, body: unknown): Promise<T> {
  // On a busy machine, the service may respond with 503 for a moment.
  const response = await until(async () => {
    const tried = await context.request.post(path, { data: body })
    return tried.status() === 503 ? null : tried
  }, `${path} does not respond with 503`)
  assert.ok(response.ok(), `${path}: ${response.status()} ${await response.text()}`)
  return response.status() === 204 ? ({} as T) : ((await response.json()) as T)
}

/**
 * Signs in, and adds tokens and a project that are hard to display. The demo data already has the projects `Tezga` and
 * `Moj prvi projekat`.
 */
async function prepare(context: BrowserContext, { email, password }: Account) {
  await prepareTokens(context, { email, password })
  await post(context, '/portal/api/sign-in', { email, password })
  const list = async () =>
    (await post<{ projects: ListedProject[] }>(context, '/sdk/project/list', {})).projects
  if (!(await list()).some(({ name }) => name === LONG_NAME)) {
    const urls = { resultUrl: LONG_URL, apiUrl: LONG_URL }
    await post(context, '/sdk/project/add', { name: LONG_NAME, ...urls, requireSignedLinks: true })
  }
  const projects = await list()
  const idOf = (name: string) => projects.find((one) => one.name === name)?.id ?? ''
  return {
    demoProjectId: idOf('Tezga'),
    hardProjectId: idOf(LONG_NAME),
    emptyProjectId: idOf('Moj prvi projekat'),
  }
}

/** Uses a separate session. After a step-up in the same session, the pages would show no password dialogs. */
async function prepareTokens(context: BrowserContext, { email, password }: Account): Promise<void> {
  await post(context, '/portal/api/sign-in', { email, password })
  const response = await context.request.get('/portal/api/tokens')
  const { tokens } = (await response.json()) as { tokens: object[] }
  if (tokens.length > 0) return
  await post(context, '/portal/api/step-up', { password })
  const token = { scope: 'write', expiresInDays: 365 }
  await post(context, '/portal/api/tokens', { ...token, name: LONG_NAME })
  await post(context, '/portal/api/tokens', { ...token, name: 'W'.repeat(80), scope: 'read' })
  await post(context, '/portal/api/sign-out', {})
}

export async function openPages(
  context: BrowserContext,
  locale: 'cnr' | 'en',
  account: Account,
): Promise<NamedPage[]> {
  const projects = await prepare(context, account)
  const pages = { openPath: openAt(locale), ...projects }
  const named = [
    ...toEntryPages(pages),
    ...toProjectPages(pages),
    ...toListPages(pages),
    ...toToolPages(pages),
    ...toSettingsPages(pages),
  ]
  return named.map(([name, open]) => [name, withoutReplacedResponses(open)])
}

/**
 * Some pages replace responses of the service (`respondWith`). The replacements are removed only when the next page opens,
 * because a page polls as long as it is open.
 */
function withoutReplacedResponses(open: Opener): Opener {
  return async (page) => {
    await page.unrouteAll({ behavior: 'wait' })
    await open(page)
  }
}

/** Makes the texts on the page about a third longer, like a language that needs more space. */
export async function stretchTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? ''
      if (/\p{L}{3,}/u.test(text) && text.length < 200) {
        node.nodeValue = `${text} ${'ščćžđi '.repeat(20).slice(0, Math.ceil(text.length * 0.35))}`
      }
    }
  })
}
