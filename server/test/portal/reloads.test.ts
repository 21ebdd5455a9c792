import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { detailTests } from './detail-tests.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { payTestOrder } from './pay-test-order.ts'
import { intercept, newUser } from './portal-browser.ts'
import type { PortalUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })

test('switching the language preserves the page, its filters and the input', async () => {
  const { user, projectId } = await openMerchant()
  await user.open(`/projects/${projectId}/transactions?mode=test&status=failed`)
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL(`**/cnr/projects/${projectId}/transactions?mode=test&status=failed`)
  await user.page.goto('/en/projects/new')
  await user.type(user.words.projects.form.name, 'Knjižara na trgu')
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL('**/cnr/projects/new')
  await user.page.locator('input[name=name]').waitFor()
  assert.equal(await user.page.locator('input[name=name]').inputValue(), 'Knjižara na trgu')
  assert.equal(await user.page.locator('html').getAttribute('lang'), 'sr-Latn-ME')
  await user.close()
})

test('after the language is switched, a password reset link still shows its form', async () => {
  const { user } = await openMerchant()
  await user.page.goto('/en/reset#token=abcdefghijklmnopqrstuvwxyz')
  await user.page.locator('input[type=password]').waitFor()
  assert.equal(new URL(user.page.url()).hash, '')
  await user.press(user.link('Crnogorski'))
  await user.page.waitForURL(/\/cnr\/reset$/)
  await user.page.locator('input[type=password]').waitFor()
  await user.close()
})

const SCRIPTS = /\/portal-assets\/.*\.js$/

/** Simulates a deploy: the scripts are gone, and `act` needs one of them. Returns the dialog that opens. */
async function openMissingFile(user: PortalUser, act: () => Promise<unknown>): Promise<Locator> {
  await intercept(user.page, SCRIPTS, (route) => route.fulfill({ status: 404 }))
  await act()
  const dialog = user.page.getByRole('dialog', { name: user.words.frame.newVersion.title })
  await dialog.waitFor()
  return dialog
}

for (const [caseName, files] of [
  ['words', /\/portal-assets\/portal-entry-cnr-.*\.js$/],
  ['script', SCRIPTS],
] as const) {
  test(`if the ${caseName} of a page did not load, the page shows a message with a link that reloads the page`, async () => {
    const user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'cnr' })
    const { notStarted, newVersion } = user.words.frame
    await user.page.route(files, (route) => route.abort())
    await user.page.goto('/cnr/sign-in?next=%2Fcnr%2Faccount')
    // If the script itself is missing, the page shows the message after a delay, which is skipped here.
    if (caseName === 'script')
      await user.page.evaluate(() => document.getAnimations().forEach((wait) => wait.finish()))
    await user.page.getByText(notStarted).waitFor()
    await user.page.unroute(files)
    await user.press(user.link(newVersion.action))
    await user.page.getByRole('heading', { level: 1, name: user.words.entry.signIn.title }).waitFor()
    assert.match(user.page.url(), /\/cnr\/sign-in\?next=%2Fcnr%2Faccount$/)
    assert.equal(await user.page.getByText(notStarted).count(), 0)
    await user.close()
  })
}

test('when the script of the command menu is gone, the page and the input stay', async () => {
  const { user } = await openMerchant()
  const { projects } = user.words
  await user.open('/projects/new')
  await user.type(projects.form.name, 'Knjižara na trgu')
  const dialog = await openMissingFile(user, () => user.page.keyboard.press('ControlOrMeta+k'))
  await user.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(
    await user.page.getByLabel(projects.form.name, { exact: true }).inputValue(),
    'Knjižara na trgu',
  )
  await user.close()
})

test('when a script is gone after a deploy, a dialog offers a reload, which preserves the input', async () => {
  const { user } = await openMerchant()
  const { projects, frame } = user.words
  await user.open('/projects/new')
  await user.type(projects.form.name, 'Knjižara na trgu')
  await user.openAccountMenu()
  const dialog = await openMissingFile(user, () => user.press(user.link(frame.account)))
  await user.page.unroute(SCRIPTS)
  await user.press(user.button(frame.newVersion.action, dialog))
  await user.page.getByRole('heading', { name: user.words.account.title, exact: true }).first().waitFor()
  await user.page.goBack()
  await user.page.waitForURL(/projects\/new$/)
  await user.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Knjižara na trgu',
  )
  await user.close()
})

async function reloadPage(user: PortalUser): Promise<string> {
  const { frame } = user.words
  const dialog = await openMissingFile(user, () => user.page.keyboard.press('ControlOrMeta+k'))
  await user.page.unroute(SCRIPTS)
  const loaded = user.page.waitForEvent('load')
  await user.press(user.button(frame.newVersion.action, dialog))
  await loaded
  await user.page.waitForSelector('h1')
  return readStored(user)
}

/** Copies the stored input before the page's own script removes it from the storage. */
async function recordStored(user: PortalUser): Promise<void> {
  await user.context.addInitScript(() => {
    Object.assign(window, { storedDrafts: sessionStorage.getItem('pazar-drafts') ?? '' })
  })
}

function readStored(user: PortalUser): Promise<string> {
  return user.page.evaluate(() => (window as { storedDrafts?: string }).storedDrafts ?? '')
}

