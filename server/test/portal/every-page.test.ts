// Every page and open dialog: no accessibility violation, no console error, nothing wider than the screen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { LOCALES } from '@pazar/words'
import { findAxeViolations } from '../browser/watched-page.ts'
import { screensFor } from '../screens.ts'
import { openPages, stretchTexts } from './pages.ts'
import { newUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

for (const locale of LOCALES) {
  for (const { width, theme } of screensFor(locale)) {
    test(`${locale}, ${width} px, ${theme}: every page is accessible and fits the screen`, async (t) => {
      const user = await newUser(browser, { baseUrl: service.baseUrl, locale, width, theme })
      const wrong: string[] = []
      for (const [name, open] of await openPages(user.context, locale, service)) {
        user.faults.length = 0
        await open(user.page)
        for (const violation of await findAxeViolations(user.page)) wrong.push(`${name}: ${violation}`)
        for (const fault of user.faults) wrong.push(`${name}: ${fault}`)
        if ((await overflow(user.page)) > 0) wrong.push(`${name}: wider than the screen`)
        if (width === 320 && locale === 'cnr') {
          await stretchTexts(user.page)
          if ((await overflow(user.page)) > 0) wrong.push(`${name}: wider than the screen with longer texts`)
        }
        t.diagnostic(name)
      }
      assert.deepEqual(wrong, [])
      await user.close()
    })
  }
}
