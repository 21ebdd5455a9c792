import assert from 'node:assert/strict'
import { catalogue } from '@pazar/words'
import { GOOD_PROJECT } from '../../client.ts'
import { COMBINATIONS, testInTurn, PASSWORD, world } from './world.ts'

for (const [input, locale] of COMBINATIONS) {
  const test = testInTurn(input, locale)

  test('an unused project is deleted, then the account is closed', async () => {
    const user = await world.newUser(input, locale)
    const { settings, account, entry } = user.words
    const email = `closing-${input}-${locale}@example.com`
    const { request } = user.context
    await request.post('/portal/api/sign-up', { data: { email, password: PASSWORD } })
    const added = await request.post('/sdk/project/add', { data: GOOD_PROJECT })
    const { id } = (await added.json()) as { id: string }

    await user.open(`/projects/${id}/settings?tab=danger`)
    await user.press(user.button(settings.remove.submit))
    const deleteDialog = user.page.getByRole('dialog', { name: settings.remove.dialogTitle })
    assert.equal(await user.button(settings.remove.submit, deleteDialog).isDisabled(), true)
    await user.type(settings.remove.nameField, GOOD_PROJECT.name, deleteDialog)
    await user.press(user.button(settings.remove.submit, deleteDialog))
    await user.confirmPassword(PASSWORD)
    await user.page.waitForURL(`**/${locale}/projects`)
    const response = await request.post('/sdk/project/get', { data: { projectId: id } })
    assert.equal(response.status(), 404)

    await user.open('/account')
    await user.press(user.button(account.close.submit))
    const closeDialog = user.page.getByRole('dialog', { name: account.close.dialogTitle })
    await user.type(account.close.emailField, email, closeDialog)
    await user.press(user.button(account.close.submit, closeDialog))
    await user.page.waitForURL(`**/${locale}/sign-in`)
    await user.type(entry.email, email)
    await user.type(entry.password, PASSWORD)
    await user.press(user.button(entry.signIn.submit))
    await user.page.getByText(catalogue(locale).errors.invalid_credentials.title).waitFor()
    await user.close()
  })
}