test('a reload preserves the input of forms, but no password and no pasted request', async () => {
  const { user, projectId } = await openMerchant()
  const { status, account, entry, metrics, debug, members } = user.words
  await recordStored(user)
  const valueOf = (label: string) => user.page.getByLabel(label, { exact: true }).inputValue()

  await user.open(`/projects/${projectId}/status?mode=test&q=order-1`)
  await user.type(status.customId, 'order-22')
  await reloadPage(user)
  assert.equal(await valueOf(status.customId), 'order-22')

  await user.open(`/projects/${projectId}/members`)
  await user.type(members.invite.email, 'knjigovodja@example.com')
  await user.page.getByLabel(members.invite.role, { exact: true }).selectOption('finance')
  await reloadPage(user)
  assert.equal(await valueOf(members.invite.email), 'knjigovodja@example.com')
  assert.equal(await valueOf(members.invite.role), 'finance')

  await user.open('/account')
  await user.type(account.email.field, 'nova@example.com')
  await user.type(entry.newPassword, PASSWORD)
  const stored = await reloadPage(user)
  assert.equal(await valueOf(account.email.field), 'nova@example.com')
  assert.equal(await valueOf(entry.newPassword), '')
  assert.match(stored, /nova@example\.com/)
  assert.ok(!stored.includes(PASSWORD))

  await user.open('/account/tokens')
  await user.press(user.button(account.tokens.add).first())
  await user.type(account.tokens.form.name, 'Kasa 1')
  await user.page.getByLabel(account.tokens.form.days, { exact: true }).selectOption('7')
  await reloadPage(user)
  await user.press(user.button(account.tokens.add).first())
  assert.equal(await valueOf(account.tokens.form.name), 'Kasa 1')
  assert.equal(await valueOf(account.tokens.form.days), '7')

  // Without a payment the overview has no stats.
  await payTestOrder(user, projectId, { amount: '1500', customId: 'order-1' })
  await user.open(`/projects/${projectId}?mode=test`)
  await user.press(user.button(metrics.range.other))
  await user.page.getByLabel(metrics.range.from, { exact: true }).fill('2026-10-05')
  await reloadPage(user)
  await user.press(user.button(metrics.range.other))
  assert.equal(await valueOf(metrics.range.from), '2026-10-05')

  // The page promises not to store what is pasted.
  await user.open(`/projects/${projectId}/debug?mode=test`)
  await user.page.locator('textarea').first().fill('{"event":"payment.result"}')
  assert.equal((await reloadPage(user)).includes('payment.result'), false)
  assert.equal(await valueOf(debug.paste), '')
  await user.close()
})

test('after a switch of language, saving the settings undoes nothing that was saved elsewhere', async () => {
  const { user, projectId } = await openMerchant()
  const { form } = user.words.projects
  const name = user.page.locator('input[name=name]')
  const testApiUrl = user.page.locator('input[name=testApiUrl]')
  const update = (data: Record<string, unknown>) =>
    user.context.request.post('/sdk/project/update', { data: { projectId, ...data } })
  await user.open(`/projects/${projectId}/settings`)
  await user.type(form.name, 'Papirnica')
  await user.type(form.testApiUrl, 'https://test.example.com/c')
  await user.type(form.testApiUrl, '')
  await update({ apiUrl: 'https://shop.example.com/new', testApiUrl: 'https://test.example.com/new' })
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL(`**/cnr/projects/${projectId}/settings`)
  await name.waitFor()
  assert.equal(await name.inputValue(), 'Papirnica')
  assert.equal(await testApiUrl.inputValue(), 'https://test.example.com/new')
  const [response] = await Promise.all([user.page.waitForResponse(/project\/update/), name.press('Enter')])
  assert.deepEqual(response.request().postDataJSON(), { projectId, name: 'Papirnica' })
  const { apiUrl } = (await response.json()) as { apiUrl: string }
  assert.equal(apiUrl, 'https://shop.example.com/new')
  await user.close()
})

test('a reload does not restore the input of an earlier visit to the page', async () => {
  const { user, projectId } = await openMerchant()
  const { status, frame } = user.words
  await user.open(`/projects/${projectId}/status?mode=test`)
  const field = user.page.getByLabel(status.customId, { exact: true })
  await user.type(status.customId, 'order-22')
  await user.press(user.link(frame.keys).first())
  // The URL changes before the page does, so the test waits until the field is gone.
  await field.waitFor({ state: 'detached' })
  await user.press(user.link(frame.status).first())
  await field.waitFor()
  assert.equal(await field.inputValue(), '')
  await reloadPage(user)
  assert.equal(await field.inputValue(), '')
  await user.close()
})

test('switching the language preserves the email that is typed to sign in, sign up or reset a password, but not the password', async () => {
  const { user } = await openMerchant()
  const { entry } = user.words
  await recordStored(user)
  await user.context.clearCookies()
  for (const page of ['sign-in', 'sign-up', 'forgot']) {
    await user.page.goto(`/en/${page}`)
    await user.type(entry.email, `${page}@example.com`)
    if (page !== 'forgot') await user.type(entry.password, PASSWORD)
    await user.press(user.link('Crnogorski'))
    await user.page.waitForURL(`**/cnr/${page}`)
    await user.page.locator('input[type=email]').waitFor()
    assert.equal(await user.page.locator('input[type=email]').inputValue(), `${page}@example.com`)
    if (page !== 'forgot') assert.equal(await user.page.locator('input[type=password]').inputValue(), '')
    assert.ok(!(await readStored(user)).includes(PASSWORD))
  }
  await user.close()
})
