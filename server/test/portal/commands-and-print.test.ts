// Tests of the command menu, the shortcuts, the tools of a list, and the printed sheet of QR codes.
// Why this is long: one test per tool.
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import type { TransactionView } from '@pazar/contract'
import { findProjectId, signInToDemo } from './demo-user.ts'
import { detailTests } from './detail-tests.ts'
import type { UserOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'
import { until } from '../until.ts'

const test = detailTests()

const portal = await startPortal()
const { service } = portal
const signIn = (options: Partial<UserOptions> = {}) => signInToDemo(portal, options)

test('the command menu opens payments, ignores diacritics in page names, runs actions and searches the docs', async () => {
  const user = await signIn({ locale: 'cnr', input: 'keyboard' })
  const id = await findProjectId(user, 'Tezga')
  const { command } = user.words.frame
  const listed = await user.context.request.post('/sdk/transactions/list', {
    data: { projectId: id, limit: 1 },
  })
  const { items } = (await listed.json()) as { items: TransactionView[] }
  const newest = items[0]!
  const open = async () => {
    await user.page.keyboard.press('ControlOrMeta+k')
    await user.page.getByLabel(command.field).waitFor()
  }
  const typeAndEnter = async (text: string) => {
    await open()
    await user.page.keyboard.insertText(text)
    await user.page.keyboard.press('Enter')
  }
  const closeDrawer = async (title: string) => {
    const drawer = user.page.getByRole('dialog', { name: title })
    await drawer.waitFor()
    await user.page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  }
  await user.open('/projects')
  // On a page without a project, Enter is pressed immediately after a payment reference is inserted.
  await typeAndEnter(newest.reference)
  await user.page.waitForURL(new RegExp(`/projects/${id}/transactions\\?.*row=${newest.id}`))
  await user.page.getByRole('dialog').getByText(newest.reference).waitFor()
  await closeDrawer(user.words.payments.drawer.title)

  await typeAndEnter('kljucevi')
  await user.page.waitForURL(/\/keys/)
  await typeAndEnter(command.theme(user.words.frame.theme.dark))
  await user.page.waitForSelector('html[data-theme=dark]')
  await typeAndEnter(command.theme(user.words.frame.theme.system))
  await user.page.waitForSelector('html:not([data-theme])')
  await typeAndEnter(command.testMode)
  await user.page.waitForURL(/\/keys\?.*mode=test/)
  await typeAndEnter(command.testCallback)
  await user.page.waitForURL(/\/deliveries\?.*mode=test.*row=msg_/)
  await closeDrawer(user.words.deliveries.drawer.title)

  await open()
  await user.page.keyboard.insertText('potpis')
  const search = user.link(command.searchDocs('potpis'))
  await search.waitFor()
  await user.page.keyboard.press('ArrowUp')
  assert.ok(await search.evaluate((line) => line === document.activeElement))
  await user.page.keyboard.press('Enter')
  await user.page.waitForURL(/\/cnr\/docs\/search\?q=potpis/)
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('a press on the time column sorts the delivery log on the server', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const log = `/portal/api/projects/${id}/deliveries?mode=live&order=oldest&limit=1`
  const { items } = (await (await user.context.request.get(log)).json()) as { items: { id: string }[] }
  const time = user.page.getByRole('columnheader', { name: user.words.deliveries.columns.time })
  await user.open(`/projects/${id}/deliveries?mode=live`)
  await user.press(time.getByRole('link'))
  await user.page.locator(`tbody tr:first-child a[href*="row=${items[0]!.id}"]`).waitFor()
  assert.equal(await time.getAttribute('aria-sort'), 'ascending')
  await user.close()
})

test('the server sorts the list of payments, and the list shows the chosen columns and stores named views', async () => {
  const user = await signIn({ input: 'keyboard' })
  const id = await findProjectId(user, 'Tezga')
  const { columns, table, states, filters } = user.words.payments
  const findFirstId = async (order: string) => {
    const data = { projectId: id, mode: 'live', limit: 1, order }
    const response = await user.context.request.post('/sdk/transactions/list', { data })
    return ((await response.json()) as { items: TransactionView[] }).items[0]!.id
  }
  const heading = (name: string) => user.page.getByRole('columnheader', { name })
  const firstRow = user.page.locator('tbody tr').first().getByRole('link')
  await user.open(`/projects/${id}/transactions?mode=live`)
  await user.press(heading(columns.time).getByRole('link'))
  await user.page.waitForURL(/order=oldest/)
  assert.equal(await heading(columns.time).getAttribute('aria-sort'), 'ascending')
  await user.page.locator(`tbody tr:first-child a[href*="row=${await findFirstId('oldest')}"]`).waitFor()
  await user.press(heading(columns.time).getByRole('link'))
  await user.page.locator(`tbody tr:first-child a[href*="row=${await findFirstId('newest')}"]`).waitFor()

  await user.press(user.button(table.columns))
  const state = user.page.getByRole('checkbox', { name: columns.state })
  await user.tabTo(state)
  await user.page.keyboard.press('Space')
  await heading(columns.state).waitFor({ state: 'detached' })
  await user.page.keyboard.press('Escape')
  await state.waitFor({ state: 'detached' })
  await user.page.reload()
  await firstRow.waitFor()
  assert.equal(await heading(columns.state).count(), 0)
  await user.press(user.button(table.columns))
  await user.press(user.button(table.reset))
  await heading(columns.state).waitFor()
  await user.page.keyboard.press('Escape')

  await user.page.getByLabel(filters.state, { exact: true }).selectOption('failed')
  await user.page.waitForURL(/status=failed/)
  await user.press(user.button(table.views))
  await user.type(table.viewName, 'Odbijena')
  await user.press(user.button(table.saveView))
  await user.link('Odbijena').waitFor()
  await user.open(`/projects/${id}/transactions?mode=live`)
  await user.press(user.button(table.views))
  await user.press(user.link('Odbijena'))
  await user.page.waitForURL(/status=failed/)
  await firstRow.waitFor()
  const successful = user.page.locator('tbody').getByText(states.succeeded, { exact: true })
  await until(async () => (await successful.count()) === 0, 'the list has only failed payments')
  await user.press(user.button(table.views))
  await user.press(user.button(table.deleteView('Odbijena')))
  await user.link('Odbijena').waitFor({ state: 'detached' })
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('in a browser that blocks its storage, the list and the code samples work, and choices last until the reload', async () => {
  const user = await signIn({ input: 'keyboard' })
  await user.context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('storage is blocked', 'SecurityError')
        },
      })
  })
  const id = await findProjectId(user, 'Tezga')
  const { columns, table } = user.words.payments
  const heading = user.page.getByRole('columnheader', { name: columns.state })
  await user.open(`/projects/${id}/transactions?mode=live`)
  await user.press(user.button(table.columns))
  await user.tabTo(user.page.getByRole('checkbox', { name: columns.state }))
  await user.page.keyboard.press('Space')
  await heading.waitFor({ state: 'detached' })
  await user.page.reload()
  await heading.waitFor()
  await user.open(`/projects/${id}/quickstart?mode=test`)
  await user.page.locator('main pre').first().waitFor()
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('single keys open the shortcuts and the search, but not while the user types, and can be switched off', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { shortcuts, close } = user.words.frame
  await user.open(`/projects/${id}/transactions?mode=live`)
  const sheet = user.page.getByRole('dialog', { name: shortcuts.title })
  const search = user.page.getByRole('searchbox')
  await search.waitFor()
  await user.page.keyboard.press('/')
  assert.ok(await search.evaluate((field) => field === document.activeElement))
  await user.page.keyboard.press('?')
  assert.equal(await search.inputValue(), '?')
  await search.fill('')
  await search.blur()
  await user.page.keyboard.press('?')
  await sheet.getByRole('checkbox').uncheck()
  await user.press(user.button(close, sheet))
  await sheet.waitFor({ state: 'detached' })
  await user.page.keyboard.press('?')
  await user.openAccountMenu()
  assert.equal(await sheet.count(), 0)
  await user.press(user.button(shortcuts.title))
  await sheet.getByRole('checkbox').check()
  assert.deepEqual(user.faults, [])
  await user.close()
})

