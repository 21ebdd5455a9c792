// Tests of the lists of callbacks and payments while new callbacks and payments arrive.
// Why this is long: there is one test for each kind of change that the lists must show.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after } from 'node:test'
import { catalogue } from '@pazar/words'
import type { Page } from 'playwright-core'
import { openLink, pressPay } from '../http-payer.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { detailTests } from './detail-tests.ts'
import { newMerchant } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()
const shop = await startMerchant()
after(() => shop.close())
const { service, browser } = await startPortal({ CALLBACK_ALLOW_HOSTS: shop.hostAndPort, DEMO: 'off' })
const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl }, { apiUrl: shop.url })
const { words } = user
const logPath = `/projects/${projectId}/deliveries?mode=test`
const rows = user.page.locator('tbody tr')

async function sendTest(): Promise<void> {
  const response = await user.context.request.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    data: { status: 'success', amount: '1500' },
  })
  assert.equal(response.status(), 200)
}

test('a test callback reaches the merchant’s server while the log is open', async () => {
  await user.open(logPath)
  await user.page.getByText(words.deliveries.emptyTitle).waitFor()
  assert.equal(await user.page.getByLabel(words.deliveries.filters.status).count(), 0)
  await user.press(user.button(words.deliveries.test))
  const accepted = user.page.getByText(/HTTP 200/)
  await accepted.first().waitFor()
  assert.equal(shop.received.length, 1)
  // The button moved from the box of the empty log to the top of the page, and kept the focus.
  await user.page.locator('button:focus', { hasText: words.deliveries.test }).waitFor()
})

test('the drawer says that an unknown payment was not found, and the inbox says that the project does not use the inbox', async () => {
  await user.open(`/projects/${projectId}/transactions?mode=test&row=abcdefghijklmnopqrstuvwx`)
  const dialog = user.page.getByRole('dialog')
  await dialog.getByText(words.payments.drawer.notFound).waitFor()
  await dialog.getByText('abcdefghijklmnopqrstuvwx', { exact: true }).waitFor()
  await user.press(user.button(words.payments.drawer.back, dialog))
  await dialog.waitFor({ state: 'detached' })
  await user.open(`/projects/${projectId}/inbox?mode=test`)
  await user.page.getByText(words.inbox.notUsed).waitFor()
  assert.equal(await user.page.getByText(words.inbox.intro).count(), 0)
})

test('a resend updates the drawer and the row without a reload', async () => {
  await user.open(logPath)
  await rows.first().getByRole('link').click()
  const drawer = user.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.drawer.attempt(1)).waitFor()
  let delayedResponse: ServerResponse | null = null
  shop.reply = (response) => {
    delayedResponse = response
  }
  await user.press(user.button(words.deliveries.resendAgain, drawer))
  await user.press(user.button(words.deliveries.resendAgain, user.page.getByRole('dialog').last()))
  const heldResponse = await until(() => delayedResponse, 'the callback is sent again')
  // The callback was delivered before, so it is not shown as failed.
  assert.equal(await user.page.getByText(words.payments.callbackStates.retrying, { exact: true }).count(), 0)
  heldResponse.writeHead(204).end()
  await drawer.getByText(words.deliveries.drawer.attempt(2)).waitFor()
  await drawer.getByText(words.payments.callbackStates.delivered).waitFor()
  await user.page.keyboard.press('Escape')
  await rows.first().getByText('HTTP 204').waitFor()
})

test('a late response for the list or the drawer does not overwrite a newer state', async () => {
  shop.reply = (response) => response.writeHead(200).end()
  await user.open(logPath)
  await rows.first().getByRole('link').click()
  const drawer = user.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.drawer.attempt(2)).waitFor()
  let pending: ServerResponse | null = null
  shop.reply = (response) => {
    pending = response
  }
  // The first response for the list and the first one for the drawer are delayed until the end.
  const released = Promise.withResolvers<void>()
  const delayedKinds = new Set<string>()
  await intercept(user.page, /\/deliveries[/?][^/]*$/, async (route) => {
    const kind = route.request().url().includes('?') ? 'list' : 'drawer'
    if (delayedKinds.has(kind)) return route.continue()
    const response = await route.fetch()
    delayedKinds.add(kind)
    await released.promise
    return route.fulfill({ response }).catch(() => undefined) // The page may have cancelled the request by then.
  })
  await user.press(user.button(words.deliveries.resendAgain, drawer))
  await user.press(user.button(words.deliveries.resendAgain, user.page.getByRole('dialog').last()))
  const heldResponse = await until(
    () => (delayedKinds.size === 2 ? pending : null),
    'the list and the drawer are requested, and the callback is sent',
  )
  heldResponse.writeHead(202).end()
  await drawer.getByText(words.deliveries.drawer.attempt(3)).waitFor()
  await rows.first().getByText('HTTP 202').waitFor({ state: 'attached' })
  released.resolve()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await rows.first().getByText('HTTP 202').waitFor()
})

