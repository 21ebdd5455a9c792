// A page never keeps showing what belonged to the previous project, payment, order or input.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionDetails } from '@pazar/contract'
import { until } from '../until.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { payTestOrder } from './pay-test-order.ts'
import { delayFirst } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal({ DEMO: 'off', REQUIRE_KYC: 'true' })
const INBOX = { apiUrl: `${service.baseUrl}/inbox` }
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl }, INBOX)

test('after a jump back in the history to another project, the revealed secret is no longer shown', async () => {
  const { user, projectId } = await openMerchant()
  const { frame, keys } = user.words
  const secret = user.page.getByLabel(keys.value, { exact: true })
  const urls = { resultUrl: 'https://shop.example.com/r', apiUrl: 'https://shop.example.com/c' }
  const added = await user.context.request.post('/sdk/project/add', { data: { name: 'Papirnica', ...urls } })
  const { id } = (await added.json()) as { id: string }
  await user.open(`/projects/${projectId}/keys?mode=test`)
  await user.page.getByLabel(frame.project, { exact: true }).selectOption(id)
  await user.page.waitForURL(`**/${id}?**`)
  await user.press(user.link(frame.keys).first())
  await user.page.waitForURL(`**/${id}/keys?**`)
  await user.press(user.button(keys.reveal).first())
  await secret.waitFor()
  await user.page.evaluate(() => history.go(-2))
  await user.page.waitForURL(`**/${projectId}/keys?**`)
  await secret.waitFor({ state: 'detached' })
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('an open refund dialog closes when the command menu opens another payment', async () => {
  const { user, projectId } = await openMerchant()
  const { frame, payments } = user.words
  const first = await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  const second = await payTestOrder(user, projectId, { amount: '9900', customId: 'druga-2' })
  await user.open(`/projects/${projectId}/transactions?mode=test&row=${first}`)
  await user.press(user.button(payments.drawer.refund))
  const refund = user.page.getByRole('dialog', { name: payments.refund.title })
  await user.type(payments.refund.amount, '7', refund)
  await user.page.keyboard.press('ControlOrMeta+k')
  const menu = user.page.getByRole('dialog', { name: frame.command.title })
  await user.type(frame.command.field, 'druga-2', menu)
  await user.page.keyboard.press('Enter')
  await user.page.waitForURL(new RegExp(`row=${second}`))
  await user.page.getByRole('dialog', { name: payments.drawer.title }).getByText('€99.00').first().waitFor()
  await refund.waitFor({ state: 'detached' })
  await user.close()
})

test('the Back button restores the order ID of the status check, and the link of a chosen time range keeps the focus', async () => {
  const { user, projectId } = await openMerchant()
  const { metrics, status } = user.words
  for (const customId of ['prva-1', 'druga-2'])
    await payTestOrder(user, projectId, { amount: '1500', customId })
  await user.open(`/projects/${projectId}/status?mode=test`)
  const field = user.page.getByLabel(status.customId, { exact: true })
  let shown: string | null = null
  for (const customId of ['prva-1', 'druga-2']) {
    await user.type(status.customId, customId)
    await user.press(user.button(status.submit))
    // Waits for the result, because the next navigation would replace a navigation that is still in progress.
    const details = user.link(status.open)
    const before = shown
    await until(
      async () => (shown = await details.getAttribute('href')) !== before,
      'the next result is shown',
    )
    await user.page.waitForURL(new RegExp(`q=${customId}`))
  }
  await user.page.goBack()
  await user.page.waitForURL(/q=prva-1/)
  await until(async () => (await field.inputValue()) === 'prva-1', 'the field shows the checked order')

  await user.open(`/projects/${projectId}?mode=test`)
  const range = user.link(metrics.range.last(30))
  await range.focus()
  await user.page.keyboard.press('Enter')
  await user.page.waitForURL(/days=30/)
  await user.page.locator('a[aria-current=true]', { hasText: metrics.range.last(30) }).waitFor()
  assert.equal(await range.evaluate((link) => link === document.activeElement), true)
  await user.close()
})

test('a late result of the signature check is not shown for another request', async () => {
  const { user, projectId } = await openMerchant()
  const { debug } = user.words
  await user.open(`/projects/${projectId}/debug?mode=test`)
  const release = await delayFirst(user, '**/verify-signature')
  const text = 'webhook-id: msg_1\nwebhook-timestamp: 1794931200\nwebhook-signature: v1,abc=\n\n{"a":1}'
  await user.page.locator('textarea').first().fill(text)
  await user.press(user.button(debug.submit))
  const response = user.page.waitForResponse('**/verify-signature')
  await user.press(user.button(debug.clear))
  release()
  await response
  await user.page.locator('button[aria-busy]').waitFor({ state: 'detached' })
  assert.equal(await user.page.getByText(debug.wrong).count(), 0)
  await user.close()
})

test('the last chosen theme is saved and shown, even if the response to an earlier choice is late', async () => {
  const { user } = await openMerchant()
  const { theme } = user.words.frame
  await user.open('/account')
  const release = await delayFirst(user, '**/portal/api/account')
  const choice = user.page.getByRole('main').getByLabel(theme.label, { exact: true })
  const early = user.page.waitForRequest('**/portal/api/account')
  await choice.selectOption('dark')
  await early
  // If both requests were sent at the same time, the response to the second would arrive first.
  const overtaking = user.page.waitForResponse('**/portal/api/account', { timeout: 1_000 }).catch(() => null)
  await choice.selectOption('light')
  await overtaking
  release()
  await user.page.locator('html[data-theme=light]').waitFor()
  await user.page.waitForLoadState('networkidle')
  assert.equal(await choice.inputValue(), 'light')
  assert.equal(await user.page.locator('html').getAttribute('data-theme'), 'light')
  const session = (await (await user.context.request.get('/portal/api/session')).json()) as {
    account: { theme: string }
  }
  assert.equal(session.account.theme, 'light')
  await user.close()
})

test('after a resend, the payment shows the new state of its callback', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { deliveries, payments } = user.words
  const { callbackStates, drawer: texts } = payments
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
  const payment = user.page.getByRole('dialog', { name: texts.title })
  await payment.getByText(callbackStates.retrying, { exact: true }).waitFor()
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  const apiUrl = `${service.baseUrl}/inbox/${projectId}`
  await user.context.request.post('/sdk/project/update', { data: { projectId, apiUrl } })
  await user.press(
    user.link(payments.timeline.callback(deliveries.events['payment.result']), payment).first(),
  )
  const callback = user.page.getByRole('dialog', {
    name: payments.timeline.callback(deliveries.events['payment.result']),
  })
  await user.press(user.button(deliveries.resend, callback))
  await callback.getByText(callbackStates.delivered, { exact: true }).first().waitFor()
  await user.press(user.link(deliveries.drawer.transaction, callback))
  await payment.getByText(callbackStates.delivered, { exact: true }).waitFor()
  await user.close()
})

test('a repeated status check shows a refund that was made after the first check', async () => {
  const { user, projectId } = await openMerchant()
  const { request } = user.context
  const { verdicts, submit } = user.words.status
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  await until(async () => {
    const response = await request.post('/sdk/transaction/get', { data: { projectId, transactionId: id } })
    const { transaction } = (await response.json()) as TransactionDetails
    return transaction.callback?.status === 'delivered'
  }, 'the callback is delivered, so the page does not poll the payment')
  await user.open(`/projects/${projectId}/status?mode=test&q=prva-1`)
  await user.page.getByText(verdicts.paid.text).waitFor()
  await request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  const refund = { projectId, transactionId: id, idempotencyKey: 'refund-1' }
  assert.equal((await request.post('/sdk/transaction/refund', { data: refund })).status(), 201)
  await user.press(user.button(submit))
  await user.page.getByText(verdicts.refunded.text).waitFor()
  await user.close()
})

test('the drawer of a payment in progress shows the result without a reload', async () => {
  const { user, projectId } = await openMerchant()
  const { drawer: texts, states, timeline } = user.words.payments
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  let isOpen = true
  await user.page.route('**/sdk/transaction/get', async (route) => {
    const response = await route.fetch()
    const details = (await response.json()) as TransactionDetails
    const changed = { state: 'processing', successful: false, completedAt: null, callback: null }
    const json = isOpen ? { ...details, transaction: { ...details.transaction, ...changed } } : details
    await route.fulfill({ response, json })
  })
  await user.page.clock.install()
  await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
  const drawer = user.page.getByRole('dialog', { name: texts.title })
  await drawer.getByText(states.processing, { exact: true }).waitFor()
  isOpen = false
  await user.page.clock.runFor(5_000)
  await drawer.getByText(timeline.paid('€15.00')).waitFor()
  await drawer.getByText(timeline.waiting).waitFor({ state: 'detached' })
  await user.page.unrouteAll({ behavior: 'ignoreErrors' })
  await user.close()
})

test('the drawer of a payment lists the callback of a refund that was just made', async () => {
  const { user, projectId } = await newMerchant(
    browser,
    { baseUrl: service.baseUrl },
    { ...INBOX, events: ['payment.result', 'refund.result'] },
  )
  const { deliveries, payments } = user.words
  const { refund, timeline } = payments
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
  await user.link(timeline.callback(deliveries.events['payment.result'])).waitFor()
  await user.press(user.button(payments.drawer.refund))
  await user.press(user.button(refund.submit('€15.00')))
  await user.link(timeline.callback(deliveries.events['refund.result'])).waitFor()
  await user.close()
})

test('a change of mode in the command menu closes the drawer of a payment and shows the first page of the list', async () => {
  const { user, projectId } = await openMerchant()
  const { frame, payments } = user.words
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  await user.open(`/projects/${projectId}/transactions?mode=test&page=2&row=${id}`)
  const drawer = user.page.getByRole('dialog', { name: payments.drawer.title })
  await drawer.getByText('€15.00').first().waitFor()
  await user.page.keyboard.press('ControlOrMeta+k')
  await user.page.getByLabel(frame.command.field).waitFor()
  await user.page.keyboard.insertText(frame.command.liveMode)
  await user.page.keyboard.press('Enter')
  await user.page.waitForURL(/mode=live/)
  assert.equal(new URL(user.page.url()).search, '?mode=live')
  await drawer.waitFor({ state: 'detached' })
  await user.close()
})

test('in a list that stays open past midnight, the filter for today means the new day', async () => {
  const { user, projectId } = await openMerchant()
  const { filters } = user.words.payments
  await payTestOrder(user, projectId, { amount: '1500', customId: 'prva-1' })
  await user.page.clock.install({ time: new Date('2026-11-19T22:59:30Z') })
  await user.open(`/projects/${projectId}/transactions?mode=test`)
  await user.button(filters.today).waitFor()
  await user.page.clock.runFor(60_000)
  await user.press(user.button(filters.today))
  await user.page.waitForURL(/from=2026-11-20&to=2026-11-20/)
  await user.close()
})
