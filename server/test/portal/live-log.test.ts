// The delivery log and the list of payments while things happen: they only look on, what is shown gets on by itself, and
// only what is new is new.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openLink, pressPay } from '../http-payer.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { newMerchant } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const shop = await startMerchant()
after(() => shop.close())
const { service, browser } = await startPortal({ CALLBACK_ALLOW_HOSTS: shop.pair })
const { one, projectId } = await newMerchant(browser, service.baseUrl, shop.url)
const { words } = one
const log = `/projects/${projectId}/deliveries?mode=test`
const rows = one.page.locator('tbody tr')

async function sendTest(status: 'success' | 'fail' = 'success'): Promise<void> {
  const answer = await one.context.request.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    data: { status, amount: '1500' },
  })
  assert.equal(answer.status(), 200)
}

test('a test callback reaches the shop while the log is open, from the page’s own button too', async () => {
  await one.open(log)
  await one.press(one.button(words.deliveries.test))
  await one.page
    .getByText(/HTTP 200/)
    .first()
    .waitFor()
  assert.equal(shop.received.length, 1)
})

test('what is sent again gets on in the drawer and in its row, without a reload', async () => {
  await one.open(log)
  await rows.first().getByRole('link').click()
  const drawer = one.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.drawer.attempt(1)).waitFor()
  let held: ServerResponse | null = null
  shop.reply = (answer) => {
    held = answer
  }
  await one.press(one.button(words.deliveries.resendAgain, drawer))
  await one.press(one.button(words.deliveries.resendAgain, one.page.getByRole('dialog').last()))
  const waiting = await until(() => held, 'the shop is asked again')
  // It had arrived before, so nothing has failed.
  assert.equal(await one.page.getByText(words.payments.callbackStates.retrying).count(), 0)
  waiting.writeHead(204).end()
  await drawer.getByText(words.deliveries.drawer.attempt(2)).waitFor()
  await drawer.getByText(words.payments.callbackStates.delivered).waitFor()
  await one.page.keyboard.press('Escape')
  await rows.first().getByText('HTTP 204').waitFor()
})

test('an answer that was read before the callback arrived does not stand in for the later one', async () => {
  shop.reply = (answer) => answer.writeHead(200).end()
  await one.open(log)
  await rows.first().getByRole('link').click()
  const drawer = one.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.drawer.attempt(2)).waitFor()
  let asked: ServerResponse | null = null
  shop.reply = (answer) => {
    asked = answer
  }
  // The first answer for the list and for the drawer is on its way until the end.
  const released = Promise.withResolvers<void>()
  const slow = new Set<string>()
  await intercept(one.page, /\/deliveries[/?][^/]*$/, async (route) => {
    const kind = route.request().url().includes('?') ? 'list' : 'drawer'
    if (slow.has(kind)) return route.continue()
    const response = await route.fetch()
    slow.add(kind)
    await released.promise
    return route.fulfill({ response }).catch(() => undefined) // The page may have given it up by then.
  })
  await one.press(one.button(words.deliveries.resendAgain, drawer))
  await one.press(one.button(words.deliveries.resendAgain, one.page.getByRole('dialog').last()))
  const waiting = await until(() => (slow.size === 2 ? asked : null), 'both are read, and the shop is asked')
  waiting.writeHead(202).end()
  await drawer.getByText(words.deliveries.drawer.attempt(3)).waitFor()
  await rows.first().getByText('HTTP 202').waitFor({ state: 'attached' })
  released.resolve()
  await one.page.unrouteAll({ behavior: 'wait' })
  await one.page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await rows.first().getByText('HTTP 202').waitFor()
})

test('a new one is announced and not pushed in; one that the filter leaves out is not announced', async () => {
  shop.reply = (answer) => answer.writeHead(200).end()
  await one.open(log)
  await rows.first().waitFor()
  const before = await rows.count()
  await sendTest()
  await one.page.getByRole('button', { name: words.frame.newRows(1) }).waitFor()
  assert.equal(await rows.count(), before)

  await one.open(`${log}&status=exhausted`)
  await one.page.getByText(words.deliveries.noneTitle).waitFor()
  await sendTest()
  shop.reply = (answer) => answer.writeHead(500).end()
  await sendTest()
  // The second is announced alone, and it came after the first.
  await one.page.getByRole('button', { name: words.frame.newRows(1) }).click()
  await one.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
})

