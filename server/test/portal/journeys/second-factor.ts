import assert from 'node:assert/strict'
import { AuthenticatorApp } from '../../factors.ts'
import type { PortalUser } from '../portal-browser.ts'
import { COMBINATIONS, testInTurn, PASSWORD, readClipboard, world } from './world.ts'

async function enterRecoveryCode(user: PortalUser, code: string): Promise<void> {
  const { frame, secondFactor: text } = user.words
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await user.press(user.button(text.useRecovery, dialog))
  await user.type(text.recoveryCode, code, dialog)
  await user.press(user.button(frame.stepUp.submit, dialog))
  await dialog.waitFor({ state: 'detached' })
}

/** Pretends that an operator has requested the removal of all second factors, and cancels the removal. */
async function cancelRemoval(user: PortalUser): Promise<void> {
  const { removal: text } = user.words.security
  await user.page.route('**/portal/api/totp', async (route) => {
    const response = await route.fetch()
    const json = { ...(await response.json()), removedAfter: '2026-07-26T15:04:00.000Z' }
    await route.fulfill({ response, json })
  })
  await user.open('/account/security')
  const title = user.page.getByText(text.title)
  await title.waitFor()
  await user.page.unrouteAll({ behavior: 'wait' })
  await user.press(user.button(text.cancel))
  await user.page.getByText(text.cancelled).waitFor()
  await title.waitFor({ state: 'detached' })
}

for (const [input, locale] of COMBINATIONS) {
  const test = testInTurn(input, locale)

  test('an authenticator app is set up, used to sign in, and removed', async () => {
    const user = await world.newUser(input, locale)
    const { security: text, secondFactor, entry, frame } = user.words
    const email = `app-${input}-${locale}@example.com`
    await user.context.request.post('/portal/api/sign-up', { data: { email, password: PASSWORD, locale } })
    await user.open('/account/security')
    await user.page.getByText(text.codes.none).waitFor()
    await user.press(user.button(text.app.add))
    await user.confirmPassword(PASSWORD)

    const setUpDialog = user.page.getByRole('dialog', { name: text.app.setUp.title })
    await setUpDialog.getByRole('img', { name: text.app.setUp.qrAlt }).waitFor()
    const secret = ((await setUpDialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
    const app = new AuthenticatorApp(secret)
    await user.type(text.app.setUp.code, app.code(), setUpDialog)
    await user.press(user.button(text.app.setUp.submit, setUpDialog))
    const codesDialog = user.page.getByRole('dialog', { name: text.codes.fresh.title })
    await codesDialog.locator('li').first().waitFor()
    const codes = await codesDialog.locator('li').allTextContents()
    assert.equal(codes.length, 10)
    await user.press(codesDialog.getByRole('button', { name: text.codes.fresh.list }))
    await codesDialog.getByText(frame.copied).waitFor()
    assert.equal(await readClipboard(user), codes.join('\n'))
    await user.press(user.button(text.codes.fresh.close, codesDialog))
    await user.page.getByText(text.app.on, { exact: true }).waitFor()

    await user.context.clearCookies()
    await user.open('/sign-in')
    await user.type(entry.email, email)
    await user.type(entry.password, PASSWORD)
    await user.press(user.button(entry.signIn.submit))
    await user.page.getByRole('heading', { name: secondFactor.title }).waitFor()
    const field = user.page.getByLabel(secondFactor.code, { exact: true })
    assert.equal(await field.getAttribute('autocomplete'), 'one-time-code')
    await user.type(secondFactor.code, '12345')
    await user.press(user.button(secondFactor.submit))
    await user.page.getByText(secondFactor.wrong).waitFor()
    // The current code was used up by the setup, so the next one is typed.
    await user.type(secondFactor.code, app.codeAt(Date.now() + 30_000))
    await user.press(user.button(secondFactor.submit))
    await user.page.waitForURL(/\/projects$/)

    await user.open('/account/security')
    await user.press(user.button(text.codes.renew))
    await enterRecoveryCode(user, codes[0] ?? '')
    await user.press(user.button(text.codes.fresh.close, codesDialog))
    await user.page.getByText(text.codes.left(10)).waitFor()
    await cancelRemoval(user)
    await user.press(user.button(text.app.remove))
    const removeDialog = user.page.getByRole('dialog', { name: text.app.removeTitle })
    await user.press(user.button(text.app.remove, removeDialog))
    await user.page.getByText(text.app.off, { exact: true }).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}
