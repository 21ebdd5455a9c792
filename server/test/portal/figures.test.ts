// What the portal shows of figures: numbers, bars, the table beside them, first steps, causes of failures, the sheet of
// codes, and the command menu. Each in a real browser, against what the service itself says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { StatsView, TransactionView } from '@pazar/contract'
import { signStatusHash } from '@pazar/sdk'
import { formatDate, formatMoney, formatNumber } from '@pazar/words'
import { newPerson } from './portal-browser.ts'
import type { Call, Person, PersonOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const ZONE = 'Europe/Podgorica'
const { service, browser } = await startPortal()

async function signedIn(options: Partial<PersonOptions> = {}, calls: Call[] = []): Promise<Person> {
  const one = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'en', ...options }, calls)
  const { email, password } = service
  await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
  return one
}

async function idOf(one: Person, name: string): Promise<string> {
  const answer = await one.context.request.post('/sdk/project/list', { data: {} })
  const { projects } = (await answer.json()) as { projects: { id: string; name: string }[] }
  const found = projects.find((project) => project.name === name)
  assert.ok(found, name)
  return found.id
}

async function get<T>(one: Person, address: string): Promise<T> {
  const answer = await one.context.request.get(address)
  assert.equal(answer.status(), 200, await answer.text())
  return (await answer.json()) as T
}

