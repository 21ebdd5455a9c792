import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickCases } from '../counts.ts'
import { until } from '../until.ts'
import { newMerchant } from './merchant.ts'
import type { PortalUser, UserOptions } from './portal-browser.ts'
import { payTestOrder } from './pay-test-order.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal({ DEMO: 'off' })

/** A few seconds after a test payment of this amount, the sandbox opens a dispute about the payment. */
const DISPUTED_AMOUNT = '4007'

async function payDisputed(user: PortalUser, projectId: string): Promise<string> {
  const { request } = user.context
  const id = await payTestOrder(user, projectId, { amount: DISPUTED_AMOUNT, customId: 'order-7' })
  await until(async () => {
    const found = await request.get(`/portal/api/projects/${projectId}/open-disputes?mode=test`)
    return ((await found.json()) as { count: number }).count === 1
  })
  return id
}

const VARIANTS: readonly Pick<UserOptions, 'locale' | 'width' | 'theme'>[] = [
  { locale: 'en', width: 390, theme: 'dark' },
  { locale: 'cnr', width: 1280, theme: 'light' },
]

for (const variant of pickCases('browserVariants', VARIANTS, { startAt: 1 })) {
  test(`the overview and the list show a dispute, and the drawer of the payment explains the dispute (${variant.locale})`, async () => {
    const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl, ...variant })
    const { dispute, drawer: texts, moneyBack } = user.words.payments
    await user.open(`/projects/${projectId}?mode=test`)
    await user.page.getByText(user.words.projects.overview.lastTransactions).waitFor()
    assert.equal(await user.page.getByText(dispute.tests.disputes(1)).count(), 0)
    const id = await payDisputed(user, projectId)

    await user.open(`/projects/${projectId}?mode=test`)
    await user.page.getByText(dispute.tests.disputes(1)).waitFor()
    await user.press(user.link(dispute.showAll))
    await user.page.waitForURL(/status=disputed/)
    const listed = user.page.locator('tbody tr', { has: user.page.locator(`a[href*="${id}"]`) })
    await listed.getByText(moneyBack.disputed, { exact: true }).waitFor()
    await user.open(`/projects/${projectId}?mode=test`)
    const money = variant.locale === 'en' ? '€40.07' : '40,07\u00a0€'
    await user.press(user.link(dispute.disputedAmount(money)))
    const drawer = user.page.getByRole('dialog', { name: texts.title })
    await drawer.getByText(dispute.titles.open(money)).waitFor()
    for (const text of [dispute.reasons.fraudulent, dispute.evidenceText.test])
      await drawer.getByText(text).waitFor()
    const shown = (await drawer.textContent()) ?? ''
    // No money is withdrawn in test mode.
    assert.ok(!shown.includes(dispute.texts.open))
    // The deadline is seven days after the dispute, so six or seven days are left.
    assert.match(shown, new RegExp(`${dispute.respondBy}: .*[67]`))
    assert.equal(await user.button(texts.refund, drawer).count(), 0)

    await user.open(`/projects/${projectId}/transactions?mode=test`)
    await user.press(user.link(`${moneyBack.disputed} (1)`))
    await user.page.waitForURL(/status=disputed/)
    await user.page.locator(`tbody tr a[href*="${id}"]`).first().waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}