/** What the sandbox declines. */
const DECLINED = '4000'

async function pay(customId: string, amount = '1500'): Promise<void> {
  const answer = await one.context.request.post(`/portal/api/projects/${projectId}/pay-link`, {
    data: { amount, customId, mode: 'test' },
  })
  const { url } = (await answer.json()) as { url: string }
  const { body } = await openLink('', url)
  const { status } = await pressPay(service.baseUrl, String(body['token']))
  assert.equal(status, amount === DECLINED ? 402 : 200)
}

test('a callback whose order was paid meanwhile says so in its drawer, and cannot be sent again', async () => {
  shop.reply = (answer) => answer.writeHead(500).end()
  await pay('overtaken-1', DECLINED)
  const row = rows.filter({ hasText: 'overtaken-1' })
  const { callbackStates } = words.payments
  await one.open(`${log}&q=overtaken-1`)
  await until(async () => {
    await one.page.reload()
    await row.first().waitFor()
    return (await row.getByText(callbackStates.retrying).count()) > 0
  }, 'the shop has refused it')
  shop.reply = (answer) => answer.writeHead(200).end()
  await pay('overtaken-1')
  await one.page.reload()
  await row.filter({ hasText: callbackStates.cancelled }).getByRole('link').click()
  const drawer = one.page.getByRole('dialog', { name: words.deliveries.drawer.title })
  await drawer.getByText(words.deliveries.overtaken).waitFor()
  await drawer.getByText(words.deliveries.drawer.attempt(1)).waitFor()
  assert.equal(await one.button(words.deliveries.resend, drawer).count(), 0)
  assert.equal(await one.button(words.deliveries.resendAgain, drawer).count(), 0)
  assert.equal(await drawer.getByText(words.deliveries.noRetry).count(), 0)
})

const NOT_COUNTED = { total: 10_000, totalExact: false }

/** A list whose answers are the service's own, except that those for which `isOver` holds count no further than allowed. */
async function openList(search: string, isOver: (asked: { from: string }) => boolean): Promise<Page> {
  const page = await one.context.newPage()
  await page.clock.install()
  await page.route('**/sdk/transactions/list', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as object
    const asked = route.request().postDataJSON() as { from: string }
    await route.fulfill({ response, json: isOver(asked) ? { ...list, ...NOT_COUNTED } : list })
  })
  await page.goto(`/en/projects/${projectId}/transactions?mode=test${search}`)
  await page.locator('tbody tr').first().waitFor()
  return page
}

async function awaitNew(page: Page, name: string): Promise<void> {
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

test('a new payment is announced and comes when asked for, also where nobody counts that far', async () => {
  for (let order = 0; order < 21; order += 1) await pay(`many-${order}`)
  const days = `&from=${toDayText(-2)}&to=${toDayText(2)}`
  const startMs = Date.now() - 86_400_000
  const cases: [search: string, isOver: (asked: { from: string }) => boolean][] = [
    ['', () => false],
    [days, ({ from }) => Date.parse(from) < startMs],
    [`${days}&page=2`, ({ from }) => Date.parse(from) < startMs],
    // A search with too many finds is never counted, however few of them are new.
    [`${days}&q=many-`, () => true],
  ]
  for (const [index, [search, isOver]] of cases.entries()) {
    const page = await openList(search, isOver)
    const shown = await page.locator('tbody tr').first().textContent()
    await pay(`many-new-${index}`)
    await awaitNew(page, words.frame.newRows(1))
    await page.waitForFunction((before) => document.querySelector('tbody tr')?.textContent !== before, shown)
    if (!search.includes('page=2'))
      assert.match(
        (await page.locator('tbody tr').first().textContent()) ?? '',
        new RegExp(`many-new-${index}`),
      )
    await page.close()
  }
})
