// The account itself: tokens for programs, look, zone, e-mail, password, sessions, activity and the mailed links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../until.ts'
import { COMBINATIONS, emailOf, PASSWORD, readClipboard } from './world.ts'
import type { World } from './world.ts'

export function testAccount(world: World): void {
  for (const [hand, locale] of COMBINATIONS) {
    const how = `by ${hand} in ${locale}`
    const email = emailOf(hand, locale)

    test(`${how}: an API token is made, shown once, used by a program and revoked`, async () => {
      const one = await world.person(hand, locale)
      const { tokens: text, tabs } = one.words.account
      await one.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
      await one.open('/account')
      await one.press(one.link(tabs.tokens))
      await one.press(one.button(text.add))
      const form = one.page.getByRole('dialog', { name: text.form.title })
      await one.type(text.form.name, 'Kasa 1', form)
      await one.press(one.button(text.form.submit, form))
      await one.confirmPassword(PASSWORD)

      const fresh = one.page.getByRole('dialog', { name: text.fresh.title })
      const token = (await fresh.getByLabel(text.fresh.value, { exact: true }).textContent()) ?? ''
      assert.match(token, /^pat_/)
      await one.press(fresh.getByRole('button', { name: text.fresh.value }))
      await fresh.getByText(one.words.frame.copied).waitFor()
      assert.equal(await readClipboard(one), token)
      const use = () =>
        fetch(`${world.service.baseUrl}/sdk/project/list`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        })
      assert.equal((await use()).status, 200)
      await one.press(one.button(text.fresh.close, fresh))

      const row = one.page.locator('tbody tr', { hasText: 'Kasa 1' })
      await row.getByText(text.scopes.read).waitFor()
      assert.equal(await row.getByText(text.scopes.write).count(), 0)
      await one.open('/account/tokens')
      await row.getByRole('button').waitFor()
      assert.equal(await row.getByText(text.neverUsed).count(), 0)
      await one.press(row.getByRole('button'))
      const asking = one.page.getByRole('dialog', { name: text.revokeDialog.title })
      await one.press(one.button(text.revokeDialog.submit, asking))
      await one.page.getByText(text.emptyTitle).waitFor()
      assert.equal((await use()).status, 401)
      assert.deepEqual(one.faults, [])
      await one.close()
    })
  }

  test('the link that confirms an e-mail can be sent once more', async () => {
    const one = await world.person('mouse', 'en')
    const { account, entry } = one.words
    const email = emailOf('mouse', 'cnr')
    await one.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
    const first = await world.mailedToken(email, 'confirm-email')
    await one.open('/account')
    await one.press(one.button(account.email.sendAgain))
    await one.confirmPassword(PASSWORD)
    await one.page.getByText(account.email.sentAgain(email)).waitFor()
    const second = await until(async () => {
      const newest = await world.mailedToken(email, 'confirm-email')
      return newest !== first && newest
    }, 'a second mail came')
    await one.page.goto(`/en/confirm-email#token=${second}`)
    await one.page.getByText(entry.confirmEmail.doneTitle).waitFor()
    await one.open('/account')
    await one.page.getByText(account.email.confirmed, { exact: true }).waitFor()
    assert.equal(await one.button(account.email.sendAgain).count(), 0)
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test('the account: look, zone, e-mail, password, sessions, activity, sign-out, and the mailed links', async () => {
    const one = await world.person('mouse', 'en')
    const { entry, account, frame } = one.words
    const email = 'keyboard-en@example.com'
    await one.page.goto(`/en/confirm-email#token=${await world.mailedToken(email, 'confirm-email')}`)
    await one.page.getByText(entry.confirmEmail.doneTitle).waitFor()
    assert.equal(new URL(one.page.url()).hash, '')

    await one.open('/forgot')
    await one.type(entry.email, email)
    await one.press(one.button(entry.forgot.submit))
    await one.page.getByText(entry.forgot.sentTitle).waitFor()
    await one.page.goto(`/en/reset#token=${await world.mailedToken(email, 'reset')}`)
    await one.type(entry.newPassword, `${PASSWORD} 2`)
    await one.press(one.button(entry.reset.submit))
    await one.page.getByText(entry.reset.doneTitle).waitFor()

    await one.open('/sign-in')
    await one.type(entry.email, email)
    await one.type(entry.password, `${PASSWORD} 2`)
    await one.press(one.button(entry.signIn.submit))
    await one.press(one.link(frame.account).first())
    await one.page.locator('main').getByLabel(frame.theme.label).selectOption('dark')
    await one.page.waitForSelector('html[data-theme=dark]')
    await one.page.getByLabel(account.timeZone).selectOption('Europe/London')
    await one.type(account.email.field, 'new-address@example.com')
    await one.press(one.button(account.email.submit))
    await one.confirmPassword(`${PASSWORD} 2`)
    await one.page.getByText(account.email.sent).waitFor()
    await one.type(entry.newPassword, `${PASSWORD} 3`)
    await one.press(one.button(account.password.submit))
    await one.page.getByText(account.password.done).waitFor()

    const elsewhere = [
      await world.person('mouse', 'en'),
      await world.person('mouse', 'en'),
      await world.person('mouse', 'en'),
    ]
    for (const { context } of elsewhere)
      await context.request.post('/portal/api/sign-in', { data: { email, password: `${PASSWORD} 3` } })
    await one.press(one.link(account.tabs.sessions))
    await one.press(one.page.locator('main li button').first())
    await one.confirmPassword(`${PASSWORD} 3`)
    await one.page.getByText(account.sessions.ended(1)).waitFor()
    await one.press(one.button(account.sessions.endAll))
    await one.page.getByText(account.sessions.only).waitFor()
    for (const other of elsewhere) {
      assert.equal((await other.context.request.get('/portal/api/session')).status(), 401)
      await other.close()
    }
    // More than one page of them.
    for (let round = 0; round < 25; round += 1)
      await one.context.request.post('/portal/api/account', { data: { theme: 'dark' } })
    await one.press(one.link(account.tabs.audit))
    await one.page.getByText(one.words.actions.account_updated).first().waitFor()
    assert.equal(await one.page.getByText(one.words.actions.signed_up).count(), 0)
    while ((await one.page.getByText(one.words.actions.signed_up).count()) === 0) {
      const shown = await one.page.locator('tbody tr').count()
      await one.press(one.button(account.audit.more))
      await one.page.locator('tbody tr').nth(shown).waitFor()
    }
    await one.press(one.button(frame.signOut).first())
    await one.page.waitForURL(/\/en\/sign-in$/)
    assert.deepEqual(one.faults, [])
    await one.close()
  })
}
