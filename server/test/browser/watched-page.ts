// A browser page that records its errors, policy violations, dialogs and requests.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core'
import { closeContext } from '../browser.ts'

export interface WatchedPage {
  page: Page
  /** Script errors, console errors and dialogs since the last call of `forget`. */
  faults: string[]
  /** Every request since the last call of `forget`, documents included. */
  requests: string[]
  /** The HTTP status of the last document. */
  status(): number
  violations(): Promise<string[]>
  forget(): void
  /** Removes cookies, other pages, route handlers and records. A new browser context would be slower. */
  renew(): Promise<void>
  close(): Promise<void>
}

const TIMEOUT_MS = 30_000

/** Whether the text is about the status of the document, or about a header that the browser ignores over plain http. */
function isHarmless(text: string, isOfDocument: boolean): boolean {
  if (text.startsWith('The Cross-Origin-Opener-Policy header has been ignored')) return true
  return isOfDocument && text.startsWith('Failed to load resource: the server responded with a status of ')
}

export async function watchPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const faults: string[] = []
  const requests: string[] = []
  let shown: Response | null = null
  const forget = () => {
    faults.length = 0
    requests.length = 0
  }
  page.on('console', (message) => {
    const isOfDocument = message.location().url === page.url()
    if (message.type() === 'error' && !isHarmless(message.text(), isOfDocument))
      faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined) // The page may be closed by now.
  })
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) shown = response
  })
  await page.addInitScript(() => {
    const found: string[] = []
    Object.defineProperty(window, 'violationsFound', { value: found })
    document.addEventListener('securitypolicyviolation', (event) =>
      found.push(`${event.violatedDirective}: ${event.blockedURI}`),
    )
  })
  return {
    page,
    faults,
    requests,
    status: () => shown?.status() ?? 0,
    violations: () =>
      page.evaluate(
        () => (window as Window & { violationsFound?: string[] }).violationsFound ?? ['not watched'],
      ),
    forget,
    async renew() {
      for (const other of context.pages()) if (other !== page) await other.close()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.setOffline(false)
      await page.goto('about:blank')
      await context.clearCookies()
      forget()
    },
    close: () => closeContext(context),
  }
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

export async function findAxeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const result = await page.evaluate(async () => {
    const { axe } = window as Window & { axe?: { run(where: Document, options: object): Promise<AxeResult> } }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    return axe ? axe.run(document, { runOnly: tags, resultTypes: ['violations'] }) : null
  })
  if (!result) return ['axe did not run']
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((one) => `${one.html} ${one.failureSummary ?? ''}`).join(' | ')}`,
  )
}
