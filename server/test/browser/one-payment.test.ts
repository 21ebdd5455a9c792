// Double clicks, several tabs, Back and reload do not make a second payment.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Statement } from '../../src/db/pool.ts'
import { rows } from '../accounts.ts'
import { shareBrowser } from '../browser.ts'
import { toTransactionId } from '../payer.ts'
import { PayerTrip } from './payer-trip.ts'
import { startPayerWorld } from './payer-world.ts'
import { watchPage } from './watched-page.ts'

const world = await startPayerWorld()
const { deps } = world.service
const browser = await shareBrowser()

const newOrderId = () => `order-${randomUUID()}`

async function countCharges(data: string): Promise<number> {
  const sql = `select c.id from sandbox_charges c join transactions t on t.id = c.id
    where t.data = $1 and c.status = 'succeeded'`
  return (await rows(deps.db, sql, [data])).length
}

const watched = await watchPage(browser, { viewport: { width: 390, height: 800 } })

async function start() {
  await watched.renew()
  return { page: watched.page, trip: new PayerTrip(world, watched.page, 'en') }
}

const readHeading = async (page: Page) => (await page.textContent('h1')) ?? ''
/** The Pay button. The button that mails a receipt has no attribute `type`, so this selector does not match that button. */
const button = 'main form button[type=submit]'

for (const customId of [undefined, newOrderId()]) {
  const orderText = customId ? 'with customId' : 'without customId'

  test(`a double click makes one payment (${orderText})`, async () => {
    const { page, trip } = await start()
    const data = `double ${orderText} ${randomUUID()}`
    await trip.goto(trip.link({ data, customId }))
    await page.dblclick(button)
    await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
    assert.equal(await countCharges(data), 1)
  })

  test(`Back, reload and opening the link again show the payment and do not pay again (${orderText})`, async () => {
    const { page, trip } = await start()
    const data = `back ${orderText} ${randomUUID()}`
    const link = trip.link({ data, customId: customId && newOrderId() })
    await trip.goto(link)
    await page.click(button)
    await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
    for (const reopen of [() => page.goBack(), () => page.reload(), () => trip.goto(link)]) {
      await reopen()
      await page.waitForSelector('#print:visible')
      assert.equal(await readHeading(page), 'You have already paid')
      assert.equal(await page.locator(button).count(), 0)
    }
    assert.equal(await page.getByText('Pay again only if').count(), customId ? 0 : 1)
    assert.equal(await countCharges(data), 1)
  })

  test(`two windows of one browser on the same link make one payment, and both return with its id (${orderText})`, async () => {
    const { page, trip } = await start()
    const data = `windows ${orderText} ${randomUUID()}`
    const link = trip.link({ data, customId: customId && newOrderId() })
    const second = await page.context().newPage()
    await trip.goto(link)
    await second.goto(world.normal.baseUrl + link)
    await page.click(button)
    await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
    await second.click(button)
    await second.waitForURL(`${world.shopUrl}/hvala?status=success*`)
    assert.equal(toTransactionId(second.url()), toTransactionId(page.url()))
    assert.equal(await countCharges(data), 1)
  })
}

/** Delays the next two requests for a link until both have arrived, so that neither page has the other's cookie. */
function openTogether(): void {
  const { db } = deps
  const bothArrived = Promise.withResolvers<void>()
  let waiting = 0
  const query = async <Row extends object>(statement: Statement, values: readonly unknown[] = []) => {
    if (statement.name === 'checkout.find_target') {
      // Queries of one turn of the event loop are sent as one statement. Each value is then an array with one entry per query.
      waiting += (values[0] as readonly unknown[]).length
      if (waiting >= 2) {
        deps.db = db
        bothArrived.resolve()
      }
      await bothArrived.promise
    }
    return db.query<Row>(statement, values)
  }
  deps.db = { ...db, query }
}

/** Presses Pay, and once more if the page warns that the link is open in another window. */
async function pressUntilPaid(page: Page): Promise<void> {
  await page.click(button)
  await page.waitForSelector(
    '[role=alert], h1:text-is("Shop"), h1:text-is("Payment complete"), h1:text-is("You have already paid")',
  )
  if ((await page.locator('[role=alert]').count()) === 0) return
  assert.match((await page.textContent('[role=alert]')) ?? '', /also open in another window/)
  await page.click(button)
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
}

for (const timing of ['one after the other', 'at the same moment']) {
  test(`two tabs without customId make one payment if Pay is pressed ${timing}`, async () => {
    const { page, trip } = await start()
    const data = `tabs ${randomUUID()}`
    const link = trip.link({ data })
    const tabs = [page, await page.context().newPage()] as const
    openTogether()
    // The two tabs open different URLs, because Chromium never has two requests for the same URL at a time.
    await Promise.all(tabs.map((tab, index) => tab.goto(`${world.normal.baseUrl}${link}&utm_id=${index}`)))
    if (timing === 'at the same moment') await Promise.all(tabs.map(pressUntilPaid))
    else for (const tab of tabs) await pressUntilPaid(tab)
    assert.equal((await rows(deps.db, 'select id from transactions where data = $1', [data])).length, 1)
    assert.equal(await countCharges(data), 1)
  })
}

test('a page restored from the history cache is reloaded and shows that another window has paid', async () => {
  const { page, trip } = await start()
  const link = trip.link({ data: `cached ${randomUUID()}` })
  await trip.goto(link)
  const other = await page.context().newPage()
  await other.goto(world.normal.baseUrl + link)
  await other.click(button)
  await other.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  assert.equal(await page.locator(button).count(), 1)
  // The test browser has no history cache, so the test dispatches the event of a restored page.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await page.waitForSelector('#print:visible')
  assert.equal(await readHeading(page), 'You have already paid')
  assert.equal(await page.locator(button).count(), 0)
})

test('a reload that sends the same form again makes no second payment', async () => {
  const { page, trip } = await start()
  const data = `resend ${randomUUID()}`
  await trip.goto(trip.link({ data, amount: '4000' }))
  await page.click(button)
  await page.waitForSelector('[role=alert]')
  await page.reload() // The browser posts the same token again.
  await page.waitForSelector('[role=alert]')
  assert.equal((await rows(deps.db, 'select id from transactions where data = $1', [data])).length, 1)
})

test('to pay a second time, the payer must click “Pay again” and then press Pay', async () => {
  const { page, trip } = await start()
  const data = `pay again ${randomUUID()}`
  const link = trip.link({ data })
  await trip.pay(link)
  await trip.goto(link)
  await page.getByText('Pay again', { exact: true }).click()
  await page.waitForSelector(button)
  assert.equal(await countCharges(data), 1)
  await page.click(button)
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  assert.equal(await countCharges(data), 2)
})
