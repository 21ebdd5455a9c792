import assert from 'node:assert/strict'
import { AuthenticatorApp } from '../factors.ts'
import { detailTests } from './detail-tests.ts'
import { loseSession, signInAgain } from './lost-session.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { payTestOrder } from './pay-test-order.ts'
import { intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })

test('after the sign-in dialog is dismissed, the inbox and a refund in progress are not polled', async () => {
  const { user, projectId, email } = await openMerchant()
  const id = await payTestOrder(user, projectId, { amount: '4002', customId: 'order-1' })
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  // The sandbox does not respond to a refund of this amount, so the refund is in progress for a while.
  const refund = { projectId, transactionId: id, idempotencyKey: 'refund-1' }
  await user.context.request.post('/sdk/transaction/refund', { data: refund })
  const dialog = user.page.getByRole('dialog', { name: user.words.frame.signInAgain.title })
  for (const path of ['inbox', `transactions?mode=test&row=${id}`]) {
    await user.page.clock.install()
    await user.open(`/projects/${projectId}/${path}`)
    await user.page.waitForLoadState('networkidle')
    await loseSession(user)
    await user.page.clock.runFor(5_000)
    await dialog.waitFor()
    await user.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await user.page.waitForLoadState('networkidle')
    const callsBefore = user.calls.length
    for (let round = 0; round < 4; round += 1) await user.page.clock.runFor(4_000)
    const polls = user.calls
      .slice(callsBefore)
      .filter(({ path: polled }) => /inbox|transaction\/get/.test(polled))
    assert.deepEqual(polls, [])
    await user.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
  }
  await user.close()
})

test('when the user goes back to the previous page, the password dialog closes and the action is not done', async () => {
  const { user, projectId } = await openMerchant()
  const { keys, frame } = user.words
  await user.open(`/projects/${projectId}?mode=test`)
  await user.press(user.link(frame.keys).first())
  const rotate = async () => {
    await user.press(user.button(keys.rotate).nth(1))
    await user.type(keys.dialog.typeName('Knjižara'), 'Knjižara')
    await user.press(user.button(keys.dialog.submit))
  }
  await rotate()
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await dialog.waitFor()
  await user.page.goBack()
  await dialog.waitFor({ state: 'detached' })

  // The dialog for a lost session stays open, because the previous page needs a session too.
  await user.page.goForward()
  await loseSession(user)
  await rotate()
  await user.page.getByRole('dialog', { name: frame.signInAgain.title }).waitFor()
  await user.page.goBack()
  await signInAgain(user)
  await user.page.waitForLoadState('networkidle')
  assert.equal(await dialog.count(), 0)
  const sent = user.calls.filter(({ path }) => path === '/sdk/project/rotateSecret')
  assert.equal(sent.length, 2)
  const trail = await user.context.request.get(`/portal/api/projects/${projectId}/history`)
  assert.doesNotMatch(await trail.text(), /rotate/)
  await user.close()
})

test('if the code is entered too long after the password, sign-in says why it asks for the password again', async () => {
  const { user, projectId, email } = await openMerchant()
  const { entry, frame, projects, secondFactor, settings } = user.words
  const { request } = user.context
  await request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  const offer = await request.post('/portal/api/totp', { data: {} })
  const app = new AuthenticatorApp(((await offer.json()) as { secret: string }).secret)
  await request.post('/portal/api/totp/confirm', { data: { code: app.code() } })
  const enterCode = async () => {
    await user.page.getByLabel(secondFactor.code, { exact: true }).waitFor()
    await user.context.clearCookies({ name: 'sign-in' })
    await user.type(secondFactor.code, '123456')
    await user.press(user.button(secondFactor.submit))
    await user.page.getByText(secondFactor.expired).waitFor()
  }

  await user.open(`/projects/${projectId}/settings`)
  await user.type(projects.form.name, 'Nova knjižara')
  await loseSession(user)
  await user.press(user.button(settings.save))
  const dialog = user.page.getByRole('dialog', { name: frame.signInAgain.title })
  await user.type(entry.password, PASSWORD, dialog)
  await user.press(user.button(frame.signInAgain.submit, dialog))
  await enterCode()
  await user.type(entry.password, PASSWORD, dialog)
  await user.press(user.button(frame.signInAgain.submit, dialog))
  await user.type(secondFactor.code, app.codeAt(Date.now() + 30_000), dialog)
  await user.press(user.button(secondFactor.submit, dialog))
  await user.page.getByText(settings.saved).waitFor()

  await user.context.clearCookies()
  await user.open('/sign-in')
  await user.type(entry.email, email)
  await user.type(entry.password, PASSWORD)
  await user.press(user.button(entry.signIn.submit))
  await enterCode()
  assert.equal(await user.page.getByLabel(entry.email, { exact: true }).inputValue(), email)
  await user.close()
})

test('if the session is lost on the invitation page, accepting the invitation shows a link to sign in', async () => {
  const { user, email } = await openMerchant()
  const { invitation } = user.words.members
  const view = {
    state: 'open',
    project: 'Papirnica',
    role: 'finance',
    invitedBy: 'vlasnica@example.com',
    email,
    expiresAt: '2099-01-01T00:00:00.000Z',
  }
  await intercept(user.page, '**/invitations/view', (route) => route.fulfill({ json: view }))
  await user.page.goto(`/en/invitation#token=${'a'.repeat(43)}`)
  await user.button(invitation.accept).waitFor()
  await loseSession(user)
  await user.press(user.button(invitation.accept))
  await user.link(invitation.signIn).waitFor()
  await user.close()
})
