// If the service refuses one field of a form, the page says why, even if the field has no place for an error.
import assert from 'node:assert/strict'
import { PASSWORD_MAX } from '@pazar/contract/limits'
import { catalogue } from '@pazar/words'
import { detailTests } from './detail-tests.ts'
import { newMerchant } from './merchant.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })
const { fields } = catalogue('en')

test('the page for a forgotten password says that an address without a full domain is not valid', async () => {
  const { user } = await openMerchant()
  const { entry } = user.words
  await user.context.clearCookies()
  await user.open('/forgot')
  await user.type(entry.email, 'ana@gmail')
  await user.press(user.button(entry.forgot.submit))
  await user.page.locator('[aria-invalid=true]').waitFor()
  await user.page.getByText(fields.invalid_email).waitFor()
  assert.equal(await user.page.getByRole('alert').count(), 0)
  await user.close()
})

test('forms say that the service does not know a time zone', async () => {
  const { user, projectId } = await openMerchant()
  const { account, projects, settings } = user.words
  const zone = 'Europe/Atlantis'
  const alert = user.page.getByRole('alert').getByText(fields.invalid_time_zone)
  await user.context.addInitScript((name) => {
    Intl.supportedValuesOf = () => [name]
  }, zone)
  await user.open('/account')
  await user.page.getByLabel(account.timeZone, { exact: true }).selectOption(zone)
  await alert.waitFor()

  await user.open(`/projects/${projectId}/settings`)
  await user.page.getByLabel(projects.form.timeZone, { exact: true }).selectOption(zone)
  await user.press(user.button(settings.save))
  await alert.waitFor()

  await user.page.goto('/en/projects/new')
  await user.press(user.page.getByText(projects.form.more))
  await user.page.getByLabel(projects.form.timeZone, { exact: true }).selectOption(zone)
  await user.type(projects.form.name, 'Papirnica')
  await user.page.getByLabel(projects.form.ownPages).check()
  await user.press(user.button(projects.add.submit))
  await alert.waitFor()
  await user.close()
})

test('if a field in a closed section is refused, the section opens', async () => {
  const { user } = await openMerchant()
  const { form, add } = user.words.projects
  await user.open('/projects/new')
  await user.type(form.name, 'Papirnica')
  await user.page.getByLabel(form.ownPages).check()
  await user.press(user.page.getByText(form.more))
  await user.type(form.testApiUrl, 'https://shop.example.com:22/')
  await user.press(user.page.getByText(form.more))
  await user.press(user.button(add.submit))
  await user.page.getByText(fields.url_port).waitFor()
  await user.page.locator('[aria-invalid=true]:focus').waitFor()
  await user.close()
})

test('the password dialog says that a password is too long', async () => {
  const { user, projectId } = await openMerchant()
  const { entry, frame, keys } = user.words
  await user.open(`/projects/${projectId}/keys`)
  await user.page.getByRole('button', { name: keys.reveal }).first().click()
  const dialog = user.page.getByRole('dialog', { name: frame.stepUp.title })
  await user.type(entry.password, 'x'.repeat(PASSWORD_MAX + 1), dialog)
  await user.press(user.button(frame.stepUp.submit, dialog))
  await dialog
    .getByRole('alert')
    .getByText(fields.too_long({ max: PASSWORD_MAX }))
    .waitFor()
  await user.close()
})
