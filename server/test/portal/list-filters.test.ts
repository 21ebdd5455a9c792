import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMerchant } from './merchant.ts'
import { payTestOrder } from './pay-test-order.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal({ DEMO: 'off' })

test('a search and a date can be edited, although each change filters the list immediately', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { filters } = user.words.payments
  const { keyboard } = user.page
  const list = `/projects/${projectId}/transactions?mode=test`
  await user.open(`${list}&q=order-42`)
  await user.page.getByRole('searchbox').focus()
  await keyboard.press('End')
  for (let step = 0; step < 2; step += 1) await keyboard.press('ArrowLeft')
  await keyboard.type('1')
  await user.page.waitForURL(/q=order-142$/)
  await keyboard.type('0')
  await user.page.waitForURL(/q=order-1042$/)
  await keyboard.press('End')
  await keyboard.type('a ')
  await user.page.waitForURL(/q=order-1042a$/)
  await keyboard.type('b')
  await user.page.waitForURL(/q=order-1042a\+b$/)

  await user.open(`${list}&from=2026-10-01`)
  await user.page.getByLabel(filters.from, { exact: true }).focus()
  // Day and month are both 12, because their order depends on the browser.
  await keyboard.type('1212', { delay: 100 })
  await user.page.waitForURL(/from=2026-12-12$/)
  await user.close()
})

test('a payment that is opened on the overview appears over the list of payments, and the days chosen for the stats do not filter this list', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  const list = `/en/projects/${projectId}/transactions`
  await user.open(`/projects/${projectId}?mode=test&from=2026-01-01&to=2026-01-31`)
  await user.page.locator(`a[href*="${list}?"][href*="row="]`).first().click()
  const drawer = user.page.getByRole('dialog', { name: user.words.payments.drawer.title })
  await drawer.waitFor()
  await user.page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  const shown = new URL(user.page.url())
  assert.deepEqual([shown.pathname, shown.search], [list, '?mode=test'])
  await user.page.locator('tbody tr').first().waitFor()

  // In the list itself, the filters stay when a payment is opened and closed.
  await user.open(`/projects/${projectId}/transactions?mode=test&q=prva-1`)
  await user.page.locator('tbody tr').getByRole('link').first().click()
  await drawer.waitFor()
  await user.page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  assert.equal(new URL(user.page.url()).searchParams.get('q'), 'prva-1')
  await user.close()
})

test('an unknown filter value in the URL is ignored, even a value like toString that names a property of every object', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl, width: 390 })
  const { filters } = user.words.payments
  const chip = user.button(filters.remove(`${filters.from}: 1 Jan 2026`))
  for (const page of ['transactions', 'deliveries']) {
    await user.open(
      `/projects/${projectId}/${page}?mode=test&status=toString&outcome=toString&from=2026-01-01`,
    )
    await chip.waitFor()
    assert.equal(await user.page.getByRole('button', { name: /native code/ }).count(), 0)
    await user.page.waitForLoadState('networkidle')
    assert.equal(await user.page.locator('main [role=alert]').count(), 0)
  }
  await user.close()
})

test('an unknown filter value in the URL does not hide the empty state of a list, and cannot be cleared or saved', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { payments, deliveries } = user.words
  for (const [page, texts] of [
    ['transactions', payments],
    ['deliveries', deliveries],
  ] as const) {
    await user.open(`/projects/${projectId}/${page}?mode=test&status=foo&outcome=toString`)
    await user.page.getByText(texts.emptyTitle, { exact: true }).waitFor()
    assert.equal(await user.page.getByText(texts.noneTitle, { exact: true }).count(), 0)
    assert.equal(await user.button(payments.filters.clear).count(), 0)
  }
  // Once there is a payment, the unknown values do not hide it, and no filter counts as set.
  await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  await user.open(`/projects/${projectId}/transactions?mode=test&status=foo&outcome=foo`)
  await user.page.locator('tbody tr').first().waitFor()
  assert.equal(await user.button(payments.filters.clear).count(), 0)
  await user.button(payments.table.views).click()
  await user.page.getByText(payments.table.viewsText).waitFor()
  await user.close()
})