test('after a resend, the drawer shows the new attempt although the filter removes the row', async () => {
  shop.reply = (response) => response.writeHead(500).end()
  await sendTest()
  await user.open(`${logPath}&status=exhausted`)
  await rows.first().getByRole('link').click()
  const drawer = user.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.drawer.attempt(1)).waitFor()
  let delayedResponse: ServerResponse | null = null
  shop.reply = (response) => {
    delayedResponse = response
  }
  const reloaded = user.page.waitForResponse(/\/deliveries\/msg_[0-9a-f]+$/)
  await user.press(user.button(words.deliveries.resend, drawer))
  await reloaded
  const heldResponse = await until(() => delayedResponse, 'the callback is sent again')
  await rows.first().waitFor({ state: 'detached' })
  heldResponse.writeHead(204).end()
  await drawer.getByText(words.deliveries.drawer.attempt(2)).waitFor()
  await drawer.getByText(words.payments.callbackStates.delivered, { exact: true }).waitFor()
  shop.reply = (response) => response.writeHead(200).end()
})

test('a new row that matches the filter is announced, and appears when the announcement is pressed', async () => {
  shop.reply = (response) => response.writeHead(200).end()
  await user.open(logPath)
  await rows.first().waitFor()
  const countBefore = await rows.count()
  await sendTest()
  await user.page.getByRole('button', { name: words.frame.newRows(1) }).waitFor()
  assert.equal(await rows.count(), countBefore)

  await user.open(`${logPath}&status=exhausted`)
  await user.page.getByText(words.deliveries.noneTitle).waitFor()
  await sendTest()
  shop.reply = (response) => response.writeHead(500).end()
  await sendTest()
  // Only the second callback matches the filter, so one new row is announced.
  await user.page.getByRole('button', { name: words.frame.newRows(1) }).click()
  await user.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
})

test('after the stream of callbacks was unavailable, the log shows the callbacks that were sent meanwhile', async () => {
  shop.reply = (response) => response.writeHead(200).end()
  await sendTest()
  const page = await user.context.newPage()
  await page.clock.install()
  const refused = Promise.withResolvers<void>()
  await page.route(/\/events\?/, async (route) => {
    await route.fulfill({ status: 503 })
    refused.resolve()
  })
  await page.goto(`/en${logPath}`)
  await page.locator('tbody tr').first().waitFor()
  await refused.promise
  const countBefore = await page.locator('tbody tr').count()
  await sendTest()
  await page.unroute(/\/events\?/)
  await until(async () => {
    await page.clock.runFor(15_000)
    return (await page.locator('tbody tr').count()) === countBefore + 1
  }, 'the missed callback is shown')
  await page.close()
})

const DECLINED = '4000'

async function pay(customId: string, amount = '1500'): Promise<void> {
  const response = await user.context.request.post(`/portal/api/projects/${projectId}/pay-link`, {
    data: { amount, customId, mode: 'test' },
  })
  const { url } = (await response.json()) as { url: string }
  const { body } = await openLink('', url)
  const { status } = await pressPay(service.baseUrl, String(body['token']))
  assert.equal(status, amount === DECLINED ? 402 : 200)
}

