import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthenticatorApp } from '../factors.ts'
import { until } from '../until.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import type { PortalUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal({ DEMO: 'off' })

async function loseResponses(user: PortalUser, url: string): Promise<void> {
  await intercept(user.page, url, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    return route.abort()
  })
}

test('if a response is lost, the portal says that the outcome is unknown, and lists the added project, token or invitation', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { account, frame, members, projects } = user.words
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  const notice = user.page.getByRole('alert').getByText(frame.unknownOutcome)

  await loseResponses(user, '**/sdk/project/add')
  await user.open('/projects/new')
  await user.type(projects.form.name, 'Papirnica')
  await user.type(projects.form.resultUrl, 'https://shop.example.com/r')
  await user.type(projects.form.apiUrl, 'https://shop.example.com/c')
  await user.press(user.button(projects.add.submit))
  await notice.waitFor()
  await user.press(user.link(frame.cancel))
  await user.page.getByRole('link', { name: 'Papirnica' }).first().waitFor()

  await loseResponses(user, '**/portal/api/tokens')
  await user.open('/account/tokens')
  await user.press(user.button(account.tokens.add).first())
  await user.type(account.tokens.form.name, 'Kasa 1')
  await user.press(user.button(account.tokens.form.submit))
  await notice.waitFor()
  await user.press(user.button(frame.cancel))
  await user.page.getByRole('cell', { name: 'Kasa 1', exact: true }).waitFor()

  await loseResponses(user, '**/members/invite')
  await user.open(`/projects/${projectId}/members`)
  await user.type(members.invite.email, 'knjigovodja@example.com')
  await user.press(user.button(members.invite.submit))
  await notice.waitFor()
  await user.page.getByRole('cell', { name: 'knjigovodja@example.com' }).first().waitFor()
  await user.close()
})

test('if the response to a password change is lost, the page says that the password may have changed, and the retry asks for the new password', async () => {
  const { user } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { account, entry, frame } = user.words
  const changed = 'a new long password 7'
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await loseResponses(user, '**/portal/api/password')
  await user.open('/account')
  await user.type(entry.newPassword, changed)
  await user.press(user.button(account.password.submit))
  await user.page.getByRole('alert').getByText(account.password.unknownOutcome).waitFor()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.press(user.button(account.password.submit))
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await user.type(entry.password, changed, dialog)
  await user.press(user.button(frame.stepUp.submit, dialog))
  await user.page.getByText(account.password.done).waitFor()
  await user.close()
})

test('if the response is lost while an authenticator app is turned on, the page still shows that the app is on', async () => {
  const { user } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { app, codes } = user.words.security
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await loseResponses(user, '**/totp/confirm')
  await user.open('/account/security')
  await user.press(user.button(app.add))
  const dialog = user.page.getByRole('dialog', { name: app.setUp.title })
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await user.type(app.setUp.code, new AuthenticatorApp(secret).code(), dialog)
  await user.press(user.button(app.setUp.submit, dialog))
  await dialog.getByText(user.words.frame.unknownOutcome).waitFor()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.press(user.button(app.setUp.submit, dialog))
  await dialog.getByText(app.setUp.ended).waitFor()
  await user.press(user.button(user.words.frame.cancel, dialog))
  await user.page.getByText(app.on, { exact: true }).waitFor()
  await user.button(codes.renew).waitFor()
  await user.close()
})

test('if a role is chosen for a second member while the role of the first is being saved, both roles are saved', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { members } = user.words
  const { request } = user.context
  await request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  const emails = ['prva@example.com', 'druga@example.com'] as const
  for (const email of emails)
    await request.post(`/portal/api/projects/${projectId}/members/invite`, {
      data: { email, role: 'support' },
    })
  const released = Promise.withResolvers<void>()
  await intercept(user.page, '**/members/role', async (route) => {
    await released.promise
    await route.continue()
  })
  await user.open(`/projects/${projectId}/members`)
  const choices = emails.map((email) => user.page.getByLabel(members.roleOf(email), { exact: true }))
  const sent = user.page.waitForRequest('**/members/role')
  await choices[0]!.selectOption('finance')
  await sent
  await choices[1]!.selectOption('developer')
  released.resolve()
  for (const [choice, role] of [
    [choices[0]!, 'finance'],
    [choices[1]!, 'developer'],
  ] as const)
    await until(async () => (await choice.inputValue()) === role, `the role ${role} is shown`)
  await user.close()
})

test('“Try again” repeats a failed confirmation of an email address; on the page of sessions, a failed sign-out offers no “Try again”', async () => {
  const { user, email } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { account, entry, frame } = user.words
  await intercept(user.page, '**/email/confirm', (route) => route.abort())
  await user.page.goto(`/en/confirm-email#token=${'a'.repeat(43)}`)
  const tryAgain = user.button(frame.tryAgain)
  await tryAgain.waitFor()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.press(tryAgain)
  await user.page.getByText(entry.confirmEmail.overText).waitFor()

  const otherDevice = await browser.newContext({ baseURL: service.baseUrl })
  await otherDevice.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await intercept(user.page, '**/sessions/revoke', (route) => route.abort())
  await user.open('/account/sessions')
  await user.press(user.button(account.sessions.endAll))
  await user.page.getByRole('alert').getByText(frame.offline.title).waitFor()
  assert.equal(await tryAgain.count(), 0)
  await otherDevice.close()
  await user.close()
})
