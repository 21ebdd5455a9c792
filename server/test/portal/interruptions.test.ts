import assert from 'node:assert/strict'
import { catalogue } from '@pazar/words'
import { pickCases } from '../counts.ts'
import { AuthenticatorApp } from '../factors.ts'
import { detailTests } from './detail-tests.ts'
import { loseSession, signInAgain } from './lost-session.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })

test('after a lost session a dialog asks the user to sign in, the input stays, and the action is completed', async () => {
  const { user, projectId } = await openMerchant()
  const { projects, settings } = user.words
  await user.open(`/projects/${projectId}/settings`)
  await user.type(projects.form.name, 'Nova knjižara')
  await loseSession(user)
  await user.press(user.button(settings.save))
  await signInAgain(user)
  await user.page.getByText(settings.saved).waitFor()
  assert.equal(await user.page.getByLabel(projects.form.name, { exact: true }).inputValue(), 'Nova knjižara')
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('if the session is lost in the password dialog, the action is done after a sign-in and a second password dialog', async () => {
  const { user, projectId } = await openMerchant()
  const { keys, frame, entry } = user.words
  await user.open(`/projects/${projectId}/keys?mode=live`)
  await user.press(user.button(keys.reveal).first())
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await dialog.waitFor()
  await user.type(entry.password, PASSWORD, dialog)
  await loseSession(user)
  await user.press(user.button(frame.stepUp.submit, dialog))
  await signInAgain(user)
  await user.confirmPassword(PASSWORD)
  await user.page
    .getByText(/^sk_live_/)
    .first()
    .waitFor()
  await user.close()
})

test('dismissing the password dialog changes nothing, and after five wrong passwords the dialog says how long to wait', async () => {
  const { user, projectId } = await openMerchant()
  const { keys, frame, entry } = user.words
  await user.open(`/projects/${projectId}/keys`)
  await user.press(user.button(keys.reveal).first())
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await dialog.waitFor()
  await user.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await user.page.getByRole('alert').count(), 0)
  assert.equal(
    await user
      .button(keys.reveal)
      .first()
      .evaluate((element) => element === document.activeElement),
    true,
  )

  await user.press(user.button(keys.reveal).first())
  // The sixth password is refused without a check.
  for (let round = 0; round < 6; round += 1) {
    await user.type(entry.password, `wrong password ${round}`, dialog)
    const response = user.page.waitForResponse(/step-up/)
    await user.press(user.button(frame.stepUp.submit, dialog))
    await response
    await dialog.getByRole('alert').waitFor()
  }
  // The lockout lasts 15 minutes.
  await dialog.getByText(/1[45] min/).waitFor()
  await user.close()
})

test('if a recovery code is not enough for a change, the form says why, and only one code is used up', async () => {
  const { user } = await openMerchant()
  const { account, entry, frame, secondFactor } = user.words
  const { fields } = catalogue('en')
  const { request } = user.context
  await request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  const offer = await request.post('/portal/api/totp', { data: {} })
  const { secret } = (await offer.json()) as { secret: string }
  const data = { code: new AuthenticatorApp(secret).code() }
  const confirmed = await request.post('/portal/api/totp/confirm', { data })
  const { recoveryCodes } = (await confirmed.json()) as { recoveryCodes: string[] }
  await user.context.clearCookies({ name: 'step-up' })

  await user.open('/account')
  await user.type(entry.newPassword, `${PASSWORD} i još jedan`)
  await user.press(user.button(account.password.submit))
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await user.press(user.button(secondFactor.useRecovery, dialog))
  await user.type(secondFactor.recoveryCode, recoveryCodes[0] ?? '', dialog)
  await user.press(user.button(frame.stepUp.submit, dialog))
  await user.page.getByRole('alert').getByText(fields.recovery_only).waitFor()
  await user.type(account.email.field, 'other-address@example.com')
  await user.press(user.button(account.email.submit))
  await user.page.getByRole('alert').getByText(fields.recovery_wait).waitFor()
  assert.equal(await dialog.count(), 0)
  const left = (await (await request.get('/portal/api/totp')).json()) as { recoveryCodesLeft: number }
  assert.equal(left.recoveryCodesLeft, 9)
  await user.close()
})

test('the password dialog counts down the minutes of a lockout, and then the action can be completed', async () => {
  const { user, projectId } = await openMerchant()
  const { keys, frame, entry } = user.words
  const { waits } = catalogue('en')
  await user.page.clock.install()
  await user.open(`/projects/${projectId}/keys`)
  const locked = { type: 'about:blank', title: 'x', status: 429, code: 'locked_out' }
  await intercept(user.page, '**/portal/api/step-up', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '150', 'content-type': 'application/problem+json' },
      body: JSON.stringify(locked),
    }),
  )
  await user.press(user.button(keys.reveal).first())
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  const submit = user.button(frame.stepUp.submit, dialog)
  await user.type(entry.password, PASSWORD, dialog)
  await user.press(submit)
  // Minutes are rounded up: 150 seconds are shown as 3 minutes, and 119 seconds as 2.
  await dialog.getByText(waits.retryIn('3 min')).waitFor()
  assert.equal(await submit.isDisabled(), true)
  // The focus does not stay on a disabled button.
  const field = dialog.getByLabel(entry.password, { exact: true })
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
  await user.page.clock.runFor(31_000)
  await dialog.getByText(waits.retryIn('2 min')).waitFor()
  await user.page.clock.runFor(60_000)
  await dialog.getByText(waits.retryIn('1 min')).waitFor()
  await user.page.clock.runFor(60_000)
  await dialog.getByText(waits.over).waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
  await user.page.unroute('**/portal/api/step-up')
  await user.confirmPassword(PASSWORD)
  await user.button(keys.hide).first().waitFor()
  await user.close()
})

