// Compares the portal's stats with the responses of the service.
// Why this is long: the tests of the overview share one setup.
import assert from 'node:assert/strict'
import type { StatsView } from '@pazar/contract'
import { signStatusHash } from '@pazar/sdk'
import { formatAxisMoney, formatDate, formatMoney, formatNumber, LOCALES } from '@pazar/words'
import { pickCases } from '../counts.ts'
import { until } from '../until.ts'
import { findProjectId, signInToDemo } from './demo-user.ts'
import { detailTests } from './detail-tests.ts'
import { intercept, type RecordedRequest, type PortalUser, type UserOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const ZONE = 'Europe/Podgorica'
// These tests have a service of their own, because other tests would change the first steps of the demo project.
const portal = await startPortal({}, 'stats')
const signIn = (options: Partial<UserOptions> = {}, calls: RecordedRequest[] = []) =>
  signInToDemo(portal, options, calls)

async function getJson<T>(user: PortalUser, address: string): Promise<T> {
  const response = await user.context.request.get(address)
  assert.equal(response.status(), 200, await response.text())
  return (await response.json()) as T
}

const toMoneyText = (user: PortalUser, amount: string) => formatMoney(user.locale, BigInt(amount), 'EUR', 2)
const dayOf = (at: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(new Date(at))

for (const locale of pickCases('browserVariants', LOCALES)) {
  test(`${locale}: numbers, charts and table show the service's stats, and a bar links to its day`, async () => {
    const user = await signIn({ locale, input: 'keyboard' })
    const id = await findProjectId(user, 'Tezga')
    const { metrics } = user.words
    const stats = await getJson<StatsView>(user, `/portal/api/projects/${id}/stats`)
    await user.open(`/projects/${id}`)
    const section = user.page.getByRole('region', { name: metrics.title })
    await section.getByText(toMoneyText(user, stats.volume), { exact: true }).first().waitFor()
    await section.getByText(metrics.paid(stats.succeeded)).waitFor()
    await section
      .getByText(metrics.ofEnded(stats.succeeded, stats.succeeded + stats.failed))
      .first()
      .waitFor()

    const failedLinks = section.locator('dl').getByRole('link', { name: / \(\d+\)$/ })
    await failedLinks.nth(1).waitFor()
    const failedCounts = (await failedLinks.allTextContents()).map((text) => Number(/\d+/.exec(text)?.[0]))
    assert.equal(failedCounts[0]! + failedCounts[1]!, stats.failed + stats.inReview)

    const volumeChart = section.getByRole('group', { name: new RegExp(`^${metrics.charts.volume}\\.`) })
    const bars = await volumeChart.getByRole('link').all()
    const names = await Promise.all(bars.map((bar) => bar.getAttribute('aria-label')))
    const expectedNames = stats.series.map((bar) =>
      metrics.charts.bar(formatDate(locale, new Date(bar.at), ZONE), toMoneyText(user, bar.volume)),
    )
    assert.deepEqual(names, expectedNames)
    // The total names its mode, and the axis starts at zero.
    await section.getByText(metrics.charts.totals.live(toMoneyText(user, stats.volume))).waitFor()
    await section
      .locator('figure')
      .first()
      .getByText(formatAxisMoney(locale, [0n], 'EUR', 2)[0]!, { exact: true })
      .waitFor()

    await user.press(section.getByText(metrics.table.show))
    const last = stats.series.at(-1)!
    const cellsOf = (label: string) =>
      section.getByRole('table', { name: label }).locator('tbody tr').last().locator('td').allTextContents()
    // In the table of amounts, the second column is the volume and the fifth is the net amount.
    const amounts = await cellsOf(metrics.table.amounts)
    assert.ok(amounts[1]?.includes(toMoneyText(user, last.volume)), amounts.join('|'))
    assert.ok(amounts[4]?.includes(toMoneyText(user, last.net)), amounts.join('|'))
    const counts = await cellsOf(metrics.table.counts)
    assert.ok(counts[1]?.includes(formatNumber(locale, last.count)), counts.join('|'))

    // The chart has one tab stop; arrow keys move between bars, and Enter opens one.
    await user.tabTo(bars.at(-1)!)
    const tip = section.locator('figure').first().locator('foreignObject')
    await tip.getByText(formatDate(locale, new Date(last.at), ZONE)).waitFor()
    await tip.getByText(toMoneyText(user, last.volume), { exact: true }).waitFor()
    await user.page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
    await user.page.keyboard.press('ArrowLeft')
    await user.page.keyboard.press('ArrowLeft')
    assert.ok(await bars.at(-3)!.evaluate((bar) => bar === document.activeElement))
    await user.page.keyboard.press('Home')
    assert.ok(await bars[0]!.evaluate((bar) => bar === document.activeElement))
    await user.page.keyboard.press('End')
    await user.page.keyboard.press('Enter')
    const day = dayOf(last.at)
    await user.page.waitForURL(new RegExp(`/transactions\\?.*from=${day}&to=${day}`))
    await user.page.getByText(user.words.payments.total(last.count), { exact: true }).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('the URL contains the time range, the Back button restores the range, and an invalid range is refused', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { range } = user.words.metrics
  await user.open(`/projects/${id}?mode=live`)
  const bars = user.page.locator('figure').first().locator('svg a')
  await bars.first().waitFor()
  assert.equal(await bars.count(), 7)
  await user.press(user.link(range.last(30)))
  await user.page.waitForURL(/days=30/)
  await user.page.waitForFunction(() => document.querySelectorAll('figure:first-of-type svg a').length === 30)
  await user.page.goBack()
  await user.page.waitForFunction(() => document.querySelectorAll('figure:first-of-type svg a').length === 7)
  assert.match(user.page.url(), /mode=live$/)

  await user.press(user.button(range.other))
  await user.type(range.from, '2026-01-01')
  await user.type(range.to, '2026-12-31')
  await user.press(user.button(range.show))
  // A range has at most 92 days.
  await user.page.getByText(range.wrong(92)).waitFor()
  // The test chooses yesterday, because today has no payments in its first minutes.
  const day = dayOf(new Date(Date.now() - 86_400_000).toISOString())
  await user.type(range.from, day)
  await user.type(range.to, day)
  await user.press(user.button(range.show))
  await user.page.waitForURL(new RegExp(`from=${day}&to=${day}`))
  await user.page.reload()
  await bars.first().waitFor()
  // One day has a bar for each hour.
  assert.equal(await bars.count(), 24)
  const hintId = await user.page.getByLabel(range.from, { exact: true }).getAttribute('aria-describedby')
  const hint = await user.page.locator(`[id="${hintId}"]`).innerText()
  assert.equal(hint, formatDate(user.locale, new Date(day), 'UTC'))
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('with forced colours, the parts of a bar differ by their pattern', async () => {
  const user = await signIn()
  await user.page.emulateMedia({ forcedColors: 'active' })
  const id = await findProjectId(user, 'Tezga')
  await user.open(`/projects/${id}`)
  const rateChart = user.page.locator('figure').nth(1)
  await rateChart.locator('svg a').first().waitFor()
  const fills = await rateChart
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
  await user.close()
})

test('first steps that are done outside the portal count too, and the list is hidden when all steps are done', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { overview } = user.words.projects
  await user.open(`/projects/${id}`)
  await user.page.getByText(overview.stepsDone(5, 6)).waitFor()
  const { secret } = await getJson<{ secret: string }>(user, `/portal/api/projects/${id}/test-secret`)
  const order = { projectId: id, customId: 'order-1' }
  const data = { ...order, hash: signStatusHash(order, secret) }
  const response = await user.context.request.post('/sdk/transaction/checkStatus', { data })
  assert.equal(response.status(), 200)
  await user.page.getByText(overview.firstSteps).waitFor({ state: 'detached' })
  await user.page.reload()
  await user.page.getByText(overview.quick).waitFor()
  assert.equal(await user.page.getByText(overview.firstSteps).count(), 0)
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('an unused project shows its first steps, but neither zeros nor empty charts', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Moj prvi projekat')
  const { projects, metrics } = user.words
  await user.open(`/projects/${id}`)
  await user.page.getByText(projects.overview.stepsDone(1, 6)).waitFor()
  await user.page.getByText(projects.overview.lastDeliveries).waitFor()
  await user.page.waitForLoadState('networkidle')
  assert.equal(await user.page.getByText(metrics.title, { exact: true }).count(), 0)
  assert.equal(await user.page.locator('figure').count(), 0)
  await user.close()
})

test('the list of projects makes one request for the stats of today', async () => {
  const calls: RecordedRequest[] = []
  const user = await signIn({}, calls)
  const id = await findProjectId(user, 'Tezga')
  type Today = { projects: { projectId: string; volume: string }[] }
  const { projects } = await getJson<Today>(user, '/portal/api/projects/today')
  await user.open('/projects')
  const volume = projects.find(({ projectId }) => projectId === id)?.volume ?? ''
  const card = user.page.locator('li', { hasText: 'Tezga' })
  // In the first minutes of a day, the project may have no payment of that day.
  const { noneToday } = user.words.projects.list
  await card.getByText(toMoneyText(user, volume), { exact: true }).or(card.getByText(noneToday)).waitFor()
  await card.getByText(user.words.projects.list.lastCallback).waitFor()
  await user.page.waitForLoadState('networkidle')
  const requested = calls
    .map((call) => call.path)
    .filter((address) => address.startsWith('/portal/api/projects/'))
  assert.deepEqual(requested, ['/portal/api/projects/today'])
  await user.close()
})

test('failures are grouped by cause, and a cause links to its callbacks in the log', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { failures, deliveries } = user.words
  // Opening the portal sets the language cookie, so that the response below is in the user's language.
  await user.open('/projects')
  await user.page.waitForSelector('ul code')
  const found = await getJson<{ causes: { cause: string; outcome: string }[] }>(
    user,
    `/portal/api/projects/${id}/failures`,
  )
  const [firstCause] = found.causes
  assert.ok(firstCause, 'the demo has a callback that did not arrive')
  for (const page of ['', '/deliveries']) {
    await user.open(`/projects/${id}${page}`)
    await user.page.getByText(firstCause.cause).first().waitFor()
    await user.press(user.link(failures.showCause(firstCause.cause)))
    await user.page.waitForURL(new RegExp(`/deliveries\\?.*outcome=${firstCause.outcome}&from=`))
    assert.equal(await user.page.getByLabel(deliveries.filters.outcome).inputValue(), firstCause.outcome)
    await user.page.locator('tbody tr').first().waitFor()
  }
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('failed callbacks are titled "not delivered" only if none of them will be retried', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { failures } = user.words
  const { count } = await getJson<{ count: number }>(user, `/portal/api/projects/${id}/failures`)
  type List = { items: { lastAttempt: object | null }[] }
  const { items } = await getJson<List>(
    user,
    `/portal/api/projects/${id}/deliveries?mode=live&status=pending`,
  )
  const titleOf = (retried: boolean) =>
    `${failures.since(7)}: ${(retried ? failures.open : failures.givenUp).title(count)}`
  await user.open(`/projects/${id}?mode=live`)
  await user.page
    .getByText(titleOf(items.some(({ lastAttempt }) => lastAttempt !== null)), { exact: true })
    .waitFor()
  for (const items of [[], [{}]]) {
    const json = { items, nextCursor: null }
    await intercept(user.page, /deliveries\?.*status=pending/, (route) => route.fulfill({ json }))
    await user.page.reload()
    await user.page.getByText(titleOf(items.length > 0), { exact: true }).waitFor()
  }
  await user.page.unrouteAll({ behavior: 'ignoreErrors' })
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('all numbers are above the charts, and a phone does not show the response time', async () => {
  const user = await signIn()
  const id = await findProjectId(user, 'Tezga')
  const { metrics } = user.words
  const listNames = () =>
    user.page
      .getByRole('region', { name: metrics.title })
      .locator('dt, figure')
      .evaluateAll((all) => all.map((one) => (one.matches('figure') ? 'chart' : one.textContent)))
  await user.open(`/projects/${id}?mode=live`)
  await user.page.locator('figure').first().waitFor()
  const { volume, refunded, disputed, net, rate, responseTime, failed } = metrics
  const charts = ['chart', 'chart', 'chart']
  assert.deepEqual(await listNames(), [
    ...[volume, refunded, disputed, net, rate, responseTime, failed],
    ...charts,
  ])
  await user.page.setViewportSize({ width: 390, height: 844 })
  const onPhone = [volume, net, refunded, disputed, rate, failed, ...charts]
  await until(async () => !(await listNames()).includes(responseTime))
  assert.deepEqual(await listNames(), onPhone)
  await user.close()
})
