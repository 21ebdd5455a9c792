import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { findProjectId, signInToDemo } from './demo-user.ts'
import { detailTests } from './detail-tests.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const PHONE_WIDTH = 390
/** The width in pixels of a sheet of A4 in landscape, without its margins of 10 mm. */
const LANDSCAPE_WIDTH = 1047

const portal = await startPortal()

async function requireBox(locator: Locator) {
  const box = await locator.boundingBox()
  assert.ok(box)
  return box
}

test('the statement is printed in landscape without the menu, with all totals in one row', async () => {
  const user = await signInToDemo(portal, { width: LANDSCAPE_WIDTH })
  const id = await findProjectId(user, 'Tezga')
  await user.open(`/projects/${id}/statement`)
  await user.page.locator('tfoot tr').waitFor()
  assert.ok(await user.page.locator('aside').isVisible())
  await user.page.emulateMedia({ media: 'print' })
  assert.equal(await user.page.locator('aside').isVisible(), false)
  assert.ok((await requireBox(user.page.getByRole('table'))).width > LANDSCAPE_WIDTH - 16)
  const bottoms = await user.page
    .locator('main dl dd')
    .evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().bottom)))
  assert.equal(new Set(bottoms).size, 1, bottoms.join())
  const size = (locator: Locator) => locator.evaluate((cell) => getComputedStyle(cell).fontSize)
  await user.page.setViewportSize({ width: 718, height: 900 })
  const cells = user.page.locator('tbody tr:first-child td')
  assert.equal(await size(cells.last()), await size(cells.nth(2)))
  await user.close()
})

test('on a phone, the tab of the current page is visible without scrolling', async () => {
  const user = await signInToDemo(portal, { width: 240, locale: 'cnr' })
  await user.open('/account/audit')
  const box = await requireBox(user.page.locator('main nav [aria-current=page]'))
  assert.ok(box.x >= 0 && box.x + box.width <= 240, JSON.stringify(box))
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('on a phone the cause of a failed callback takes the whole width of its row', async () => {
  const user = await signInToDemo(portal, { width: PHONE_WIDTH })
  const id = await findProjectId(user, 'Tezga')
  const log = `/portal/api/projects/${id}/deliveries?mode=live&limit=1`
  const { items } = (await (await user.context.request.get(log)).json()) as { items: object[] }
  const cause = 'The host name of the callback URL could not be found.'
  const attempt = { outcome: 'dns', statusCode: null, cause, url: 'https://shop.example.com/', durationMs: 4 }
  const failed = { ...items[0], status: 'exhausted', attempts: 4, nextAt: null, lastAttempt: attempt }
  await user.page.route('**/portal/api/**/deliveries?*', (route) =>
    route.fulfill({ json: { items: [failed], nextCursor: null } }),
  )
  await user.open(`/projects/${id}/deliveries?mode=live`)
  const row = user.page.locator('tbody tr')
  const cell = row.locator('td', { hasText: cause })
  // All boxes are read in one call, because the row may move while other parts of the page load.
  const [rowBox, cellBox, timeBox] = await cell.evaluate((element) => {
    const tableRow = element.closest('tr')!
    return [tableRow, element, tableRow.cells[0]!].map(
      (one) => one.getBoundingClientRect().toJSON() as DOMRect,
    )
  })
  assert.ok(cellBox!.width > rowBox!.width * 0.9, JSON.stringify([rowBox, cellBox]))
  assert.ok(cellBox!.top >= timeBox!.bottom, JSON.stringify([cellBox, timeBox]))
  assert.ok(await cell.getByRole('button', { name: user.words.deliveries.resend }).isVisible())
  await user.close()
})

test('on a phone, a filtered log shows the rows and the number of rows, but the filters and the failures are collapsed', async () => {
  const user = await signInToDemo(portal, { width: PHONE_WIDTH })
  const id = await findProjectId(user, 'Tezga')
  const { deliveries, failures, payments } = user.words
  await user.open(`/projects/${id}/deliveries?mode=live&outcome=http_error`)
  await user.page.locator('tbody tr').first().waitFor()
  const count = await user.page.locator('tbody tr').count()
  await user.page.getByText(deliveries.total(count), { exact: true }).waitFor()
  const outcome = user.page.getByLabel(deliveries.filters.outcome)
  assert.ok(await outcome.isHidden())
  await user.press(user.button(payments.filters.labelSet(1)))
  assert.equal(await outcome.inputValue(), 'http_error')
  const resendAll = user.button(deliveries.resendFailed)
  assert.equal(await resendAll.count(), 0)
  await user.page.getByText(failures.showCauses).click()
  await resendAll.waitFor()
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('when days are chosen, the filter fields stay in one row and have the same height', async () => {
  const user = await signInToDemo(portal)
  const id = await findProjectId(user, 'Tezga')
  await user.open(`/projects/${id}/transactions?mode=live&from=2026-11-01&to=2026-11-02`)
  const fields = user.page.locator('search').locator('input, select')
  await fields.nth(3).waitFor()
  const boxes = await fields.evaluateAll((all) =>
    all
      .map((one) => one.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ top, height }) => `${Math.round(top)} ${Math.round(height)}`),
  )
  assert.equal(boxes.length, 4)
  assert.equal(new Set(boxes).size, 1, boxes.join())
  await user.close()
})

test('code is coloured, does not scroll vertically, and is shown in full on request', async () => {
  const user = await signInToDemo(portal, { width: PHONE_WIDTH })
  const id = await findProjectId(user, 'Tezga')
  const { frame, quickstart } = user.words
  await user.open(`/projects/${id}/quickstart`)
  const code = user.page.getByRole('group', { name: quickstart.steps.callback.title, exact: true })
  await code.locator('span.text-info').first().waitFor()
  const canScroll = (pre: Element) => {
    pre.scrollTop = 100
    return getComputedStyle(pre).overflowY === 'auto' && pre.scrollTop > 0
  }
  assert.equal(await code.evaluate(canScroll), false)
  const foldedHeight = (await requireBox(code)).height
  await user.press(user.button(`${frame.wholeCode} ${quickstart.steps.callback.title}`))
  assert.ok((await requireBox(code)).height > foldedHeight * 2)
  assert.equal(await code.evaluate(canScroll), false)
  await user.close()
})

test('an order that is not found in one mode can be looked up in the other mode with one press', async () => {
  const user = await signInToDemo(portal)
  const id = await findProjectId(user, 'Tezga')
  await user.open(`/projects/${id}/status?mode=live&q=no-such-order`)
  await user.press(user.link(user.words.payments.drawer.lookIn.test))
  await user.page.waitForURL(/mode=test.*q=no-such-order|q=no-such-order.*mode=test/)
  await user.link(user.words.payments.drawer.lookIn.live).waitFor()
  await user.close()
})