test('after the sign-in dialog is dismissed, the page shows an error, and no poll opens the dialog again', async () => {
  const { user, projectId } = await openMerchant()
  await user.page.clock.install()
  await user.open(`/projects/${projectId}/transactions?mode=test`)
  await user.page.getByText(user.words.payments.emptyTitle).waitFor()
  await loseSession(user)
  const dialog = user.page.getByRole('dialog', { name: user.words.frame.signInAgain.title })
  await user.press(user.link(user.words.frame.live))
  await dialog.waitFor()
  await user.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await user.page.getByRole('alert').getByText(user.errorTitle('unauthenticated')).waitFor()
  // Requests that waited for the dialog may still be in progress.
  await user.page.waitForLoadState('networkidle')
  const callsBefore = user.calls.length
  for (let round = 0; round < 4; round += 1) await user.page.clock.runFor(10_000)
  assert.deepEqual(user.calls.slice(callsBefore), [])
  await user.press(user.button(user.words.frame.tryAgain))
  await signInAgain(user)
  await user.page.getByText(user.words.payments.emptyTitle).waitFor()
  await user.close()
})

test('a download without a session starts after signing in again', async () => {
  const { user, projectId } = await openMerchant()
  await user.context.request.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    data: { status: 'success', amount: '1500' },
  })
  await user.open(`/projects/${projectId}/deliveries?mode=test`)
  const link = user.link(user.words.payments.csv)
  await link.waitFor()
  await loseSession(user)
  await user.press(link)
  const [file] = await Promise.all([user.page.waitForEvent('download'), signInAgain(user)])
  assert.match(
    file.suggestedFilename(),
    new RegExp(`^deliveries-${projectId}-test-\\d{4}-\\d{2}-\\d{2}\\.csv$`),
  )
  assert.equal(await file.failure(), null)
  await user.close()
})

test('signing out without a connection shows an error', async () => {
  const { user } = await openMerchant()
  await user.open('/projects')
  await user.context.setOffline(true)
  await user.openAccountMenu()
  await user.press(user.button(user.words.frame.signOut))
  await user.page.getByRole('alert').getByText(user.words.frame.offline.title).waitFor()
  await user.close()
})

test('signing out in one tab signs out the other tabs', async () => {
  const { user, projectId } = await openMerchant()
  await user.open(`/projects/${projectId}`)
  const other = await user.context.newPage()
  await other.goto('/en/projects')
  await other.waitForSelector('h1')
  await user.openAccountMenu()
  await user.press(user.button(user.words.frame.signOut))
  await other.waitForURL(/\/en\/sign-in\?next=/)
  await user.close()
})

test('if `next` leads to another site or to a page outside the portal, the user gets the list of projects after signing in', async (t) => {
  const { user, email } = await openMerchant()
  await user.context.clearCookies()
  const addresses = [
    '//evil.example',
    'https://evil.example/en/projects',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/healthz',
    '/en/../portal/api/session',
    '/en/../..//evil.example',
  ]
  for (const next of pickCases('browserCases', addresses, { report: t })) {
    await user.page.goto(`/en/sign-in?next=${encodeURIComponent(next)}`)
    await user.type(user.words.entry.email, email)
    await user.type(user.words.entry.password, PASSWORD)
    await user.press(user.button(user.words.entry.signIn.submit))
    await user.page.waitForURL('**/en/projects')
    await user.context.clearCookies()
  }
  await user.close()
})
