// These payers have no JavaScript, use only the keyboard, lose the connection, or go back. Sandbox amounts: 4000 and 4001
// are declined, 4003 gets no response, 4004 requires a step at the bank.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { rows } from '../accounts.ts'
import { shareBrowser } from '../browser.ts'
import { toTransactionId } from '../payer.ts'
import { until } from '../until.ts'
import { PayerTrip } from './payer-trip.ts'
import { startPayerWorld } from './payer-world.ts'
import { watchPage } from './watched-page.ts'

const world = await startPayerWorld()
const { deps } = world.service
const browser = await shareBrowser()

const newOrderId = () => `order-${randomUUID()}`

const viewport = { width: 390, height: 800 }
const pages = {
  withScript: await watchPage(browser, { viewport }),
  withoutScript: await watchPage(browser, { viewport, javaScriptEnabled: false }),
}

async function start(javaScriptEnabled = true, locale: 'en' | 'cnr' = 'en') {
  const watched = javaScriptEnabled ? pages.withScript : pages.withoutScript
  await watched.renew()
  return { watched, page: watched.page, trip: new PayerTrip(world, watched.page, locale) }
}

const readHeading = async (page: Page) => (await page.textContent('h1')) ?? ''
const button = 'main form button'

for (const [locale, words] of [
  ['en', { pay: 'Pay €40.04', again: 'Try again: pay €40.04', declined: 'The payment did not go through' }],
  [
    'cnr',
    {
      pay: 'Plati 40,04\u00a0€',
      again: 'Pokušaj ponovo: plati 40,04\u00a0€',
      declined: 'Plaćanje nije uspjelo',
    },
  ],
] as const) {
  test(`without script, a payer can pay again after the bank has declined, and is redirected to the merchant (${locale})`, async () => {
    const { watched, page, trip } = await start(false, locale)
    // English is tested with a brand, Montenegrin without.
    const toLink = locale === 'en' ? trip.brandedLink.bind(trip) : trip.link.bind(trip)
    await trip.goto(toLink({ amount: '4004', customId: newOrderId() }))
    assert.equal(await page.textContent(button), words.pay)
    await page.click(button)
    await page.waitForURL(/\/sandbox\/bank\//)
    await page.click('button[value=decline]')
    await page.waitForURL(/\/pay\/[^?]+\?return=1/)
    assert.equal(await readHeading(page), words.declined)
    assert.equal(await page.textContent(button), words.again)
    await page.click(button)
    await page.waitForURL(/\/sandbox\/bank\//)
    await page.click('button[value=approve]')
    await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
    assert.deepEqual(watched.faults, [])
  })
}

test('without script, the page of an open payment reloads until it redirects to the merchant', async () => {
  const { page, trip } = await start(false)
  await trip.goto(trip.link({ amount: '4003' }))
  await page.click(button)
  await page.waitForURL(/\/pay\/[^?]+\?return=1/)
  assert.equal(await readHeading(page), 'Your payment is being processed')
  const id = toTransactionId(page.url())
  // The upstream reports the charge late.
  await world.set(
    "insert into sandbox_charges (id, amount, currency, status) values ($1, 4003, 'EUR', 'succeeded')",
    id,
  )
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
})

test('with script, the page of an open payment polls until it redirects to the merchant', async () => {
  const { watched, page, trip } = await start()
  await trip.goto(trip.link({ amount: '4003' }))
  await page.click(button)
  await page.waitForURL(/\/pay\/[^?]+\?return=1/)
  const id = toTransactionId(page.url())
  await until(() => watched.requests.filter((one) => one.endsWith(`/pay/${id}`)).length >= 1)
  assert.equal(await readHeading(page), 'Your payment is being processed')
  await world.set(
    "insert into sandbox_charges (id, amount, currency, status) values ($1, 4003, 'EUR', 'succeeded')",
    id,
  )
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  assert.deepEqual(watched.faults, [])
})

test('with the keyboard alone, the first Tab focuses the button, and Enter pays', async () => {
  const { page, trip } = await start()
  await trip.goto(trip.link())
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BUTTON')
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineWidth)
  assert.equal(outline, '3px')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
})

test('after a decline the reason has the focus, and the next Tab moves it to the button', async () => {
  const { page, trip } = await start()
  await trip.pay(trip.link({ amount: '4000' }))
  await page.waitForSelector('[role=alert]:focus')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Try again: pay €40.00')
})

test('after Pay is pressed, the button shows “Processing…” and ignores a second press, and links are hidden', async () => {
  const { watched, page, trip } = await start()
  await trip.goto(trip.link())
  // One script does all this before the browser leaves the page.
  const [before, first, second] = await page.evaluate(() => {
    const one = document.querySelector<HTMLElement>('main form button')!
    const read = () => ({
      width: one.getBoundingClientRect().width,
      text: one.textContent,
      isDisabled: one.getAttribute('aria-disabled'),
      note: !document.querySelector<HTMLElement>('#submitting')!.hidden,
      hasLinks: [...document.querySelectorAll('a')].some((link) => link.checkVisibility()),
    })
    const press = () => {
      one.click()
      return read()
    }
    return [read(), press(), press()]
  })
  assert.equal(before?.hasLinks, true)
  const pressed = {
    width: before.width,
    text: 'Processing…',
    isDisabled: 'true',
    note: true,
    hasLinks: false,
  }
  assert.deepEqual(first, pressed)
  assert.deepEqual(second, pressed)
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  assert.equal(watched.requests.filter((one) => one.startsWith('POST ')).length, 1)
})

test('without a connection the page shows a message; when the connection is back, the button works', async () => {
  const { page, trip } = await start()
  await trip.goto(trip.link())
  await page.context().setOffline(true)
  await page.click(button, { noWaitAfter: true })
  await page.waitForSelector('#offline:visible')
  assert.match(
    (await page.textContent('#offline')) ?? '',
    /No internet connection.*Without a connection, no payment can be started here\./s,
  )
  await page.context().setOffline(false)
  await page.waitForSelector('#offline', { state: 'hidden' })
  await page.click(button)
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
})

test('after Back from the bank the payer can continue at the bank, or start over, which cancels the first charge', async () => {
  const { page, trip } = await start()
  await trip.goto(trip.link({ amount: '4004' }))
  await page.click(button)
  await page.waitForURL(/\/sandbox\/bank\//)
  const first = toTransactionId(page.url())
  await page.goBack()
  await page.waitForSelector('text=Continue the payment')
  await page.click('text=Continue the payment')
  await page.waitForURL(new RegExp(`/sandbox/bank/${first}`))
  await page.goBack()
  await page.click('text=Start over: pay €40.04')
  await page.waitForURL((url) => url.pathname.startsWith('/sandbox/bank/') && !url.pathname.endsWith(first))
  await page.click('button[value=approve]')
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
  const [firstCharge] = await rows<{ status: string }>(
    deps.db,
    'select status from sandbox_charges where id = $1',
    [first],
  )
  assert.equal(firstCharge?.status, 'cancelled')
})

test('when the payment is made at the bank in another window, the waiting page redirects to the merchant', async () => {
  const { page, trip } = await start()
  const link = trip.link({ amount: '4004' })
  await trip.goto(link)
  await page.click(button)
  await page.waitForURL(/\/sandbox\/bank\//)
  const bank = page.url()
  await trip.goto(link)
  await page.waitForSelector('text=Continue the payment')
  const other = await page.context().newPage()
  await other.goto(bank)
  await other.click('button[value=approve]')
  await page.waitForURL(`${world.shopUrl}/hvala?status=success*`)
})

test('one click shows the same page in the other language', async () => {
  const { page, trip } = await start()
  await trip.pay(trip.link({ amount: '4001', customId: newOrderId() }))
  await page.click('text=Crnogorski')
  await page.waitForSelector('html[lang=sr-Latn-ME]')
  assert.match((await page.textContent('[role=alert]')) ?? '', /Nedovoljno sredstava na računu/)
  await page.click('text=English')
  await page.waitForSelector('html[lang=en]')
  assert.match((await page.textContent('[role=alert]')) ?? '', /Insufficient funds/)
})

test('cancelling redirects to the merchant with status=cancel', async () => {
  const { page, trip } = await start()
  await trip.goto(trip.link({ customId: 'order-7' }))
  await page.click('text=Cancel and return to the merchant')
  await page.waitForURL(`${world.shopUrl}/hvala?status=cancel&customId=order-7`)
})
