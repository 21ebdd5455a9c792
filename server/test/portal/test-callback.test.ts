import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMerchant } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()

test('the outcome of a test callback stays visible when the page moves the button for test callbacks', async () => {
  const urls = { apiUrl: `${service.baseUrl}/inbox` }
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl, locale: 'en' }, urls)
  const { deliveries, inbox, projects } = user.words
  const outcome = user.page.getByText(deliveries.testDone)
  await user.open(`/projects/${projectId}/inbox?mode=test`)
  await user.page.getByText(inbox.emptyText).waitFor()
  await user.press(user.button(deliveries.test))
  await user.page.locator('main ol li').first().waitFor()
  await outcome.waitFor()

  const steps = { payment: true, callback: true, signature: true, live: true }
  const pressed = Promise.withResolvers<void>()
  await intercept(user.page, '**/first-steps', async (route) => {
    await pressed.promise
    await route.fulfill({ json: steps })
  })
  const { firstSteps } = projects.overview
  await user.open(`/projects/${projectId}?mode=test`)
  await user.page.getByText(firstSteps).waitFor()
  await user.press(user.button(deliveries.test))
  await outcome.waitFor()
  pressed.resolve()
  await user.page.getByText(firstSteps).waitFor({ state: 'detached' })
  assert.equal(await outcome.count(), 1)
  assert.deepEqual(user.faults, [])
  await user.close()
})