/**
 * Returns the number of pages of a PDF, and the size of each page in millimetres. The browser does not compress the page
 * objects, so they can be found as text.
 */
function readPdf(pdf: Buffer): { pages: number; sizes: string[] } {
  const text = pdf.toString('latin1')
  const boxes = [...text.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  const toMm = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4)
  return {
    pages: [...text.matchAll(/\/Type \/Page\b(?!s)/g)].length,
    sizes: boxes.map(([, width, height]) => `${toMm(width)} × ${toMm(height)}`),
  }
}

/** The largest number of pixels by which a printed label is cut off. */
async function measureOverflow(sheet: Locator): Promise<number> {
  const page = sheet.page()
  await page.emulateMedia({ media: 'print' })
  const cut = await sheet
    .locator('.print-label')
    .evaluateAll((labels) => Math.max(...labels.map((label) => label.scrollHeight - label.clientHeight)))
  await page.emulateMedia({ media: null })
  return cut
}

for (const theme of ['light', 'dark'] as const) {
  test(`${theme}: the sheet has four QR codes on A4, or one on A6, with text in both languages`, async () => {
    const user = await signIn({ theme })
    const id = await findProjectId(user, 'Tezga')
    const { link } = user.words
    await user.open(`/projects/${id}/link`)
    // A live link starts without a sample amount.
    await user.page.getByText(link.emptyTitle).waitFor()
    await user.type(link.amount, '99999999999')
    await user.page.getByText(/9[.,]999[.,]999[.,]999[.,]99/).waitFor() // The error states the largest amount.
    await user.type(link.amount, '15')
    await user.page.locator('main img[alt]').waitFor()
    await user.press(user.button(link.printQr))
    const dialog = user.page.getByRole('dialog', { name: link.sheet.title })
    await dialog.locator('img').first().waitFor()
    assert.equal(await dialog.locator('img').count(), 4, 'the preview is the whole sheet')
    assert.equal(await dialog.getByRole('img').count(), 1, 'a screen reader gets the label once')
    const sheet = user.page.locator('.print-sheet')
    assert.ok(await sheet.isHidden())

    await user.page.emulateMedia({ media: 'print' })
    assert.ok(await sheet.isVisible())
    assert.ok(await user.page.locator('#portal').isHidden())
    const label = sheet.locator('.print-label').first()
    const text = (await label.textContent()) ?? ''
    for (const part of ['Tezga', 'Skenirajte kod', 'Scan the code', '15.00', service.baseUrl])
      assert.ok(text.includes(part), `${part} in ${text}`)
    // The sheet is printed with the text colour of the light theme, in both themes.
    assert.equal(await label.evaluate((element) => getComputedStyle(element).color), 'rgb(23, 25, 28)')
    assert.equal(await sheet.locator('img').count(), 4)
    const a4 = readPdf(await user.page.pdf({ preferCSSPageSize: true }))
    assert.deepEqual(a4, { pages: 1, sizes: ['210 × 297'] })
    // The code is at least two centimetres wide, so that a phone can scan it from a distance.
    const widthPx = await sheet
      .locator('img')
      .first()
      .evaluate((image) => image.getBoundingClientRect().width)
    assert.ok(widthPx > (20 / 25.4) * 96, String(widthPx))
    assert.equal(await measureOverflow(sheet), 0)

    await user.page.emulateMedia({ media: null })
    await dialog.getByLabel(link.sheet.paper).selectOption('a6')
    assert.equal(await sheet.locator('img').count(), 1)
    assert.equal(await dialog.locator('img').count(), 1)
    assert.equal(await measureOverflow(sheet), 0)
    const a6 = readPdf(await user.page.pdf({ preferCSSPageSize: true }))
    assert.deepEqual(a6, { pages: 1, sizes: ['105 × 148'] })
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('the print dialog warns if the QR code is for one order, and a sheet in test mode shows the test bar', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { link, frame } = user.words
  await user.open(`/projects/${id}/link?mode=test`)
  await user.type(link.customId, 'order-77')
  await user.page.getByText('customId=order-77').waitFor()
  await user.press(user.button(link.printQr))
  const dialog = user.page.getByRole('dialog', { name: link.sheet.title })
  await dialog.getByText(link.sheet.once).waitFor()
  assert.equal(await dialog.getByLabel(link.sheet.paper).inputValue(), 'a6')
  // The label has text in both languages, so it appears only after the other language has loaded.
  await user.page.locator('.print-sheet').getByText(frame.testBar).waitFor({ state: 'attached' })
  await user.press(user.button(frame.cancel, dialog))
  assert.equal(await user.page.locator('.print-sheet').count(), 0)
  assert.deepEqual(user.faults, [])
  await user.close()
})
