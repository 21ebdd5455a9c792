// Every page and open dialog of the portal, with data that is hard to place. Used by the tests of all pages and by the
// screenshots, so that no page escapes either.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import {
  HARD_REPORT,
  HARD_REQUEST,
  LONG_NAME,
  LONG_URL,
  toOddDeliveries,
  toReviewedPayments,
} from './hard-data.ts'
import { intercept } from './portal-browser.ts'

export type Opener = (page: Page) => Promise<void>

interface Account {
  email: string
  password: string
}

interface ProjectFacts {
  id: string
  name: string
}

async function post<T>(context: BrowserContext, path: string, body: unknown): Promise<T> {
  const answer = await context.request.post(path, { data: body })
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`)
  return answer.status() === 204 ? ({} as T) : ((await answer.json()) as T)
}

/** The demo's shop has a history; beside it one project with hard values and one with nothing. */
async function prepare(context: BrowserContext, { email, password }: Account) {
  await prepareTokens(context, { email, password })
  await post(context, '/portal/api/sign-in', { email, password })
  const list = async () =>
    (await post<{ projects: ProjectFacts[] }>(context, '/sdk/project/list', {})).projects
  if (!(await list()).some(({ name }) => name === LONG_NAME)) {
    const urls = { resultUrl: LONG_URL, apiUrl: LONG_URL }
    await post(context, '/sdk/project/add', { name: LONG_NAME, ...urls, requireSignedLinks: true })
  }
  const projects = await list()
  const idOf = (name: string) => projects.find((one) => one.name === name)?.id ?? ''
  return { shop: idOf('Demo prodavnica'), hard: idOf(LONG_NAME), empty: idOf('Moj prvi projekat') }
}

/** In a session of its own, whose step-up must not spare the pages their dialogs. */
async function prepareTokens(context: BrowserContext, { email, password }: Account): Promise<void> {
  await post(context, '/portal/api/sign-in', { email, password })
  const answer = await context.request.get('/portal/api/tokens')
  const { tokens } = (await answer.json()) as { tokens: object[] }
  if (tokens.length > 0) return
  await post(context, '/portal/api/step-up', { password })
  const wish = { scope: 'write', expiresInDays: 365 }
  await post(context, '/portal/api/tokens', { ...wish, name: LONG_NAME })
  await post(context, '/portal/api/tokens', { ...wish, name: 'W'.repeat(80), scope: 'read' })
  await post(context, '/portal/api/sign-out', {})
}

/** Name and way to each; the context is signed in afterwards. */
export async function openPages(
  context: BrowserContext,
  locale: 'cnr' | 'en',
  account: Account,
): Promise<[string, Opener][]> {
  const { shop, hard, empty } = await prepare(context, account)
  const at = (path: string, ready = 'h1'): Opener => {
    return async (page) => {
      await page.goto(`/${locale}${path}`)
      // What a page shows while its code is on the way may hold the same kind of element, but no heading.
      await page.waitForSelector('h1')
      await page.waitForSelector(ready)
    }
  }
  const then = (first: Opener, act: (page: Page) => Promise<void>): Opener => {
    return async (page) => {
      await first(page)
      await act(page)
    }
  }
  const project = (id: string, page: string) => `/projects/${id}${page}`
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const openRow = async (page: Page, index: number) => {
    await page.locator('tbody tr a').nth(index).click()
    await page.waitForSelector('dialog[open] dl')
  }
  const firstRow = (page: Page) => openRow(page, 0)
  const oddDelivery = (index: number): Opener => {
    return async (page) => {
      const list = toOddDeliveries(hard)
      const { lastAttempt, ...callback } = list.items[index]!
      const path = `/portal/api/projects/${hard}/deliveries`
      await instead(page, `GET ${path}?*`, 200, list)
      await instead(page, `GET ${path}/${callback.id}`, 200, { callback, body: {}, attempts: [lastAttempt] })
      await at(project(hard, '/deliveries?mode=test'), 'tbody tr')(page)
      await openRow(page, index)
      await page.waitForSelector('dialog[open] ol li')
      await page.unrouteAll({ behavior: 'wait' })
    }
  }
  const reviewed = (index: number | null): Opener => {
    return async (page) => {
      const list = toReviewedPayments(hard)
      await instead(page, 'POST /sdk/transactions/list', 200, list)
      await at(project(hard, '/transactions'), 'tbody tr')(page)
      if (index !== null) {
        // The drawer asks for its own payment.
        await instead(page, 'POST /sdk/transactions/list', 200, { ...list, items: [list.items[index]] })
        await openRow(page, index)
      }
      await page.unrouteAll({ behavior: 'wait' })
    }
  }
  return [
    ['sign-in', at('/sign-in')],
    ['sign-up', at('/sign-up')],
    ['forgot', at('/forgot')],
    ['reset', at('/reset#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq')],
    ['reset-broken', at('/reset')],
    ['confirm-email', at('/confirm-email#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq', '[role=alert]')],
    ['not-found', at('/no-such-page')],
    ['no-project', at('/projects/abcdefghijklmnopqrstuvwx/keys', 'main a')],
    ['projects', at('/projects', 'ul code')],
    ['new-project', at('/projects/new')],
    [
      'new-project-wrong',
      then(at('/projects/new'), async (page) => {
        await page.fill('input[name=name]', LONG_NAME)
        await page.fill('input[name=resultUrl]', 'localhost:3000/thanks')
        await page.fill('input[name=apiUrl]', 'http://localhost:3000/callback')
        await page.locator('input[name=apiUrl]').blur()
        await page.waitForSelector('input[name=resultUrl][aria-invalid]')
        await page.waitForSelector('input[name=apiUrl][aria-invalid]')
      }),
    ],
    ['overview', at(project(shop, ''), 'figure svg a')],
    [
      'overview-90-days',
      then(at(project(shop, '?days=90'), 'figure svg a'), (page) =>
        page.locator('figure svg a').last().focus(),
      ),
    ],
    [
      'overview-table',
      then(at(project(shop, ''), 'figure svg a'), (page) => page.locator('section details summary').click()),
    ],
    ['overview-hours', at(project(shop, `?from=${yesterday}&to=${yesterday}`), 'figure')],
    ['overview-test', at(project(shop, '?mode=test'), 'h2')],
    ['overview-hard', at(project(hard, '?mode=test'), 'h2')],
    ['overview-empty', at(project(empty, ''), 'h2')],
    [
      'menu',
      then(at(project(hard, '/keys?mode=test'), 'main code'), async (page) => {
        // Where there is room for the rail there is no such button.
        const button = page.locator('header button:has(svg.lucide-menu)')
        if (!(await button.isVisible())) return
        await button.click()
        await page.waitForSelector('dialog[open] nav a')
      }),
    ],
    ['transactions', at(project(shop, '/transactions'), 'tbody tr')],
    ['transactions-drawer', then(at(project(shop, '/transactions'), 'tbody tr'), firstRow)],
    ['transactions-review', reviewed(null)],
    ['transactions-in-review', reviewed(0)],
    ['transactions-paid-in-review', reviewed(2)],
    ['transactions-resolved-paid', reviewed(3)],
    ['transactions-resolved-unpaid', reviewed(4)],
    ['transactions-empty', at(project(empty, '/transactions?mode=test'), 'main a[href*="/link"]')],
    ['transactions-none', at(project(shop, '/transactions?q=nothing-like-this'), 'main [role=status]')],
    ['deliveries', at(project(shop, '/deliveries'), 'tbody tr')],
    ['deliveries-drawer', then(at(project(shop, '/deliveries'), 'tbody tr'), firstRow)],
    [
      'deliveries-verify',
      then(then(at(project(shop, '/deliveries'), 'tbody tr'), firstRow), async (page) => {
        await page.locator('dialog[open] details summary').click()
        await page.waitForSelector('dialog[open] details pre')
      }),
    ],
    ['deliveries-filtered', at(project(shop, '/deliveries?outcome=http_error'), 'tbody tr')],
    ['deliveries-open', oddDelivery(0)],
    ['deliveries-retrying', oddDelivery(1)],
    ['deliveries-cancelled', oddDelivery(2)],
    ['deliveries-empty', at(project(empty, '/deliveries?mode=test'))],
    [
      'link',
      then(at(project(shop, '/link'), 'img[alt]'), async (page) => {
        await page.locator('input[inputmode=decimal]').fill('9999999999,99')
        await page.waitForSelector('text=amount=999999999999')
      }),
    ],
    [
      'link-print',
      then(at(project(hard, '/link'), 'img[alt]'), async (page) => {
        await page.locator('input[inputmode=decimal]').fill('9999999999,99')
        await page.waitForSelector('text=amount=999999999999')
        await page.locator('main div:not([inert]) > div > div > button:has(svg.lucide-printer)').click()
        await page.waitForSelector('dialog[open] img')
      }),
    ],
    [
      'command-menu',
      then(at(project(shop, ''), 'figure svg a'), async (page) => {
        await page.keyboard.press('Control+k')
        await page.locator('dialog[open] input').fill('order-')
        await page.waitForSelector('dialog[open] li a[href*="row="]')
      }),
    ],
    ['link-test', at(project(hard, '/link?mode=test'), 'img[alt]')],
    ['status', at(project(shop, '/status'), 'main pre')],
    ['status-unknown', at(project(shop, '/status?q=nothing-like-this'), 'main [role=status] svg')],
    ['exam', at(project(hard, '/exam'), 'main code')],
    ['exam-ask', then(at(project(hard, '/exam'), 'main code'), askForExam)],
    [
      'exam-passed',
      then(at(project(shop, '/exam?mode=test'), 'main code'), async (page) => {
        await askForExam(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main ul p + p')
      }),
    ],
    [
      'exam-failed',
      then(at(project(hard, '/exam'), 'main code'), async (page) => {
        await instead(page, `POST /portal/api/projects/${hard}/exam`, 200, HARD_REPORT)
        await askForExam(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main pre')
        await page.unrouteAll({ behavior: 'wait' })
      }),
    ],
    [
      'exam-refused',
      then(at(project(hard, '/exam'), 'main code'), async (page) => {
        const refusal = { code: 'rate_limited', status: 429 }
        await instead(page, `POST /portal/api/projects/${hard}/exam`, 429, refusal)
        await askForExam(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main [role=alert]')
        await page.unrouteAll({ behavior: 'wait' })
      }),
    ],
    ['debug', at(project(hard, '/debug?mode=test'), 'form')],
    [
      'debug-wrong',
      then(at(project(hard, '/debug'), 'form'), async (page) => {
        await page.locator('textarea').first().fill(HARD_REQUEST)
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('main [role=alert] li')
      }),
    ],
    [
      'debug-nothing',
      then(at(project(hard, '/debug'), 'form'), async (page) => {
        await page.locator('textarea').first().fill('no request at all')
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('main [role=alert] li')
      }),
    ],
    ['keys', at(project(hard, '/keys'), 'main code')],
    [
      'keys-rotate',
      then(at(project(hard, '/keys'), 'main code'), async (page) => {
        await page.locator('main section button').nth(2).click()
        await page.waitForSelector('dialog[open]')
      }),
    ],
    [
      'keys-step-up',
      then(at(project(hard, '/keys'), 'main code'), async (page) => {
        await page.locator('main section button').nth(0).click()
        await page.waitForSelector('dialog[open] input[type=password]')
      }),
    ],
    ['settings', at(project(hard, '/settings'), 'form')],
    [
      'settings-changed',
      then(at(project(hard, '/settings'), 'form'), async (page) => {
        await page.fill('input[name=name]', 'Nova knjižara')
        await page.fill('input[name=apiUrl]', 'https://10.0.0.1/callback')
        await page.locator('input[name=apiUrl]').blur()
        await page.waitForSelector('input[name=apiUrl][aria-invalid]')
      }),
    ],
    [
      'settings-archive',
      then(at(project(hard, '/settings'), 'form'), async (page) => {
        await page.locator('main section').nth(1).locator('button').click()
        await page.waitForSelector('dialog[open]')
      }),
    ],
    ['account', at('/account')],
    ['sessions', at('/account/sessions', 'main li')],
    ['tokens', at('/account/tokens', 'tbody tr')],
    ['tokens-new', then(at('/account/tokens', 'tbody tr'), openNewToken)],
    [
      'tokens-fresh',
      then(at('/account/tokens', 'tbody tr'), async (page) => {
        await instead(page, 'POST /portal/api/tokens', 201, { token: `pat_${'W'.repeat(43)}` })
        await openNewToken(page)
        await page.fill('dialog[open] input', 'Kasa 1')
        await page.keyboard.press('Enter')
        await page.waitForSelector('dialog[open] output')
        await page.unrouteAll({ behavior: 'wait' })
      }),
    ],
    [
      'tokens-revoke',
      then(at('/account/tokens', 'tbody tr'), async (page) => {
        await page.locator('tbody tr button').first().click()
        await page.waitForSelector('dialog[open]')
      }),
    ],
    [
      'tokens-empty',
      async (page) => {
        await instead(page, 'GET /portal/api/tokens', 200, { tokens: [] })
        await at('/account/tokens', 'main p + div button')(page)
        await page.unrouteAll({ behavior: 'wait' })
      },
    ],
    [
      'tokens-failed',
      async (page) => {
        await instead(page, 'GET /portal/api/tokens', 429, { code: 'rate_limited', status: 429 })
        await at('/account/tokens', 'main [role=alert]')(page)
        await page.unrouteAll({ behavior: 'wait' })
      },
    ],
    ['audit', at('/account/audit', 'tbody tr')],
  ]
}

async function askForExam(page: Page): Promise<void> {
  await page.locator('main section button').click()
  await page.waitForSelector('dialog[open] code')
}

async function openNewToken(page: Page): Promise<void> {
  await page.locator('main h1 + div button').click()
  await page.waitForSelector('dialog[open] select')
}

/** What the page is told instead of the service's own answer. */
async function instead(page: Page, call: string, status: number, json: object): Promise<void> {
  const [method, path] = call.split(' ')
  const contentType = status < 400 ? 'application/json' : 'application/problem+json'
  await intercept(page, `**${path}`, (route) =>
    route.request().method() === method
      ? route.fulfill({ status, contentType, body: JSON.stringify(json) })
      : route.fallback(),
  )
}

/** A language that takes a third more room: every text on the page, lengthened. */
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
