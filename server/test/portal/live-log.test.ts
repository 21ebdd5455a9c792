// The delivery log while things happen: it only looks on, what is shown gets on by itself, and only what is new is new.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { newMerchant } from './merchant.ts'
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
