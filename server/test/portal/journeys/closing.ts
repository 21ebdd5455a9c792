// What cannot be undone: an unused project is deleted, an account is closed, each with its name typed and the password asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { GOOD_PROJECT } from '../../client.ts'
import { COMBINATIONS, PASSWORD } from './world.ts'
import type { World } from './world.ts'

export function testClosing(world: World): void {
  for (const [hand, locale] of COMBINATIONS) {
    test(`by ${hand} in ${locale}: an unused project is deleted, then the account is closed`, async () => {
      const one = await world.person(hand, locale)
      const { settings, account, entry } = one.words
      const email = `closing-${hand}-${locale}@example.com`
      const { request } = one.context
      await request.post('/portal/api/sign-up', { data: { email, password: PASSWORD } })
      const added = await request.post('/sdk/project/add', { data: GOOD_PROJECT })
      const { id } = (await added.json()) as { id: string }

      await one.open(`/projects/${id}/settings`)
      await one.press(one.button(settings.remove.submit))
      const deleting = one.page.getByRole('dialog', { name: settings.remove.dialogTitle })
      assert.equal(await one.button(settings.remove.submit, deleting).isDisabled(), true)
      await one.type(settings.remove.nameField, GOOD_PROJECT.name, deleting)
      await one.press(one.button(settings.remove.submit, deleting))
      await one.confirmPassword(PASSWORD)
      await one.page.waitForURL(`**/${locale}/projects`)
      const gone = await request.post('/sdk/project/get', { data: { projectId: id } })
      assert.equal(gone.status(), 404)

      await one.open('/account')
      await one.press(one.button(account.close.submit))
      const closing = one.page.getByRole('dialog', { name: account.close.dialogTitle })
      await one.type(account.close.emailField, email, closing)
      await one.press(one.button(account.close.submit, closing))
      await one.page.waitForURL(`**/${locale}/sign-in`)
      await one.type(entry.email, email)
      await one.type(entry.password, PASSWORD)
      await one.press(one.button(entry.signIn.submit))
      await one.page.getByText(catalogue(locale).errors.invalid_credentials.title).waitFor()
      await one.close()
    })
  }
}
