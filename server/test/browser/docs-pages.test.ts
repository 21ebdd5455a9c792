import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { catalogue, LOCALE_LABEL, LOCALES } from '@pazar/words'
import { SLUGS } from '../../src/docs/pages.ts'
import { shareBrowser } from '../browser.ts'
import { signUp } from '../client.ts'
import { pickCases } from '../counts.ts'
import { startTestService } from '../harness.ts'
import { NARROWEST, screensFor } from '../screens.ts'
import { freePort } from '../service-process.ts'
import { findAxeViolations, watchPage } from './watched-page.ts'

const port = await freePort()
const baseURL = `http://localhost:${port}`
const service = await startTestService({ BASE_URL: baseURL })
const browser = await shareBrowser()

before(() => service.app.listen({ port, host: 'localhost' }))

const DOCS = ['', ...SLUGS, 'search?q=potpis', 'search?q=webhook', 'no-such-page']
const PATHS = ['', ...DOCS.map((path) => `/docs/${path}`.replace(/\/$/, ''))]

/**
 * Axe takes most of the time. So `npm test` runs axe only from this path to the last one (search, an unknown page) and on
 * the first pages.
 */
const DOCS_AXE_FROM = PATHS.length - 3

async function measureOverflow(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 })
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Counts code blocks that are wider than their box, do not wrap, or may break inside a word. */
function countBrokenCode(page: Page): Promise<number> {
  return page.locator('.page pre').evaluateAll((all) => {
    const keepsWords = (one: Element) => {
      const { whiteSpace, wordBreak } = getComputedStyle(one.firstElementChild!)
      return whiteSpace === 'pre-wrap' && wordBreak === 'normal'
    }
    return all.filter((one) => one.scrollWidth > one.clientWidth + 1 || !keepsWords(one)).length
  })
}

/** Counts code blocks of the home page that are wider than their box. */
function countCutLines(page: Page): Promise<number> {
  return page
    .locator('pre:not(.page pre)')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length)
}

function countHiddenFields(page: Page): Promise<number> {
  return page
    .locator('.reference .scroll')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
}

for (const locale of LOCALES) {
  test(`${locale}: pages are accessible and fit a phone and a wider screen`, async (t) => {
    const watched = await watchPage(browser, { baseURL })
    const { page } = watched
    const problems: string[] = []
    const pathsWithAxe = pickCases('docsAxe', PATHS, { startAt: DOCS_AXE_FROM, report: t })
    for (const [index, path] of PATHS.entries()) {
      for (const { width, theme } of screensFor(locale, index)) {
        watched.forget()
        await page.emulateMedia({ colorScheme: theme })
        await page.goto(`/${locale}${path}`)
        const found = [
          ...((await measureOverflow(page, NARROWEST)) > 0 ? ['wider than a phone'] : []),
          ...((await countBrokenCode(page)) > 0 ? ['code is broken on a phone'] : []),
          ...((await countCutLines(page)) > 0 ? ['code is cut off on a phone'] : []),
          ...((await countHiddenFields(page)) > 0 ? ['fields are cut off on a phone'] : []),
          ...((await measureOverflow(page, width)) > 0 ? ['wider than the screen'] : []),
          ...((await countBrokenCode(page)) > 0 ? ['code is broken'] : []),
          ...(pathsWithAxe.includes(path) ? await findAxeViolations(page) : []),
          ...(await watched.violations()),
          ...watched.faults,
          ...(watched.requests.length === 1 ? [] : watched.requests),
        ]
        problems.push(...found.map((one) => `${path}, ${width} px, ${theme}: ${one}`))
      }
    }
    assert.deepEqual(problems, [])
    await watched.close()
  })
}

test('the error page of an unknown URL is accessible, fits a phone and links to the docs', async () => {
  const watched = await watchPage(browser, { baseURL, locale: 'en-GB' })
  const { page } = watched
  await page.goto('/nowhere')
  assert.equal(watched.status(), 404)
  assert.deepEqual(await findAxeViolations(page), [])
  await page.getByRole('link', { name: LOCALE_LABEL.cnr }).click()
  await page.getByRole('heading', { name: catalogue('cnr').errorPage.not_found.heading }).waitFor()
  assert.equal(await measureOverflow(page, NARROWEST), 0)
  await page.getByRole('link', { name: catalogue('cnr').errorPage.ways.docs.text }).click()
  await page.waitForURL('**/cnr/docs')
  assert.deepEqual([...watched.faults, ...(await watched.violations())], [])
  await watched.close()
})

