// Payers' pages on a bad connection, or without one. The sandbox amount 4003 gets no response, so the payment stays open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareBrowser } from '../browser.ts'
import { toTransactionId } from '../payer.ts'
import { until } from '../until.ts'
import { PayerTrip } from './payer-trip.ts'
import { startPayerWorld } from './payer-world.ts'
import { watchPage } from './watched-page.ts'

const world = await startPayerWorld()
const browser = await shareBrowser()

async function start() {
  const watched = await watchPage(browser)
  return { watched, page: watched.page, trip: new PayerTrip(world, watched.page, 'en') }
}

const button = 'main form button'

test('the page of an open payment polls again after a response that is no JSON', async () => {
  const { watched, page, trip } = await start()
  await trip.goto(trip.link({ amount: '4003' }))
  let replaced = 0
  await page.route(/\/pay\/[^/?]+$/, async (route) => {
    replaced += 1
    if (replaced > 1) return route.fallback()
    return route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in to the Wi-Fi</h1>' })
  })
  await page.click(button)
  await page.waitForURL(/\/pay\/[^?]+\?return=1/)
  await world.set(
    "insert into sandbox_charges (id, amount, currency, status) values ($1, 4003, 'EUR', 'succeeded')",
    toTransactionId(page.url()),
  )
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  assert.ok(replaced > 1)
  assert.deepEqual(watched.faults, [])
  await watched.close()
})

test('the page of an open payment polls again after a request that gets no response', async () => {
  const { watched, page, trip } = await start()
  await page.clock.install()
  await trip.goto(trip.link({ amount: '4003' }))
  let polls = 0
  await page.route(/\/pay\/[^/?]+$/, () => void (polls += 1)) // The handler never responds.
  await page.click(button)
  await page.waitForURL(/\/pay\/[^?]+\?return=1/)
  await page.clock.runFor(2_000)
  await until(() => polls === 1)
  await page.clock.runFor(20_000)
  await until(async () => {
    await page.clock.runFor(3_000)
    return polls > 1
  })
  await page.clock.runFor(100_000)
  await page.waitForSelector('#slow:visible')
  await watched.close()
})

test('if a payer requests a receipt without a connection, the form is still sent, so that the browser shows why the request fails', async () => {
  const { watched, page, trip } = await start()
  await trip.goto(trip.link())
  await page.click(button)
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  await trip.goto(`/pay/${toTransactionId(page.url())}`)
  await page.click('summary')
  await page.fill('input[name=email]', 'ana@example.com')
  await page.context().setOffline(true)
  const [failed] = await Promise.all([
    page.waitForEvent('requestfailed'),
    page.click('details button', { noWaitAfter: true }),
  ])
  assert.match(failed.url(), /\/receipt$/)
  await watched.close()
})
