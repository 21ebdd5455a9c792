import assert from 'node:assert/strict'
import { after } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import { catalogue, LOCALES } from '@pazar/words'
import { pickCases } from '../counts.ts'
import { startMerchant } from '../merchant.ts'
import { detailTests } from './detail-tests.ts'
import { toHardStatement } from './hard-data.ts'
import { newMerchant } from './merchant.ts'
import { respondWith } from './pages/open-page.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const shop = await startMerchant()
after(() => shop.close())
const { service, browser } = await startPortal({ CALLBACK_ALLOW_HOSTS: shop.hostAndPort, DEMO: 'off' })

for (const locale of pickCases('browserVariants', LOCALES, { startAt: 1 })) {
  test(`if a project receives all events, a dispute callback can be sent and debugged, and the exam has 18 scenarios (${locale})`, async () => {
    const options = { baseUrl: service.baseUrl, locale }
    const { user, projectId } = await newMerchant(browser, options, {
      apiUrl: shop.url,
      events: CALLBACK_EVENTS,
    })
    const { deliveries, exam, debug } = user.words
    shop.received = []
    await user.open(`/projects/${projectId}/deliveries?mode=test`)
    await user.page.getByLabel(deliveries.testEvent).selectOption('dispute.opened')
    await user.press(user.button(deliveries.test))
    await user.page.getByText(deliveries.testDone).waitFor()
    const [received] = shop.received
    assert.ok(received)
    const disputeId = String(received.body['disputeId'])
    await user.page.locator('tbody tr').getByText(deliveries.events['dispute.opened']).waitFor()
    await user.page.locator('tbody tr').getByRole('link').click()
    const drawer = user.page.getByRole('dialog', { name: deliveries.drawer.title })
    await drawer.getByText(deliveries.drawer.dispute, { exact: true }).first().waitFor()
    await drawer.getByText(disputeId, { exact: true }).waitFor()

    await user.open(`/projects/${projectId}/debug?mode=test`)
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const lines = names.map((name) => `${name}: ${String(received.headers[name])}`)
    await user.page
      .locator('textarea')
      .first()
      .fill(`${lines.join('\n')}\n\n${received.raw.toString()}`)
    await user.press(user.button(debug.submit))
    await user.page.getByText(debug.matches).waitFor()
    await user.page.getByText(catalogue(locale).exam.events['dispute.opened']).waitFor()

    await user.open(`/projects/${projectId}/exam?mode=test`)
    await user.page.getByText(exam.scenarios.dispute_closed).waitFor()
    // Eleven scenarios about payments, six about the other events, and one about the response time.
    assert.equal(await user.page.locator('main ul li').count(), 18)
    await user.press(user.button(exam.run))
    await user.press(user.button(exam.ask.submit))
    // This server accepts everything, so it fails the seven scenarios that require a refusal.
    await user.page.getByText(exam.failedSome(7, 18)).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('if a project receives only payment events, a test callback has no choice of events, and the exam has 12 scenarios', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl }, { apiUrl: shop.url })
  const { deliveries, exam } = user.words
  shop.received = []
  await user.open(`/projects/${projectId}/exam?mode=test`)
  await user.page.getByText(exam.scenarios.in_time).waitFor()
  assert.equal(await user.page.locator('main ul li').count(), 12)
  assert.equal(await user.page.getByText(exam.scenarios.refund).count(), 0)
  await user.open(`/projects/${projectId}/deliveries?mode=test`)
  await user.press(user.button(deliveries.test))
  await user.page.getByText(deliveries.testDone).waitFor()
  assert.equal(await user.page.getByLabel(deliveries.testEvent).count(), 0)
  assert.deepEqual(
    shop.received.map(({ body }) => body['event']),
    ['payment.result'],
  )
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('the largest sums of a statement fit on one line, and the note about fees is above them', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl }, { apiUrl: shop.url })
  await user.open(`/projects/${projectId}/status`)
  await respondWith(user.page, `GET /portal/api/projects/${projectId}/statement?*`, 200, toHardStatement())
  for (const width of [390, 1280]) {
    await user.page.setViewportSize({ width, height: 800 })
    await user.open(`/projects/${projectId}/statement?month=2026-10`)
    await user.page.locator('tfoot tr').waitFor()
    const heights = await user.page
      .locator('main dl dd')
      .evaluateAll((sums) => sums.map((sum) => sum.getClientRects()[0]?.height ?? 0))
    assert.ok(heights.length > 4 && Math.max(...heights) < 40, heights.join())
    const fees = await user.page.getByText(user.words.statement.fees).boundingBox()
    const sums = await user.page.locator('main dl').boundingBox()
    assert.ok(fees && sums && fees.y < sums.y)
  }
  await user.page.unrouteAll({ behavior: 'ignoreErrors' })
  await user.close()
})
