// A second action on a page works like the first one: another mailed link, another session, another callback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMerchant, PASSWORD } from './merchant.ts'
import { delayFirst, intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () =>
  newMerchant(browser, { baseUrl: service.baseUrl }, { apiUrl: `${service.baseUrl}/inbox` })

test('a second mailed link that is pasted into the same tab is used instead of the first', async () => {
  const { user } = await openMerchant()
  const { confirmEmail, reset, newPassword } = user.words.entry
  await user.open('/reset#token=first')
  await user.type(newPassword, PASSWORD)
  await user.press(user.button(reset.submit))
  await user.page.getByText(confirmEmail.overTitle).waitFor()
  await user.page.goto('/en/reset#token=second')
  await user.type(newPassword, PASSWORD)
  await user.page.waitForURL('**/en/reset')
  await user.press(user.button(reset.submit))
  await user.page.getByText(confirmEmail.overTitle).waitFor()
  const tokens = user.calls
    .filter(({ path }) => path.endsWith('/password/reset'))
    .map(({ body }) => body['token'])
  assert.deepEqual(tokens, ['first', 'second'])
  await user.close()
})

test('while one session is being ended, the buttons for the other sessions are shown as busy', async () => {
  const { user, email } = await openMerchant()
  const { sessions } = user.words.account
  for (const userAgent of ['Mozilla/5.0 Firefox/130.0', 'Mozilla/5.0 Edg/130.0']) {
    const context = await browser.newContext({ baseURL: service.baseUrl, userAgent })
    await context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
    await context.close()
  }
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.open('/account/sessions')
  const release = await delayFirst(user, '**/sessions/revoke')
  const [first, second] = ['Edge', 'Firefox'].map((name) =>
    user.page.getByRole('button', { name: `${sessions.end} ${name}` }),
  )
  await user.press(first!)
  await user.page.locator('button[aria-busy]', { hasText: 'Firefox' }).waitFor()
  release()
  await first!.waitFor({ state: 'detached' })
  await user.press(second!)
  await second!.waitFor({ state: 'detached' })
  await user.close()
})

test('if a second change of the email fails, the success message of the first change is no longer shown', async () => {
  const { user } = await openMerchant()
  const { email } = user.words.account
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.open('/account')
  await user.type(email.field, 'nova@example.com')
  await user.press(user.button(email.submit))
  await user.page.getByText(email.sent).waitFor()
  await user.type(email.field, 'x@y')
  await user.press(user.button(email.submit))
  await user.page.locator('[aria-invalid=true]').waitFor()
  assert.equal(await user.page.getByText(email.sent).count(), 0)
  await user.close()
})

test('a received callback that is being read stays open when another one arrives', async () => {
  const { user, projectId } = await openMerchant()
  const { deliveries } = user.words
  await user.open(`/projects/${projectId}/inbox?mode=test`)
  const open = user.page.locator('main ol details[open]')
  for (const count of [1, 2]) {
    await user.press(user.button(deliveries.test))
    await user.page
      .locator('main ol > li')
      .nth(count - 1)
      .waitFor()
    assert.equal(await open.count(), count)
  }
  await user.close()
})

test('Enter runs an action of the command menu once, even if it is pressed twice', async () => {
  const { user, projectId } = await openMerchant()
  const { command } = user.words.frame
  await user.open(`/projects/${projectId}/keys?mode=test`)
  const { promise: isPressed, resolve: endPressing } = Promise.withResolvers<void>()
  await intercept(user.page, '**/sdk/transactions/list', async (route) => {
    await isPressed
    await route.continue()
  })
  await user.page.keyboard.press('ControlOrMeta+k')
  await user.page.getByLabel(command.field).fill(command.testCallback)
  await user.page.keyboard.press('Enter')
  await user.page.keyboard.press('Enter')
  endPressing()
  await user.page.waitForURL(/\/deliveries\?.*row=msg_/)
  const sent = user.calls.filter(({ path }) => path.endsWith('/test-callbacks'))
  assert.equal(sent.length, 1)
  await user.close()
})

test('after a dialog has removed a row, the heading of the page has the focus', async () => {
  const { user, projectId } = await openMerchant()
  const { cancel, cancelDialog } = user.words.members
  const { request } = user.context
  await request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await request.post(`/portal/api/projects/${projectId}/members/invite`, {
    data: { email: 'prva@example.com', role: 'support' },
  })
  await user.open(`/projects/${projectId}/members`)
  await user.page.getByRole('button', { name: `${cancel} prva@example.com` }).focus()
  await user.page.keyboard.press('Enter')
  const dialog = user.page.getByRole('dialog', { name: cancelDialog.title })
  await user.button(cancelDialog.submit, dialog).focus()
  await user.page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await user.page.locator('h1:focus').waitFor()
  await user.close()
})

test('if the projects for a token or the link for a test payment cannot be loaded, the page says so', async () => {
  const { user, projectId } = await openMerchant()
  const { account, deliveries, frame } = user.words
  await user.open(`/projects/${projectId}/inbox?mode=test`)
  await intercept(user.page, '**/pay-link', (route) => route.abort())
  await user.press(user.button(deliveries.test))
  await user.page.locator('main ol > li').waitFor()
  await user.open(`/projects/${projectId}/inbox?mode=test`)
  await user.page.getByText(frame.offline.title).waitFor()
  await intercept(user.page, '**/sdk/project/list', (route) => route.abort())
  await user.open('/account/tokens')
  await user.press(user.button(account.tokens.add))
  await user.page.getByRole('dialog').getByText(frame.offline.title).waitFor()
  await user.close()
})

test('an error about one person or QR code is not shown for the next one', async () => {
  const { user, projectId } = await openMerchant()
  const { frame, link, members } = user.words
  const { transfer } = members
  const { request } = user.context
  const failed = user.page.getByText(frame.offline.title)
  await request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  for (const email of ['prva@example.com', 'druga@example.com'])
    await request.post(`/portal/api/projects/${projectId}/members/invite`, {
      data: { email, role: 'support' },
    })
  await user.open(`/projects/${projectId}/members`)
  await intercept(user.page, '**/transfer', (route) => route.abort())
  const dialog = user.page.getByRole('dialog', { name: transfer.offerDialog.title })
  await user.page.getByLabel(transfer.to, { exact: true }).selectOption('prva@example.com')
  await user.press(user.button(transfer.offer))
  await user.press(user.button(transfer.offerDialog.submit, dialog))
  await failed.waitFor()
  await user.page.keyboard.press('Escape')
  await user.page.getByLabel(transfer.to, { exact: true }).selectOption('druga@example.com')
  await user.press(user.button(transfer.offer))
  await dialog.getByText('druga@example.com').waitFor()
  assert.equal(await failed.count(), 0)

  await user.open(`/projects/${projectId}/link?mode=test`)
  await user.button(link.svg).waitFor()
  await intercept(user.page, '**/sdk/project/qr', (route) => route.abort())
  await user.press(user.button(link.svg))
  await failed.waitFor()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.type(link.amount, '20')
  await user.page.getByRole('img', { name: link.qrAlt('€20.00') }).waitFor()
  await failed.waitFor({ state: 'detached' })
  await user.close()
})
