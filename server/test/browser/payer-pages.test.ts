// The pages of the checkout in a real browser, on the screens of screens.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { HTML_LANG, LOCALES } from '@pazar/words'
import { shareBrowser } from '../browser.ts'
import { NARROWEST, screensFor } from '../screens.ts'
import { PAYER_STATES } from './payer-states.ts'
import { PayerTrip } from './payer-trip.ts'
import { startPayerWorld } from './payer-world.ts'
import { findAxeViolations, watchPage } from './watched-page.ts'

const world = await startPayerWorld()
const browser = await shareBrowser()
const watched = await watchPage(browser)

async function assertFits(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(overflow <= 0, `wider than the screen by ${overflow} at ${width}`)
}

for (const [index, state] of PAYER_STATES.entries()) {
  for (const locale of LOCALES) {
    const screens = screensFor(locale, index)
    if (screens.length === 0) continue
    test(`the page “${state.name}” (${locale}) has status ${state.status} and no accessibility violation`, async () => {
      const { page } = watched
      await watched.renew()
      await state.reach(new PayerTrip(world, page, locale))
      assert.equal(watched.status(), state.status)
      assert.equal(await page.getAttribute('html', 'lang'), HTML_LANG[locale])
      assert.equal(await page.locator('h1').count(), 1)
      for (const { width, theme } of screens) {
        await page.emulateMedia({ colorScheme: theme })
        await assertFits(page, width)
        assert.deepEqual(await findAxeViolations(page), [], `${width} ${theme}`)
      }
      await assertFits(page, NARROWEST)
      assert.deepEqual(watched.faults, [])
      assert.deepEqual(await watched.violations(), [])
    })
  }
}

test('the first view of a pay page takes one request', async () => {
  await watched.renew()
  const trip = new PayerTrip(world, watched.page, 'en')
  await trip.goto(trip.link())
  await watched.page.waitForLoadState('networkidle')
  assert.equal(watched.requests.length, 1, watched.requests.join('\n'))
})

test('a pay page with a logo takes two requests', async () => {
  await watched.renew()
  const trip = new PayerTrip(world, watched.page, 'en')
  await trip.goto(trip.brandedLink())
  await watched.page.waitForLoadState('networkidle')
  assert.equal(watched.requests.length, 2, watched.requests.join('\n'))
  assert.match(watched.requests[1]!, /^GET \S+\/brand\/[0-9a-f]{64}\.png$/)
  const logo = watched.page.locator('.brand img')
  assert.ok(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
})

test('a pay page has no layout shift while it loads', async () => {
  const watched = await watchPage(browser, { viewport: { width: 390, height: 800 } })
  const trip = new PayerTrip(world, watched.page, 'cnr')
  await trip.goto(trip.link())
  const shift = await watched.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
  assert.equal(shift, 0)
  await watched.close()
})

test('at four times the size with wide text spacing, no text is cut off', async () => {
  const watched = await watchPage(browser, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 })
  const { page } = watched
  const trip = new PayerTrip(world, page, 'cnr')
  await trip.goto(trip.link({ data: 'Narudžba 7', signed: true }))
  await page.evaluate(() => {
    const spacing = 'line-height:1.5;letter-spacing:.12em;word-spacing:.16em'
    for (const element of document.querySelectorAll('body *')) element.setAttribute('style', spacing)
  })
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('h1,p,a,button,dd,dt')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .map((one) => one.outerHTML),
  )
  assert.deepEqual(cut, [])
  await watched.close()
})

test('with forced colours the button still has a border', async () => {
  const watched = await watchPage(browser, { forcedColors: 'active' })
  const trip = new PayerTrip(world, watched.page, 'en')
  await trip.goto(trip.link())
  const border = await watched.page
    .locator('main form button')
    .evaluate((button) => getComputedStyle(button).borderTopWidth)
  assert.equal(border, '1px')
  assert.deepEqual(await findAxeViolations(watched.page), [])
  await watched.close()
})

test('a printed receipt has its facts and the test bar, and no buttons', async () => {
  const watched = await watchPage(browser)
  const { page } = watched
  const trip = new PayerTrip(world, page, 'en')
  await PAYER_STATES.find(({ name }) => name === 'receipt')!.reach(trip)
  assert.equal(await page.locator('#print').isVisible(), true)
  await page.emulateMedia({ media: 'print' })
  for (const shown of ['h1', 'dl', '.bar']) assert.equal(await page.locator(shown).isVisible(), true, shown)
  for (const hidden of ['.button', '#print', 'nav'])
    assert.equal(await page.locator(`${hidden}:visible`).count(), 0, hidden)
  await watched.close()
})
