import assert from 'node:assert/strict'
import { LOGO_BYTES_MAX } from '@pazar/contract'
import { detailTests } from './detail-tests.ts'
import { newMerchant } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })

test('the checkout settings show what another tab has saved, and saving the form does not undo that change', async () => {
  const { user, projectId } = await openMerchant()
  const { brand } = user.words.settings
  const { request } = user.context
  await user.page.clock.install()
  await user.open(`/projects/${projectId}/settings?tab=checkout`)
  await user.type(brand.website, 'https://shop.example.com/')
  await request.post(`/portal/api/projects/${projectId}/brand`, { data: { displayName: 'Papirnica' } })
  await user.press(user.button(brand.save))
  await user.page.getByText(brand.saved).waitFor()
  const name = user.page.getByLabel(brand.displayName, { exact: true })
  assert.equal(await name.inputValue(), 'Papirnica')

  await user.type(brand.supportEmail, 'pomoc@example.com')
  await request.post(`/portal/api/projects/${projectId}/brand`, { data: { displayName: 'Čitaonica' } })
  await user.page.clock.runFor(20_000)
  await user.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await user.page.locator('figure').getByText('Čitaonica').first().waitFor()
  assert.equal(
    await user.page.getByLabel(brand.supportEmail, { exact: true }).inputValue(),
    'pomoc@example.com',
  )
  const response = await request.post('/sdk/project/get', { data: { projectId } })
  const { brand: saved } = (await response.json()) as { brand: Record<string, string | null> }
  assert.deepEqual([saved['displayName'], saved['website']], ['Čitaonica', 'https://shop.example.com/'])
  await user.close()
})

test('input in the checkout settings survives a switch of language, and a dialog asks before the page is left', async () => {
  const { user, projectId } = await openMerchant()
  const { settings, frame } = user.words
  await user.open(`/projects/${projectId}/settings?tab=checkout`)
  await user.type(settings.brand.supportEmail, 'pomoc@example.com')
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL('**/cnr/**')
  const email = user.page.locator('input[type=email]')
  await email.waitFor()
  assert.equal(await email.inputValue(), 'pomoc@example.com')
  await user.press(user.link('English').first())
  await user.page.waitForURL('**/en/**')
  await user.press(user.link(frame.keys).first())
  const dialog = user.page.getByRole('dialog', { name: frame.unsaved.title })
  await user.press(user.button(frame.unsaved.stay, dialog))
  assert.equal(await email.inputValue(), 'pomoc@example.com')
  await user.press(user.link(frame.keys).first())
  await user.press(user.button(frame.unsaved.leave, dialog))
  await user.page.waitForURL('**/keys**')
  await user.close()
})

test('after a switch of language, saving the checkout settings undoes nothing that was saved elsewhere', async () => {
  const { user, projectId } = await openMerchant()
  const { brand } = user.words.settings
  const website = user.page.locator('input[type=url]')
  await user.open(`/projects/${projectId}/settings?tab=checkout`)
  await user.type(brand.website, 'https://shop.example.com/')
  await user.context.request.post(`/portal/api/projects/${projectId}/brand`, {
    data: { displayName: 'Papirnica' },
  })
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL('**/cnr/**')
  await website.waitFor()
  const [request] = await Promise.all([user.page.waitForRequest(/\/brand$/), website.press('Enter')])
  assert.deepEqual(request.postDataJSON(), { website: 'https://shop.example.com/' })
  await user.close()
})

test('a dialog asks before the settings are left, even if the unsaved changes are on another tab', async () => {
  const { user, projectId } = await openMerchant()
  const { settings, projects, frame } = user.words
  await user.open(`/projects/${projectId}/settings`)
  await user.type(projects.form.name, 'Papirnica')
  await user.press(user.link(settings.tabs.history))
  await user.press(user.link(frame.keys).first())
  const dialog = user.page.getByRole('dialog', { name: frame.unsaved.title })
  await user.press(user.button(frame.unsaved.leave, dialog))
  await user.page.waitForURL('**/keys**')
  await user.close()
})

test('a file that cannot be a logo is refused', async () => {
  const { user, projectId } = await openMerchant()
  const { brand } = user.words.settings
  await user.open(`/projects/${projectId}/settings?tab=checkout`)
  const files = [
    { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(LOGO_BYTES_MAX + 1) },
  ]
  for (const file of files) {
    const [refusal] = await Promise.all([
      user.page.waitForResponse(/brand\/logo$/),
      user.page.locator('input[type=file]').setInputFiles(file),
    ])
    assert.ok([413, 415].includes(refusal.status()))
    await user.page.getByText(brand.logoRefused).waitFor()
  }
  await user.close()
})

test('a new project gets the callback URL that was typed before the list of projects had loaded', async () => {
  const pages = { resultUrl: `${service.baseUrl}/pay/successful`, apiUrl: `${service.baseUrl}/inbox` }
  const { user } = await newMerchant(browser, { baseUrl: service.baseUrl }, pages)
  const { form, add } = user.words.projects
  const { promise: isTyped, resolve: endTyping } = Promise.withResolvers<void>()
  await intercept(user.page, '**/sdk/project/list', async (route) => {
    await isTyped
    await route.continue()
  })
  await user.open('/projects/new')
  await user.type(form.name, 'Papirnica')
  await user.type(form.resultUrl, 'https://shop.example.com/r')
  await user.type(form.apiUrl, 'https://shop.example.com/c')
  const loaded = user.page.waitForResponse(/project\/list/)
  endTyping()
  await loaded
  await user.page.waitForLoadState('networkidle')
  const [response] = await Promise.all([
    user.page.waitForResponse(/project\/add/),
    user.press(user.button(add.submit)),
  ])
  const { apiUrl } = (await response.json()) as { apiUrl: string }
  assert.equal(apiUrl, 'https://shop.example.com/c')
  await user.close()
})
