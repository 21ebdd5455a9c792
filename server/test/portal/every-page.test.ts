import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { LOCALES } from '@pazar/words'
import { findAxeViolations } from '../browser/watched-page.ts'
import { countRounds } from '../counts.ts'
import { NARROWEST, screensFor } from '../screens.ts'
import { openPages, stretchTexts } from './pages.ts'
import type { NamedPage } from './pages/open-page.ts'
import { newUser } from './portal-browser.ts'
import { listUnavailable, startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()

async function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Returns the page of a state: `tokens` for `tokens-revoke`. The name of a page is returned unchanged. */
function toPage(name: string, pages: readonly NamedPage[]): string {
  return pages.find(([page]) => name.startsWith(`${page}-`))?.[0] ?? name
}

/** Returns the first `statesMax` states of each page, and one more state for every third page. */
function takeStates(pages: readonly NamedPage[], statesMax: number): NamedPage[] {
  const byPage = Object.groupBy(pages, ([name]) => toPage(name, pages))
  return Object.values(byPage).flatMap((states = [], n) => states.slice(0, statesMax + (n % 3 === 0 ? 1 : 0)))
}

async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 600 ? 700 : 900 })
}

for (const locale of LOCALES) {
  test(`${locale}: every page is accessible and fits the screen, and on a phone even longer texts fit`, async (t) => {
    const user = await newUser(browser, { baseUrl: service.baseUrl, locale })
    const { page } = user
    const problems: string[] = []
    const all = await openPages(user.context, locale, service)
    const taken = new Set(takeStates(all, countRounds('pageStates', t)))
    for (const [index, state] of all.entries()) {
      if (!taken.has(state)) continue
      const [name, open] = state
      const screens = screensFor(locale, index)
      for (const { width, theme } of screens) {
        const found: string[] = []
        user.faults.length = 0
        await setWidth(page, width)
        await page.emulateMedia({ colorScheme: theme })
        await open(page).catch((error: unknown) => {
          throw new Error(`${name} did not open\n${listUnavailable(service).join('\n')}`, { cause: error })
        })
        found.push(...(await findAxeViolations(page)), ...user.faults)
        if ((await measureOverflow(page)) > 0) found.push('wider than the screen')
        problems.push(...found.map((one) => `${name}, ${width} px, ${theme}: ${one}`))
        t.diagnostic(`${name}, ${width} px, ${theme}`)
      }
      if (screens.length === 0) continue
      await setWidth(page, NARROWEST)
      if ((await measureOverflow(page)) > 0) problems.push(`${name}: wider than a phone`)
      await stretchTexts(page)
      if ((await measureOverflow(page)) > 0) problems.push(`${name}: wider than a phone with longer texts`)
    }
    if (problems.length > 0) problems.push(...listUnavailable(service))
    assert.deepEqual(problems, [])
    await user.close()
  })
}
