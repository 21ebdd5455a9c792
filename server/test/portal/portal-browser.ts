// Simulates a user of the portal who has only a mouse or only a keyboard. Counts presses, and records every request and
// the errors of the page.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page, Route } from 'playwright-core'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { closeContext } from '../browser.ts'
import { until } from '../until.ts'

/** No step takes this long, even on a busy machine. */
const WAIT_MS = 30_000
/** No page has this many tab stops. */
const TAB_STOPS_MAX = 150

export type Input = 'mouse' | 'keyboard'

export interface RecordedRequest {
  method: string
  path: string
  body: Record<string, unknown>
}

export interface UserOptions {
  baseUrl: string
  locale: Locale
  input?: Input
  width?: number
  theme?: 'light' | 'dark'
}

export class PortalUser {
  readonly context: BrowserContext
  readonly page: Page
  readonly locale: Locale
  readonly input: Input
  readonly calls: RecordedRequest[]
  readonly faults: string[] = []
  #presses = 0

  constructor(context: BrowserContext, page: Page, options: UserOptions, calls: RecordedRequest[]) {
    this.context = context
    this.page = page
    this.locale = options.locale
    this.input = options.input ?? 'mouse'
    this.calls = calls
  }

  get words() {
    return catalogue(this.locale).portal
  }

  fieldText(code: 'url_malformed' | 'url_own_machine'): string {
    return catalogue(this.locale).fields[code]
  }

  errorTitle(code: 'unauthenticated'): string {
    return catalogue(this.locale).errors[code].title
  }

  button(name: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true })
  }

  link(name: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('link', { name, exact: true })
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`/${this.locale}${path}`)
    await this.page.waitForSelector('h1')
  }

  async press(target: Locator): Promise<void> {
    await target.waitFor()
    if (this.input === 'mouse') return target.click()
    await this.tabTo(target)
    await this.page.keyboard.press('Enter')
  }

  async type(label: string, text: string, within: Page | Locator = this.page): Promise<void> {
    const field = within.getByLabel(label, { exact: true })
    await field.waitFor()
    if (this.input === 'mouse') return field.fill(text)
    await this.tabTo(field)
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
  }

  async tabTo(target: Locator): Promise<void> {
    // Finding the element is slower than pressing a key. So this function finds the element once, and again only if the
    // page replaces the element.
    let element = await target.elementHandle()
    const isFocused = async (): Promise<boolean> => {
      const found = await element?.evaluate((one) =>
        one.isConnected ? one === document.activeElement : null,
      )
      if (typeof found === 'boolean') return found
      element = await target.elementHandle()
      return isFocused()
    }
    for (let stops = 0; !(await isFocused()); stops += 1) {
      assert.ok(stops < TAB_STOPS_MAX, `${String(target)} cannot be reached with Tab`)
      await this.page.keyboard.press('Tab')
    }
  }

  async countPresses(act: () => Promise<void>): Promise<number> {
    const before = await this.#readPresses()
    await act()
    return (await this.#readPresses()) - before
  }

  /** The page reports presses asynchronously. After a round trip to the page, all of them have arrived. */
  async #readPresses(): Promise<number> {
    await this.page.evaluate(() => undefined)
    return this.#presses
  }

  addPress(): void {
    this.#presses += 1
  }

  /** Works only on a screen that is wide enough for the menu at the side. */
  async openAccountMenu(): Promise<void> {
    await this.press(this.page.getByRole('button', { name: this.words.frame.accountMenu }))
  }

  async confirmPassword(password: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: this.words.frame.stepUp.title })
    await this.type(this.words.entry.password, password, dialog)
    await this.press(this.button(this.words.frame.stepUp.submit, dialog))
    await dialog.waitFor({ state: 'detached' })
  }

  async close(): Promise<void> {
    await closeContext(this.context)
  }
}

/**
 * Intercepts requests. For a while, requests of an open page may not be intercepted yet. So the page requests /healthz until
 * that request is intercepted.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<void> {
  await page.route(url, async (route) => {
    try {
      await handle(route)
    } catch (error) {
      if (!page.isClosed()) throw error // Nobody waits for the response of a closed page.
    }
  })
  if (page.url() === 'about:blank') return
  const probe = '**/healthz'
  await page.route(probe, (route) => route.fulfill({ body: 'from here' }))
  await until(
    () => page.evaluate(async () => (await (await fetch('/healthz')).text()) === 'from here'),
    'the requests of the page are intercepted',
  )
  await page.unroute(probe)
}

/** Delays the response to the first request to this URL until the returned function is called. */
export async function delayFirst(user: PortalUser, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isFirst = true
  await intercept(user.page, url, async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const response = await route.fetch()
    await promise
    return route.fulfill({ response })
  })
  return resolve
}

function toCall(method: string, url: string, text: string | null): RecordedRequest {
  const body: unknown = text?.startsWith('{') ? JSON.parse(text) : {}
  return { method, path: new URL(url).pathname, body: body as Record<string, unknown> }
}

/** The browser logs every 4xx response as an error. Such responses are expected from the API, and for /no-such-page. */
function isExpected4xx(message: ConsoleMessage): boolean {
  if (message.location().url.endsWith('/no-such-page')) return true
  const isCall = /\/(?:portal\/api|sdk)\//.test(message.location().url)
  return isCall && /status of 4\d\d/.test(message.text())
}

export async function newUser(
  browser: Browser,
  options: UserOptions,
  calls: RecordedRequest[] = [],
): Promise<PortalUser> {
  const width = options.width ?? 1280
  const context = await browser.newContext({
    baseURL: options.baseUrl,
    locale: options.locale === 'cnr' ? 'sr-Latn-ME' : 'en-GB',
    colorScheme: options.theme ?? 'light',
    viewport: { width, height: width < 600 ? 700 : 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const user = new PortalUser(context, page, options, calls)
  context.on('request', (request) => {
    calls.push(toCall(request.method(), request.url(), request.postData()))
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected4xx(message))
      user.faults.push(`${message.text()} (${message.location().url})`)
  })
  page.on('download', (download) => calls.push(toCall('GET', download.url(), null)))
  page.on('pageerror', (error) => user.faults.push(error.message))
  // One press is one click event, by pointer or by Enter.
  await context.exposeBinding('addPress', () => user.addPress())
  await context.addInitScript(() => {
    const count = (window as { addPress?: () => void }).addPress
    document.addEventListener('click', (event) => event.isTrusted && count?.(), true)
  })
  return user
}