test('the copy button copies a code block, and the chosen sample language opens on other pages', async () => {
  const words = catalogue('en').docs
  const permissions = ['clipboard-read', 'clipboard-write']
  const watched = await watchPage(browser, { baseURL, permissions })
  const { page } = watched
  await page.goto('/en/docs/status-check')
  await page.getByRole('button', { name: words.copy }).first().click()
  await page.getByRole('button', { name: words.copied }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^export PAZAR_BASE_URL=http:\/\/localhost/)
  await page.locator('summary', { hasText: 'PHP' }).click()
  await page.locator('details[data-lang=php][open]').waitFor()
  await page.goto('/cnr/docs/callbacks')
  assert.deepEqual(
    await page.locator('details.sample[open]').evaluateAll((all) => all.map((one) => one.dataset['lang'])),
    // The page has two groups of samples.
    ['php', 'php'],
  )
  // The portal reads the same key.
  assert.equal(await page.evaluate(() => localStorage.getItem('pazar-code-language')), 'php')
  // Opening a language in one group also opens it in the other group.
  await page.locator('details[data-lang=go] summary').last().click()
  assert.deepEqual(
    await page.locator('details.sample[open]').evaluateAll((all) => all.map((one) => one.dataset['lang'])),
    ['go', 'go'],
  )
  await page.goto('/cnr/docs/callbacks#verify-ruby')
  await page.locator('#verify-ruby[open]').waitFor()
  assert.deepEqual(watched.faults, [])
  await watched.close()
})

test('the list of headings, the search, the samples, the languages and the project selection work without JavaScript', async () => {
  const owner = await signUp(service.app)
  await owner.addProject({ name: 'Prva' })
  const second = await owner.addProject({ name: 'Druga' })
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const cookies = [...owner.jar].map(([name, value]) => ({ name, value, url: baseURL }))
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.setViewportSize({ width: NARROWEST, height: 800 })
  await page.goto('/cnr/docs/callbacks')
  await page.locator('.contents summary').click()
  await page.locator('.contents a').last().click()
  await page.waitForURL(/#.+/)
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.equal(await page.locator('.contents').isVisible(), false)
  assert.ok(await page.locator('.toc a').first().isVisible())
  await page.goto('/cnr/docs')
  await page.getByRole('searchbox').fill('ponovo pokusaj obavjestenje')
  await page.getByRole('button', { name: catalogue('cnr').docs.searchButton }).click()
  await page.waitForURL(/\/cnr\/docs\/search\?q=/)
  await page.locator('.results a[href*="/callbacks"]').first().click()
  await page.waitForURL(/\/cnr\/docs\/callbacks/)
  await page.locator('#verify-python summary').click()
  assert.ok(await page.locator('#verify-python pre').isVisible())
  await page.getByRole('link', { name: 'English' }).click()
  await page.waitForURL(/\/en\/docs\/callbacks/)
  await page.getByLabel(catalogue('en').docs.chooseProject).selectOption(second.id)
  await page.getByRole('button', { name: catalogue('en').docs.show }).click()
  await page.waitForURL(new RegExp(`project=${second.id}`))
  assert.ok((await page.locator('pre').allTextContents()).some((text) => text.includes(second.id)))
  await context.close()
})

test('a visitor makes a test payment from the home page with two clicks, without JavaScript', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject({ resultUrl: `${baseURL}/pay/successful` })
  service.deps.demoProject.id = id
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false, locale: 'en' })
  const page = await context.newPage()
  await page.goto('/')
  const { home, checkout } = catalogue('en')
  await page.getByRole('link', { name: home.try }).first().click()
  await page.locator('main form button').click()
  await page.waitForURL(/\/pay\/successful\?status=success/)
  assert.equal(await page.locator('h1').textContent(), checkout.success.heading)
  service.deps.demoProject.id = null
  await context.close()
})

test('a printed page has its heading, and no navigation or buttons', async () => {
  const page = await browser.newPage({ baseURL })
  await page.goto('/en/docs/go-live')
  await page.emulateMedia({ media: 'print' })
  for (const hidden of ['header', '.pages', '.bar', '.neighbours'])
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
  assert.ok(await page.locator('h1').isVisible())
  await page.close()
})
