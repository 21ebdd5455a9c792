// The account: API tokens, theme, time zone, email, password, sessions, activity and mailed links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../until.ts'
import { intercept } from '../portal-browser.ts'
import { COMBINATIONS, emailOf, testInTurn, PASSWORD, readClipboard, world } from './world.ts'

for (const [input, locale] of COMBINATIONS) {
  const test = testInTurn(input, locale)
  const email = emailOf(input, locale)

  test('an API token is created, shown once, used by a program and revoked', async () => {
    const user = await world.newUser(input, locale)
    const { tokens: text, tabs } = user.words.account
    await user.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
    await user.open('/account')
    await user.press(user.link(tabs.tokens))
    await user.press(user.button(text.add))
    const form = user.page.getByRole('dialog', { name: text.form.title })
    await user.type(text.form.name, 'Kasa 1', form)
    const project = form.getByLabel(text.form.project)
    assert.equal(await project.locator('option:checked').textContent(), text.form.allProjects)
    await project.selectOption({ index: 1 })
    const projectName = (await project.locator('option:checked').textContent()) ?? ''
    await user.press(user.button(text.form.submit, form))
    await user.confirmPassword(PASSWORD)

    const tokenDialog = user.page.getByRole('dialog', { name: text.fresh.title })
    const token = (await tokenDialog.getByLabel(text.fresh.value, { exact: true }).textContent()) ?? ''
    assert.match(token, /^pat_/)
    await user.press(tokenDialog.getByRole('button', { name: text.fresh.value }))
    await tokenDialog.getByText(user.words.frame.copied).waitFor()
    assert.equal(await readClipboard(user), token)
    const useToken = () =>
      fetch(`${world.service.baseUrl}/sdk/project/list`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    assert.equal((await useToken()).status, 200)
    await user.press(user.button(text.fresh.close, tokenDialog))

    const row = user.page.locator('tbody tr', { hasText: 'Kasa 1' })
    await row.getByText(text.scopes.read).waitFor()
    await row.getByText(projectName, { exact: true }).waitFor()
    assert.equal(await row.getByText(text.scopes.write).count(), 0)
    await user.open('/account/tokens')
    await row.getByRole('button').waitFor()
    assert.equal(await row.getByText(text.neverUsed).count(), 0)
    await user.press(row.getByRole('button'))
    const confirmDialog = user.page.getByRole('dialog', { name: text.revokeDialog.title })
    await user.press(user.button(text.revokeDialog.submit, confirmDialog))
    await user.page.getByText(text.emptyTitle).waitFor()
    assert.equal((await useToken()).status, 401)
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('a token for refunds has one project and a daily limit, which can be typed with separators', async () => {
  const user = await world.newUser('mouse', 'cnr')
  const { tokens: text } = user.words.account
  const email = emailOf('mouse', 'cnr')
  await user.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
  await user.open('/account/tokens')
  await user.press(user.button(text.add))
  const form = user.page.getByRole('dialog', { name: text.form.title })
  await user.type(text.form.name, 'Povraćaji', form)
  await form.getByLabel(text.form.scope).selectOption('refund')
  await form.getByLabel(text.form.project).selectOption({ label: 'Druga knjižara' })
  await user.type(text.form.dailyCap('EUR'), 'mnogo', form)
  await form.getByText(text.form.dailyCapWrong('9.999.999.999,99\u00A0€')).waitFor()
  await user.type(text.form.dailyCap('EUR'), '1.500,00', form)
  await form.getByText(/zajedno sa testnim povraćajima: 1\.500,00\u00A0€$/).waitFor()
  await user.press(user.button(text.form.submit, form))
  await user.confirmPassword(PASSWORD)
  const tokenDialog = user.page.getByRole('dialog', { name: text.fresh.title })
  await user.press(user.button(text.fresh.close, tokenDialog))
  const row = user.page.locator('tbody tr', { hasText: 'Povraćaji' })
  await row.getByText(text.form.dailyCapIs('1.500,00\u00A0€')).waitFor()
  await row.getByText('Druga knjižara').waitFor()
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('the confirmation link for an email address can be sent again', async () => {
  const user = await world.newUser('mouse', 'en')
  const { account, entry } = user.words
  const email = emailOf('mouse', 'cnr')
  await user.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
  const firstToken = await world.mailedToken(email, 'confirm-email')
  await user.open('/account')
  await user.press(user.button(account.email.sendAgain))
  await user.confirmPassword(PASSWORD)
  await user.page.getByText(account.email.sentAgain(email)).waitFor()
  const secondToken = await until(async () => {
    const newest = await world.mailedToken(email, 'confirm-email')
    return newest !== firstToken && newest
  }, 'a second mail has arrived')
  await user.page.goto(`/en/confirm-email#token=${secondToken}`)
  await user.page.getByText(entry.confirmEmail.doneTitle).waitFor()
  await user.open('/account')
  await user.page.getByText(account.email.confirmed, { exact: true }).waitFor()
  assert.equal(await user.button(account.email.sendAgain).count(), 0)
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('if the response to a password reset is lost, a retry shows that the new password may work, and links to sign-in', async () => {
  const user = await world.newUser('mouse', 'en')
  const { entry, frame } = user.words
  const email = 'lost-reset@example.com'
  await user.context.request.post('/portal/api/sign-up', { data: { email, password: PASSWORD } })
  await user.context.clearCookies()
  await user.context.request.post('/portal/api/password/forgot', { data: { email } })
  const token = await world.mailedToken(email, 'reset')
  await intercept(user.page, '**/password/reset', async (route) => {
    await route.fetch()
    return route.abort()
  })
  await user.page.goto(`/en/reset#token=${token}`)
  await user.type(entry.newPassword, `${PASSWORD} 2`)
  await user.press(user.button(entry.reset.submit))
  await user.page.getByText(frame.offline.title).waitFor()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.press(user.button(entry.reset.submit))
  await user.page.getByText(entry.reset.overText).waitFor()
  await user.link(entry.reset.askAgain).waitFor()
  await user.press(user.link(entry.forgot.back))
  await user.type(entry.email, email)
  await user.type(entry.password, `${PASSWORD} 2`)
  await user.press(user.button(entry.signIn.submit))
  await user.page.waitForURL(/\/projects/)
  await user.close()
})

test('a user changes settings, email and password, ends sessions, reads the activity, signs out and uses mailed links', async () => {
  const user = await world.newUser('mouse', 'en')
  const { entry, account, frame } = user.words
  const email = 'keyboard-en@example.com'
  await user.page.goto(`/en/confirm-email#token=${await world.mailedToken(email, 'confirm-email')}`)
  await user.page.getByText(entry.confirmEmail.doneTitle).waitFor()
  assert.equal(new URL(user.page.url()).hash, '')

  await user.open('/forgot')
  await user.type(entry.email, email)
  await user.press(user.button(entry.forgot.submit))
  await user.page.getByText(entry.forgot.sentTitle).waitFor()
  await user.page.goto(`/en/reset#token=${await world.mailedToken(email, 'reset')}`)
  await user.type(entry.newPassword, `${PASSWORD} 2`)
  await user.press(user.button(entry.reset.submit))
  await user.page.getByText(entry.reset.doneTitle).waitFor()

  await user.open('/sign-in')
  await user.type(entry.email, email)
  await user.type(entry.password, `${PASSWORD} 2`)
  await user.press(user.button(entry.signIn.submit))
  await user.openAccountMenu()
  await user.press(user.link(frame.account))
  await user.page.locator('main').getByLabel(frame.theme.label).selectOption('dark')
  await user.page.waitForSelector('html[data-theme=dark]')
  await user.page.getByLabel(account.timeZone).selectOption('Europe/London')
  await user.type(account.email.field, 'new-address@example.com')
  await user.press(user.button(account.email.submit))
  await user.confirmPassword(`${PASSWORD} 2`)
  await user.page.getByText(account.email.sent).waitFor()
  await user.type(entry.newPassword, `${PASSWORD} 3`)
  await user.press(user.button(account.password.submit))
  await user.page.getByText(account.password.done).waitFor()

  const otherBrowsers = [
    await world.newUser('mouse', 'en'),
    await world.newUser('mouse', 'en'),
    await world.newUser('mouse', 'en'),
  ]
  for (const { context } of otherBrowsers)
    await context.request.post('/portal/api/sign-in', { data: { email, password: `${PASSWORD} 3` } })
  await user.press(user.link(account.tabs.sessions))
  await user.press(user.page.locator('main li button').first())
  await user.confirmPassword(`${PASSWORD} 3`)
  await user.page.getByText(account.sessions.ended(1)).waitFor()
  await user.press(user.button(account.sessions.endAll))
  await user.page.getByText(account.sessions.only).waitFor()
  for (const other of otherBrowsers) {
    assert.equal((await other.context.request.get('/portal/api/session')).status(), 401)
    await other.close()
  }
  // These changes make enough entries for more than one page of activity.
  for (let round = 0; round < 25; round += 1)
    await user.context.request.post('/portal/api/account', { data: { theme: 'dark' } })
  await user.press(user.link(account.tabs.audit))
  await user.page.getByText(user.words.actions.account_updated).first().waitFor()
  assert.equal(await user.page.getByText(user.words.actions.signed_up).count(), 0)
  while ((await user.page.getByText(user.words.actions.signed_up).count()) === 0) {
    const shown = await user.page.locator('tbody tr').count()
    await user.press(user.button(account.audit.more))
    await user.page.locator('tbody tr').nth(shown).waitFor()
  }
  await user.openAccountMenu()
  await user.page.getByText(email).first().waitFor()
  await user.press(user.button(frame.signOut))
  await user.page.waitForURL(/\/en\/sign-in$/)
  assert.deepEqual(user.faults, [])
  await user.close()
})
