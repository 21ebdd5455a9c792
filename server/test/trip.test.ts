// Tests whole payments in a browser. A payer goes from the sample shop to the pay page, pays in the sandbox and returns to
// the shop. The shop receives the signed callback.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { copyCluster } from './prepared-cluster.ts'
import { startServiceProcess } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'

let dir: string
let service: ServiceProcess
let browser: Browser

before(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'pazar-trip-'))
  await copyCluster(path.join(dir, 'postgres'))
  service = await startServiceProcess({ DATA_DIR: dir, LOG_LEVEL: 'warn' })
  browser = await launchBrowser()
})

after(async () => {
  await browser.close()
  await service.stop()
  await rm(dir, { recursive: true, force: true })
})

async function buy(page: Page, good: string): Promise<void> {
  await page.goto(service.shopUrl)
  await page.click(`button[value="${good}"]`)
  await page.waitForURL(/\/pay\?/)
}

async function newPage(locale: string, javaScriptEnabled = true): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({
    locale,
    javaScriptEnabled,
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  return { page, faults }
}

for (const [locale, script] of [
  ['sr-Latn-ME', true],
  ['sr-Latn-ME', false],
  ['en-GB', true],
  ['en-GB', false],
] as const) {
  test(`a payer pays, and the shop receives the callback (${locale}, script ${script ? 'on' : 'off'})`, async () => {
    const { page, faults } = await newPage(locale, script)
    await buy(page, 'coffee')
    const button = page.locator('form[action^="/pay"] button')
    assert.equal(await button.textContent(), locale === 'en-GB' ? 'Pay €15.00' : 'Plati 15,00\u00a0€')
    await button.click()
    await page.waitForURL(/\/orders\//)
    await page.waitForSelector('.state.result.paid')
    assert.deepEqual(faults, [])
    await page.context().close()
  })
}

test('the page of a declined payment says that no money was taken, and the merchant is notified of the failure', async () => {
  const { page } = await newPage('en-GB')
  await buy(page, 'padlock')
  const orderId = new URL(page.url()).searchParams.get('customId')
  await page.click('form[action^="/pay"] button')
  await page.waitForSelector('[role=alert]')
  assert.match((await page.textContent('[role=alert]')) ?? '', /This attempt was not charged/)
  await page.goto(`${service.shopUrl}/orders/${orderId}`)
  await page.waitForSelector('.state.result.failed')
  await page.context().close()
})

test('a payment without a response from the upstream is looked up, and the shop shows the order as paid', async () => {
  const { page } = await newPage('en-GB')
  await buy(page, 'pigeon')
  await page.click('form[action^="/pay"] button')
  await page.waitForURL(/\/orders\//, { timeout: 30_000 })
  await page.waitForSelector('.state.result.paid')
  await page.context().close()
})

test('a payer who approves on the bank’s page returns to the shop, and the order is paid', async () => {
  const { page } = await newPage('en-GB')
  await buy(page, 'piggyBank')
  await page.click('form[action^="/pay"] button')
  await page.waitForURL(/\/sandbox\/bank\//)
  await page.click('button[value=approve]')
  await page.waitForURL(/\/orders\//)
  await page.waitForSelector('.state.result.paid')
  await page.context().close()
})

test('after kill -9 and a restart, the service still has the payment', async () => {
  const { page } = await newPage('en-GB')
  await buy(page, 'coffee')
  await page.click('form[action^="/pay"] button')
  await page.waitForSelector('.state.result.paid')
  const transactionId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
    (await page.textContent('main')) ?? '',
  )?.[0]
  const { password } = service
  await page.context().close()

  await service.kill()
  service = await startServiceProcess({ DATA_DIR: dir, LOG_LEVEL: 'warn' })
  assert.equal(service.password, password)
  const response = await fetch(`${service.baseUrl}/pay/${transactionId}`, {
    headers: { accept: 'application/json' },
  })
  assert.equal(response.status, 200)
  assert.equal(((await response.json()) as { status: string }).status, 'succeeded')
})

test('on SIGTERM the service exits with 0, and it can be started again', async () => {
  assert.equal(await service.stop(), 0)
  service = await startServiceProcess({ DATA_DIR: dir, LOG_LEVEL: 'warn' })
})