const money = (one: Person, amount: string) => formatMoney(one.locale, BigInt(amount), 'EUR', 2)
const dayOf = (at: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(new Date(at))

for (const locale of ['cnr', 'en'] as const) {
  test(`${locale}: numbers, bars and table say what the service says, and a bar leads to its day`, async () => {
    const one = await signedIn({ locale, hand: 'keyboard' })
    const id = await idOf(one, 'Demo prodavnica')
    const { figures } = one.words
    const stats = await get<StatsView>(one, `/portal/api/projects/${id}/stats`)
    await one.open(`/projects/${id}`)
    const section = one.page.getByRole('region', { name: figures.title })
    await section.getByText(money(one, stats.volume), { exact: true }).waitFor()
    await section.getByText(figures.begun(stats.count)).waitFor()
    await section.getByText(figures.ofEnded(stats.succeeded, stats.succeeded + stats.failed)).waitFor()

    // What the service counts as one leads to two lists, each with how many it shows.
    const parts = section.locator('dl').getByRole('link', { name: / \(\d+\)$/ })
    await parts.nth(1).waitFor()
    const counts = (await parts.allTextContents()).map((text) => Number(/\d+/.exec(text)?.[0]))
    assert.equal(counts[0]! + counts[1]!, stats.failed)

    const volume = section.getByRole('group', { name: new RegExp(`^${figures.charts.volume}\\.`) })
    const bars = await volume.getByRole('link').all()
    const names = await Promise.all(bars.map((bar) => bar.getAttribute('aria-label')))
    const named = stats.series.map((bar) =>
      figures.charts.bar(formatDate(locale, new Date(bar.at), ZONE), money(one, bar.volume)),
    )
    assert.deepEqual(names, named)

    await one.press(section.getByText(figures.table.show))
    const cells = await section.locator('tbody tr').last().locator('td').allTextContents()
    const last = stats.series.at(-1)!
    assert.ok(cells[1]?.includes(money(one, last.volume)), cells.join('|'))
    assert.ok(cells[2]?.includes(formatNumber(locale, last.count)), cells.join('|'))

    // One stop for Tab, arrows within, Enter opens.
    await one.tabTo(bars.at(-1)!)
    await one.page.keyboard.press('ArrowLeft')
    await one.page.keyboard.press('ArrowLeft')
    assert.ok(await bars.at(-3)!.evaluate((bar) => bar === document.activeElement))
    await one.page.keyboard.press('Home')
    assert.ok(await bars[0]!.evaluate((bar) => bar === document.activeElement))
    await one.page.keyboard.press('End')
    await one.page.keyboard.press('Enter')
    const day = dayOf(last.at)
    await one.page.waitForURL(new RegExp(`/transactions\\?.*from=${day}&to=${day}`))
    await one.page.getByText(one.words.payments.total(last.count), { exact: true }).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })
}

test('the time range stands in the address, goes back and forward, and a wrong one is said before it is asked for', async () => {
  const one = await signedIn()
  const id = await idOf(one, 'Demo prodavnica')
  const { range } = one.words.figures
  await one.open(`/projects/${id}?mode=live`)
  const bars = one.page.locator('figure').first().locator('svg a')
  await bars.first().waitFor()
  assert.equal(await bars.count(), 7)
  await one.press(one.link(range.last(30)))
  await one.page.waitForURL(/days=30/)
  await one.page.waitForFunction(() => document.querySelectorAll('figure:first-of-type svg a').length === 30)
  await one.page.goBack()
  await one.page.waitForFunction(() => document.querySelectorAll('figure:first-of-type svg a').length === 7)
  assert.match(one.page.url(), /mode=live$/)

  await one.press(one.button(range.other))
  await one.type(range.from, '2026-01-01')
  await one.type(range.to, '2026-12-31')
  await one.press(one.button(range.show))
  await one.page.getByText(range.wrong(92)).waitFor()
  const today = dayOf(new Date().toISOString())
  await one.type(range.from, today)
  await one.type(range.to, today)
  await one.press(one.button(range.show))
  await one.page.waitForURL(new RegExp(`from=${today}&to=${today}`))
  await one.page.reload()
  await bars.first().waitFor()
  assert.equal(await bars.count(), 24)
  const described = await one.page.getByLabel(range.from, { exact: true }).getAttribute('aria-describedby')
  const said = await one.page.locator(`[id="${described}"]`).innerText()
  assert.equal(said, formatDate(one.locale, new Date(today), 'UTC'))
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('bars can be told apart without colours, in forced colours too', async () => {
  const one = await signedIn()
  await one.page.emulateMedia({ forcedColors: 'active' })
  const id = await idOf(one, 'Demo prodavnica')
  await one.open(`/projects/${id}`)
  const rate = one.page.locator('figure').nth(1)
  await rate.locator('svg a').first().waitFor()
  const fills = await rate
    .locator('svg a rect')
    .evaluateAll((rects) =>
      rects.map((rect) => `${rect.getAttribute('fill')} ${getComputedStyle(rect).fill}`),
    )
  assert.ok(
    fills.some((fill) => fill.startsWith('url(#hatch')),
    fills.join(),
  )
  assert.ok(
    fills.some((fill) => fill.startsWith('null rgb(0, 0, 0)')),
    fills.join(),
  )
  await one.close()
})

test('the first steps tick themselves from what happens elsewhere, and go when all are taken', async () => {
  const one = await signedIn()
  const id = await idOf(one, 'Demo prodavnica')
  const { overview } = one.words.projects
  await one.open(`/projects/${id}`)
  await one.page.getByText(overview.stepsDone(4, 5)).waitFor()
  const { secret } = await get<{ secret: string }>(one, `/portal/api/projects/${id}/test-secret`)
  const asked = { projectId: id, customId: 'order-1' }
  const data = { ...asked, hash: signStatusHash(asked, secret) }
  const answer = await one.context.request.post('/sdk/transaction/checkStatus', { data })
  assert.equal(answer.status(), 200)
  await one.page.getByText(overview.firstSteps).waitFor({ state: 'detached' })
  await one.page.reload()
  await one.page.getByText(overview.quick).waitFor()
  assert.equal(await one.page.getByText(overview.firstSteps).count(), 0)
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('a project that nobody has used shows its steps, zeros, and no empty bars', async () => {
  const one = await signedIn()
  const id = await idOf(one, 'Moj prvi projekat')
  const { projects, figures } = one.words
  await one.open(`/projects/${id}`)
  await one.page.getByText(projects.overview.stepsDone(1, 5)).waitFor()
  await one.page.getByText(figures.charts.empty).waitFor()
  assert.equal(await one.page.locator('figure').count(), 0)
  await one.close()
})

test('the list of projects asks for the day of all of them once', async () => {
  const calls: Call[] = []
  const one = await signedIn({}, calls)
  const id = await idOf(one, 'Demo prodavnica')
  type Today = { projects: { projectId: string; volume: string }[] }
  const { projects } = await get<Today>(one, '/portal/api/projects/today')
  await one.open('/projects')
  const volume = projects.find(({ projectId }) => projectId === id)?.volume ?? ''
  const card = one.page.locator('li', { hasText: 'Demo prodavnica' })
  await card.getByText(money(one, volume), { exact: true }).waitFor()
  await card.getByText(one.words.projects.list.lastCallback).waitFor()
  await one.page.waitForLoadState('networkidle')
  const asked = calls
    .map((call) => call.path)
    .filter((address) => address.startsWith('/portal/api/projects/'))
  assert.deepEqual(asked, ['/portal/api/projects/today'])
  await one.close()
})

test('failures stand together by cause, and each leads to its rows in the log', async () => {
  const one = await signedIn()
  const id = await idOf(one, 'Demo prodavnica')
  const { failures, deliveries } = one.words
  // The portal's first call tells the service its language.
  await one.open('/projects')
  await one.page.waitForSelector('ul code')
  const found = await get<{ causes: { cause: string; outcome: string }[] }>(
    one,
    `/portal/api/projects/${id}/failures`,
  )
  const [first] = found.causes
  assert.ok(first, 'the demo has a callback that did not arrive')
  for (const page of ['', '/deliveries']) {
    await one.open(`/projects/${id}${page}`)
    await one.page.getByText(first.cause).first().waitFor()
    await one.press(one.link(failures.showCause(first.cause)))
    await one.page.waitForURL(new RegExp(`/deliveries\\?.*outcome=${first.outcome}&from=`))
    assert.equal(await one.page.getByLabel(deliveries.filters.outcome).inputValue(), first.outcome)
    await one.page.locator('tbody tr').first().waitFor()
  }
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('the command menu opens the very order, finds pages without their marks, acts, and leads to the guide', async () => {
  const one = await signedIn({ locale: 'cnr', hand: 'keyboard' })
  const id = await idOf(one, 'Demo prodavnica')
  const { command } = one.words.frame
  const listed = await one.context.request.post('/sdk/transactions/list', {
    data: { projectId: id, limit: 1 },
  })
  const { items } = (await listed.json()) as { items: TransactionView[] }
  const newest = items[0]!
  const open = async () => {
    await one.page.keyboard.press('ControlOrMeta+k')
    await one.page.getByLabel(command.field).waitFor()
  }
  const typeAndEnter = async (text: string) => {
    await open()
    await one.page.keyboard.insertText(text)
    await one.page.keyboard.press('Enter')
  }
  const closeDrawer = async (title: string) => {
    const drawer = one.page.getByRole('dialog', { name: title })
    await drawer.waitFor()
    await one.page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  }
  await one.open('/projects')
  // The short reference that payers read out, typed and entered at once, from a page without a project.
  await typeAndEnter(newest.reference)
  await one.page.waitForURL(new RegExp(`/projects/${id}/transactions\\?.*row=${newest.id}`))
  await one.page.getByRole('dialog').getByText(newest.reference).waitFor()
  await closeDrawer(one.words.payments.drawer.title)

  await typeAndEnter('kljucevi')
  await one.page.waitForURL(/\/keys/)
  await typeAndEnter(command.theme(one.words.frame.theme.dark))
  await one.page.waitForSelector('html[data-theme=dark]')
  await typeAndEnter(command.theme(one.words.frame.theme.system))
  await one.page.waitForSelector('html:not([data-theme])')
  await typeAndEnter(command.testMode)
  await one.page.waitForURL(/\/keys\?.*mode=test/)
  await typeAndEnter(command.testCallback)
  await one.page.waitForURL(/\/deliveries\?.*mode=test.*row=msg_/)
  await closeDrawer(one.words.deliveries.drawer.title)

  await open()
  await one.page.keyboard.insertText('potpis')
  const search = one.link(command.searchDocs('potpis'))
  await search.waitFor()
  await one.page.keyboard.press('ArrowUp')
  assert.ok(await search.evaluate((line) => line === document.activeElement))
  await one.page.keyboard.press('Enter')
  await one.page.waitForURL(/\/cnr\/docs\/search\?q=potpis/)
  assert.deepEqual(one.faults, [])
  await one.close()
})

/** Pages of a PDF and their sizes in millimetres, as its objects have them in the open. */
function readPdf(pdf: Buffer): { pages: number; sizes: string[] } {
  const text = pdf.toString('latin1')
  const boxes = [...text.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  const toMm = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4)
  return {
    pages: [...text.matchAll(/\/Type \/Page\b(?!s)/g)].length,
    sizes: boxes.map(([, width, height]) => `${toMm(width)} × ${toMm(height)}`),
  }
}

/** How much of a label is cut off, at paper's size. */
async function overflowOf(sheet: Locator): Promise<number> {
  const page = sheet.page()
  await page.emulateMedia({ media: 'print' })
  const cut = await sheet
    .locator('.print-label')
    .evaluateAll((labels) => Math.max(...labels.map((label) => label.scrollHeight - label.clientHeight)))
  await page.emulateMedia({ media: null })
  return cut
}

for (const theme of ['light', 'dark'] as const) {
  test(`${theme}: the code is printed on one A4 sheet four times, or once on A6, in both languages`, async () => {
    const one = await signedIn({ theme })
    const id = await idOf(one, 'Demo prodavnica')
    const { link } = one.words
    await one.open(`/projects/${id}/link`)
    await one.page.locator('img[alt]').waitFor()
    await one.press(one.button(link.printQr))
    const dialog = one.page.getByRole('dialog', { name: link.sheet.title })
    await dialog.locator('img').waitFor()
    const sheet = one.page.locator('.print-sheet')
    assert.ok(await sheet.isHidden())

    await one.page.emulateMedia({ media: 'print' })
    assert.ok(await sheet.isVisible())
    assert.ok(await one.page.locator('#portal').isHidden())
    const label = sheet.locator('.print-label').first()
    const text = (await label.textContent()) ?? ''
    for (const part of ['Demo prodavnica', 'Skenirajte kod', 'Scan the code', '15.00', service.baseUrl])
      assert.ok(text.includes(part), `${part} in ${text}`)
    assert.equal(await label.evaluate((element) => getComputedStyle(element).color), 'rgb(23, 25, 28)')
    assert.equal(await sheet.locator('img').count(), 4)
    const a4 = readPdf(await one.page.pdf({ preferCSSPageSize: true }))
    assert.deepEqual(a4, { pages: 1, sizes: ['210 × 297'] })
    // At least two centimetres, or a phone has to come too close.
    const widthPx = await sheet
      .locator('img')
      .first()
      .evaluate((image) => image.getBoundingClientRect().width)
    assert.ok(widthPx > (20 / 25.4) * 96, String(widthPx))
    assert.equal(await overflowOf(sheet), 0)

    await one.page.emulateMedia({ media: null })
    await dialog.getByLabel(link.sheet.paper).selectOption('a6')
    assert.equal(await sheet.locator('img').count(), 1)
    assert.equal(await overflowOf(sheet), 0)
    const a6 = readPdf(await one.page.pdf({ preferCSSPageSize: true }))
    assert.deepEqual(a6, { pages: 1, sizes: ['105 × 148'] })
    assert.deepEqual(one.faults, [])
    await one.close()
  })
}

test('a code for one order says so before it is printed, and a test code says on paper that it is one', async () => {
  const one = await signedIn()
  const id = await idOf(one, 'Demo prodavnica')
  const { link, frame } = one.words
  await one.open(`/projects/${id}/link?mode=test`)
  await one.type(link.customId, 'order-77')
  await one.page.getByText('customId=order-77').waitFor()
  await one.press(one.button(link.printQr))
  const dialog = one.page.getByRole('dialog', { name: link.sheet.title })
  await dialog.getByText(link.sheet.once).waitFor()
  assert.equal(await dialog.getByLabel(link.sheet.paper).inputValue(), 'a6')
  // The sheet is filled once the other language's words have come.
  await one.page.locator('.print-sheet').getByText(frame.testBar).waitFor({ state: 'attached' })
  await one.press(one.button(frame.cancel, dialog))
  assert.equal(await one.page.locator('.print-sheet').count(), 0)
  assert.deepEqual(one.faults, [])
  await one.close()
})
