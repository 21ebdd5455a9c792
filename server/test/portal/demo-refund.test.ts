// A payment in the demo is refunded in two parts. The shop and the portal show both refunds.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { StatementView, StatsView } from '@pazar/contract'
import { formatMoney, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { words as shopWordsOf } from '../../../examples/shop/src/words.ts'
import { pickCases } from '../counts.ts'
import { until } from '../until.ts'
import { findProjectId, signInToDemo } from './demo-user.ts'
import type { PortalUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const portal = await startPortal()
const { shopUrl, password } = portal.service

const toMoneyText = (locale: Locale, amount: string | bigint) => formatMoney(locale, BigInt(amount), 'EUR', 2)

async function buy(user: PortalUser): Promise<string> {
  const texts = shopWordsOf[user.locale]
  const { page } = user
  await page.goto(`${shopUrl}/?lang=${user.locale}`)
  await user.press(user.button(`${texts.buy}: ${texts.goods.coffee.name}`))
  await page.waitForURL(/\/pay\?/)
  await user.press(page.locator('main form button'))
  await page.waitForURL((url) => url.href.startsWith(`${shopUrl}/orders/`))
  await page.locator('h1', { hasText: texts.states.paid.label }).waitFor()
  return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!)
}

async function waitForOrder(
  user: PortalUser,
  orderId: string,
  state: 'partlyRefunded' | 'refunded',
  refundAmounts: readonly string[],
): Promise<void> {
  const texts = shopWordsOf[user.locale]
  const tab = await user.context.newPage()
  await until(async () => {
    await tab.goto(`${shopUrl}/orders/${orderId}?lang=${user.locale}`)
    return (await tab.locator('h1').innerText()).includes(texts.states[state].label)
  }, `the shop shows ${state}`)
  const refunded = tab.locator('dl > div').filter({ hasText: texts.facts.refunded })
  const sum = toMoneyText(
    user.locale,
    refundAmounts.reduce((all, amount) => all + BigInt(amount), 0n),
  )
  const listed = refundAmounts.map((amount) => toMoneyText(user.locale, amount)).join(' + ')
  assert.equal(
    await refunded.locator('dd').textContent(),
    refundAmounts.length > 1 ? `${sum} (${listed})` : sum,
  )
  await tab.close()
}

/** With `reason`, makes the first refund, which is partial and needs the password. Without `reason`, refunds the rest. */
async function refundInDrawer(user: PortalUser, amount: string, reason?: string): Promise<void> {
  const { drawer: texts, refund } = user.words.payments
  const drawer = user.page.getByRole('dialog', { name: texts.title })
  const dialog = user.page
    .getByRole('dialog', { name: refund.title })
    .or(user.page.getByRole('dialog', { name: refund.doneTitle }))
    .or(user.page.getByRole('dialog', { name: user.words.deliveries.events['refund.result'], exact: true }))
  const amountText = toMoneyText(user.locale, amount)
  await user.press(user.button(texts.refund, drawer))
  if (reason !== undefined) {
    await user.type(refund.amount, user.locale === 'en' ? '7.50' : '7,50', dialog)
    await user.type(refund.reason, reason, dialog)
  }
  await user.press(user.button(refund.submit(amountText), dialog))
  if (reason !== undefined) await user.confirmPassword(password)
  await dialog.getByText(`${refund.results.succeeded(amountText)} ${refund.results.wait}`).waitFor()
  await user.press(dialog.getByText(refund.close, { exact: true }))
  await dialog.waitFor({ state: 'detached' })
}

async function getJson<T>(user: PortalUser, path: string): Promise<T> {
  const response = await user.context.request.get(path)
  assert.equal(response.status(), 200, await response.text())
  return (await response.json()) as T
}

async function checkLog(user: PortalUser, projectId: string, orderId: string): Promise<void> {
  const { deliveries, payments } = user.words
  const refunds = user.page
    .locator('tbody tr')
    .filter({ hasText: deliveries.events['refund.result'] })
    .filter({ hasText: payments.callbackStates.delivered })
  await until(async () => {
    await user.open(`/projects/${projectId}/deliveries?mode=live&q=${orderId}`)
    await user.page.locator('tbody tr').first().waitFor()
    return (await refunds.count()) === 2
  }, 'both refunds are in the delivery log')
  await user.press(refunds.first().getByRole('link'))
  const drawer = user.page.getByRole('dialog', { name: deliveries.drawer.title })
  await drawer.getByText('"refund.result"').first().waitFor()
  assert.match(await drawer.innerText(), /"refundedTotal": "1500"/)
}

async function checkStatement(user: PortalUser, projectId: string, transactionId: string): Promise<void> {
  const { statement: texts } = user.words
  await user.open(`/projects/${projectId}/statement?mode=live`)
  const saved = user.page.waitForEvent('download')
  await user.press(user.link(texts.csv))
  const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n')
  const csvRows = lines.filter((line) => line.includes(transactionId)).map((line) => line.split(/[,;]/))
  assert.deepEqual(
    csvRows.map(([, type, amount]) => `${type} ${amount}`),
    ['payment 1500', 'refund -750', 'refund -750'],
  )
  // The seventh column is the day of the entry.
  const month = csvRows[0]![6]!.slice(0, 'YYYY-MM'.length)
  const path = `/portal/api/projects/${projectId}/statement?month=${month}`
  const { totals } = await getJson<StatementView>(user, path)
  const sums = user.page.locator('dl').first()
  await sums.getByText(toMoneyText(user.locale, -BigInt(totals.refunds)), { exact: true }).waitFor()
  await sums.getByText(toMoneyText(user.locale, totals.net), { exact: true }).waitFor()
}

async function checkOverview(user: PortalUser, projectId: string): Promise<void> {
  const { metrics } = user.words
  const stats = await getJson<StatsView>(user, `/portal/api/projects/${projectId}/stats`)
  assert.ok(stats.refunds >= 2 && BigInt(stats.refunded) >= 1500n)
  await user.open(`/projects/${projectId}?mode=live`)
  const section = user.page.getByRole('region', { name: metrics.title })
  for (const amount of [stats.volume, String(-BigInt(stats.refunded)), stats.net])
    await section.getByText(toMoneyText(user.locale, amount), { exact: true }).first().waitFor()
  await user.press(user.link(metrics.refunds(stats.refunds), section))
  await user.page.waitForURL(/\/transactions\?.*status=refunded/)
}

for (const locale of pickCases('browserVariants', LOCALES, { startAt: 1 }))
  test(`in ${locale}, by keyboard: the shop and the portal show both refunds of a payment`, async () => {
    const user = await signInToDemo(portal, { locale, input: 'keyboard' })
    const { payments } = user.words
    const projectId = await findProjectId(user, 'Tezga')
    const orderId = await buy(user)

    await user.open(`/projects/${projectId}/transactions?mode=live&q=${orderId}`)
    await user.press(user.page.locator('tbody tr').getByRole('link'))
    const drawer = user.page.getByRole('dialog', { name: payments.drawer.title })
    await refundInDrawer(user, '750', 'Oštećena kutija')
    await drawer.getByText(payments.moneyBack.partlyRefunded).waitFor()
    await waitForOrder(user, orderId, 'partlyRefunded', ['750'])
    await refundInDrawer(user, '750')
    await drawer.getByText(payments.moneyBack.refunded, { exact: true }).first().waitFor()
    await waitForOrder(user, orderId, 'refunded', ['750', '750'])
    const refunds = drawer.getByRole('listitem').filter({ hasText: toMoneyText(locale, '750') })
    assert.equal(await refunds.count(), 2)
    await drawer.getByText('Oštećena kutija').waitFor()

    const transactionId = new URL(user.page.url()).searchParams.get('row')!
    await checkLog(user, projectId, orderId)
    await checkStatement(user, projectId, transactionId)
    await checkOverview(user, projectId)
    assert.deepEqual(user.faults, [])
    await user.close()
  })
