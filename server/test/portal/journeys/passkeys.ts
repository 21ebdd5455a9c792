// Passkeys, with Chromium's virtual authenticator.
import assert from 'node:assert/strict'
import type { PortalUser } from '../portal-browser.ts'
import { COMBINATIONS, testInTurn, PASSWORD, world } from './world.ts'

/** Adds a virtual device that always confirms its user. */
async function addAuthenticator(user: PortalUser): Promise<void> {
  const session = await user.context.newCDPSession(user.page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

for (const [input, locale] of COMBINATIONS) {
  const test = testInTurn(input, locale)

  test('a passkey signs in with one press and reveals a live secret with two presses', async () => {
    const user = await world.newUser(input, locale)
    const { security, secondFactor, entry, keys, frame } = user.words
    const { passkeys: text } = security
    const email = `passkey-${input}-${locale}@example.com`
    const { request } = user.context
    await request.post('/portal/api/sign-up', { data: { email, password: PASSWORD, locale } })
    const added = await request.post('/sdk/project/add', {
      data: {
        name: 'Knjižara',
        resultUrl: 'https://shop.example.com/hvala',
        apiUrl: 'https://shop.example.com/callback',
      },
    })
    const { id: projectId } = (await added.json()) as { id: string }
    await user.open('/account/security')
    await addAuthenticator(user)
    await user.press(user.button(text.add))
    const addDialog = user.page.getByRole('dialog', { name: text.addTitle })
    await user.type(text.name, 'Moj laptop', addDialog)
    await user.press(user.button(text.submit, addDialog))
    await user.confirmPassword(PASSWORD)
    const codesDialog = user.page.getByRole('dialog', { name: security.codes.fresh.title })
    await user.press(user.button(security.codes.fresh.close, codesDialog))
    const row = user.page.locator('main li', { hasText: 'Moj laptop' })
    await row.getByText(text.neverUsed).waitFor()

    await user.context.clearCookies()
    await user.open('/sign-in')
    const signInPresses = await user.countPresses(async () => {
      await user.press(user.button(entry.signIn.passkey))
      await user.page.waitForURL(/\/projects$/)
    })
    assert.equal(signInPresses, 1)

    await user.open(`/projects/${projectId}/keys`)
    const revealPresses = await user.countPresses(async () => {
      await user.press(user.button(keys.reveal).first())
      const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
      await user.press(user.button(secondFactor.passkey, dialog))
      await dialog.waitFor({ state: 'detached' })
      const secret = user.page.getByLabel(keys.value, { exact: true })
      assert.match((await secret.textContent()) ?? '', /^sk_live_/)
    })
    assert.equal(revealPresses, 2)

    await user.open('/account/security')
    await row.getByText(text.lastUsed).waitFor()
    await user.page.getByText(security.summary.levels.fair).waitFor()
    // This browser counts twice, because its cookies were deleted after the sign-up.
    await user.page.getByText(security.devices.count(2)).waitFor()
    await user.press(user.button(security.devices.forget))
    await user.page.getByText(security.devices.forgotten(1)).waitFor()
    await user.press(row.getByRole('button', { name: text.rename }))
    const renameDialog = user.page.getByRole('dialog', { name: text.renameTitle })
    await user.type(text.name, 'Moj laptop kod kuće', renameDialog)
    await user.press(user.button(frame.save, renameDialog))
    await row.getByText('Moj laptop kod kuće', { exact: true }).first().waitFor()
    await user.press(row.getByRole('button', { name: text.remove }))
    const removeDialog = user.page.getByRole('dialog', { name: text.removeTitle })
    await user.press(user.button(text.removeSubmit, removeDialog))
    await user.page.getByText(text.empty).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}