test('the callback of a failed payment cannot be resent after its order was paid, and the log says why', async () => {
  shop.reply = (response) => response.writeHead(500).end()
  await pay('overtaken-1', DECLINED)
  const row = rows.filter({ hasText: 'overtaken-1' })
  const { callbackStates } = words.payments
  await user.open(`${logPath}&q=overtaken-1`)
  await until(async () => {
    await user.page.reload()
    await row.first().waitFor()
    return (await row.getByText(callbackStates.retrying).count()) > 0
  }, 'the callback has failed')
  shop.reply = (response) => response.writeHead(200).end()
  await pay('overtaken-1')
  await user.page.reload()
  await row.filter({ hasText: callbackStates.stopped }).getByRole('link').click()
  const drawer = user.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.superseded).waitFor()
  await drawer.getByText(words.deliveries.drawer.attempt(1)).waitFor()
  assert.equal(await user.button(words.deliveries.resend, drawer).count(), 0)
  assert.equal(await user.button(words.deliveries.resendAgain, drawer).count(), 0)
  assert.equal(await drawer.getByText(words.deliveries.noRetry).count(), 0)
})

test('when a resend is refused, the reason is shown beside the button', async () => {
  const { erased } = catalogue('en').fields
  shop.reply = (response) => response.writeHead(500).end()
  await sendTest()
  await user.open(`${logPath}&status=exhausted`)
  await rows.first().getByRole('link').click()
  const drawer = user.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await intercept(user.page, /\/resend$/, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      json: { code: 'invalid_request', errors: [{ path: 'callbackId', code: 'erased', message: erased }] },
    }),
  )
  await user.press(user.button(words.deliveries.resend, drawer))
  await drawer.getByText(erased).waitFor()
  await user.page.unrouteAll({ behavior: 'ignoreErrors' })
})

const INEXACT_TOTAL = { total: 10_000, totalExact: false }

/** Opens the list. If `hasTooMany` returns true for a request, its response has no exact total. */
async function openList(search: string, hasTooMany: (filter: { from: string }) => boolean): Promise<Page> {
  const page = await user.context.newPage()
  await page.clock.install()
  await page.route('**/sdk/transactions/list', async (route) => {
    // A poll may be in progress when the page closes. Its failure must not fail a test.
    const response = await route.fetch().catch(() => null)
    if (response === null) return
    const list = (await response.json()) as object
    const filter = route.request().postDataJSON() as { from: string }
    const json = hasTooMany(filter) ? { ...list, ...INEXACT_TOTAL } : list
    // The page may be closed by now.
    await route.fulfill({ response, json }).catch(() => undefined)
  })
  await page.goto(`/en/projects/${projectId}/transactions?mode=test${search}`)
  await page.locator('tbody tr').first().waitFor()
  return page
}

async function showNewRows(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await until(async () => {
    await page.clock.runFor(10_000)
    return (await button.count()) > 0
  }, `${name} is announced`)
  await button.click()
  await button.waitFor({ state: 'detached' })
}

const toDayText = (offsetDays: number) =>
  new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10)

test('a new payment is announced and appears when the announcement is pressed, even without an exact total', async () => {
  // These are more payments than a page shows.
  for (let order = 0; order < 21; order += 1) await pay(`many-${order}`)
  const days = `&from=${toDayText(-2)}&to=${toDayText(2)}`
  // If the search has days, the response for the list has no exact total. Only the response for the new rows has one. In a
  // request for new rows, `from` is after `startMs`.
  const startMs = Date.now() - 86_400_000
  const cases: [search: string, hasTooMany: (filter: { from: string }) => boolean][] = [
    ['', () => false],
    [days, ({ from }) => Date.parse(from) < startMs],
    [`${days}&page=2`, ({ from }) => Date.parse(from) < startMs],
    // A search with too many hits has no exact total, even for the new rows.
    [`${days}&q=many-`, () => true],
  ]
  for (const [index, [search, hasTooMany]] of cases.entries()) {
    const page = await openList(search, hasTooMany)
    const firstRowText = await page.locator('tbody tr').first().textContent()
    await pay(`many-new-${index}`)
    await showNewRows(page, words.frame.newRows(1))
    await page.waitForFunction(
      (before) => document.querySelector('tbody tr')?.textContent !== before,
      firstRowText,
    )
    if (!search.includes('page=2'))
      assert.match(
        (await page.locator('tbody tr').first().textContent()) ?? '',
        new RegExp(`many-new-${index}`),
      )
    // A poll that is in progress fails when the page closes. That must not fail the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  }
})
