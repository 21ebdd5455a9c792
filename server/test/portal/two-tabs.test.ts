import assert from 'node:assert/strict'
import { catalogue } from '@pazar/words'
import type { Page } from 'playwright-core'
import { detailTests } from './detail-tests.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { intercept, newUser } from './portal-browser.ts'
import type { PortalUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })

/** Records the prompts of the browser itself, such as the question whether to leave a page. */
function recordPrompts(page: Page): string[] {
  const prompts: string[] = []
  page.on('dialog', (dialog) => {
    prompts.push(dialog.type())
    dialog.dismiss().catch(() => undefined) // The page may be closed by now.
  })
  return prompts
}

async function returnToTab(user: PortalUser): Promise<void> {
  await user.page.clock.runFor(20_000)
  await user.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

async function updateProject(user: PortalUser, data: Record<string, unknown>): Promise<void> {
  const response = await user.context.request.post('/sdk/project/update', { data })
  assert.equal(response.status(), 200)
}

test('when one tab signs in to another account, the other tab leaves its page and drops its input', async () => {
  const { user } = await openMerchant()
  const otherEmail = 'other@example.com'
  const otherUser = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en' })
  await otherUser.context.request.post('/portal/api/sign-up', {
    data: { email: otherEmail, password: PASSWORD },
  })
  await user.open('/projects/new')
  await user.type(user.words.projects.form.name, 'Moj projekat')
  const otherTab = await user.context.newPage()
  await otherTab.goto('/en/sign-in')
  await otherTab.getByLabel(user.words.entry.email, { exact: true }).fill(otherEmail)
  await otherTab.getByLabel(user.words.entry.password, { exact: true }).fill(PASSWORD)
  await otherTab.keyboard.press('Enter')
  await otherTab.waitForURL('**/en/projects')
  await user.page.waitForURL('**/en/projects')
  await user.page.getByText(user.words.projects.list.emptyTitle).waitFor()
  await user.page.goto('/en/projects/new')
  assert.equal(await user.page.getByLabel(user.words.projects.form.name, { exact: true }).inputValue(), '')
  await otherUser.close()
  await user.close()
})

test('if “Sign in again” signs in to another account, the page is left, and the waiting request is not repeated', async () => {
  const { user, projectId } = await openMerchant()
  const { user: otherMerchant, email: otherEmail } = await openMerchant()
  const { projects, settings, frame, entry } = user.words
  await user.open(`/projects/${projectId}/settings`)
  await user.type(projects.form.name, 'Nova knjižara')
  await user.context.clearCookies({ name: 'session' })
  // The form sends the email of the first account, so only a passkey could sign in to another account. Replacing the
  // email in the request has the same effect.
  await intercept(user.page, '**/portal/api/sign-in', (route) =>
    route.continue({ postData: JSON.stringify({ email: otherEmail, password: PASSWORD }) }),
  )
  await user.press(user.button(settings.save))
  const dialog = user.page.getByRole('dialog', { name: frame.signInAgain.title })
  await user.type(entry.password, PASSWORD, dialog)
  await user.press(user.button(frame.signInAgain.submit, dialog))
  await user.page.waitForURL('**/en/projects')
  assert.equal(user.calls.filter(({ path }) => path === '/sdk/project/update').length, 1)
  await otherMerchant.close()
  await user.close()
})

test('if another account is signed in when a suspended tab resumes, the tab leaves its page', async () => {
  const { user } = await openMerchant()
  const { user: otherMerchant } = await openMerchant()
  await user.page.clock.install()
  await user.open('/projects/new')
  const cookies = await otherMerchant.context.cookies()
  await user.context.addCookies(cookies.filter(({ name }) => name === 'session'))
  await returnToTab(user)
  await user.page.waitForURL('**/en/projects')
  await otherMerchant.close()
  await user.close()
})

test('after a sign-out in one tab, another tab leaves its page without a prompt, even with unsaved changes', async () => {
  const { user, projectId } = await openMerchant()
  await user.open(`/projects/${projectId}/settings`)
  const prompts = recordPrompts(user.page)
  await user.page.getByLabel(user.words.projects.form.name, { exact: true }).click()
  await user.page.keyboard.type(' i papirnica')
  const otherTab = await user.context.newPage()
  await otherTab.goto('/en/projects')
  await otherTab.getByRole('button', { name: user.words.frame.accountMenu }).click()
  await otherTab.getByRole('button', { name: user.words.frame.signOut }).click()
  await user.page.waitForURL(/\/en\/sign-in\?next=/)
  assert.deepEqual(prompts, [])
  await user.close()
})

test('the settings form shows what another tab has saved, and saving the form does not undo that change', async () => {
  const { user, projectId } = await openMerchant()
  const { projects, settings } = user.words
  const name = user.page.getByLabel(projects.form.name, { exact: true })
  await user.page.clock.install()
  await user.open(`/projects/${projectId}/settings`)
  await user.type(projects.form.apiUrl, 'https://shop.example.com/new')
  await updateProject(user, { projectId, name: 'Papirnica' })
  await returnToTab(user)
  await user.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Papirnica',
  )
  await user.page.getByText(settings.changes(1)).waitFor()
  await user.press(user.button(settings.save))
  await user.page.getByText(settings.saved).waitFor()
  assert.equal(await name.inputValue(), 'Papirnica')
  const response = await user.context.request.post('/sdk/project/get', { data: { projectId } })
  const saved = (await response.json()) as { name: string; apiUrl: string }
  assert.deepEqual([saved.name, saved.apiUrl], ['Papirnica', 'https://shop.example.com/new'])
  await user.close()
})

test('switching the language preserves unsaved changes, without a prompt', async () => {
  const { user, projectId } = await openMerchant()
  const path = `/projects/${projectId}/settings`
  const field = user.page.locator('input[name=name]')
  await user.open(path)
  const prompts = recordPrompts(user.page)
  await field.click()
  await user.page.keyboard.press('End')
  await user.page.keyboard.type(' i papirnica')
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL(`**/cnr${path}`)
  assert.equal(await field.inputValue(), 'Knjižara i papirnica')
  assert.deepEqual(prompts, [])
  await user.close()
})

test('switching the language does not restore discarded changes', async () => {
  const { user, projectId } = await openMerchant()
  const { projects, frame } = user.words
  const field = user.page.locator('input[name=name]')
  await user.open(`/projects/${projectId}/settings`)
  await user.type(projects.form.name, 'Ipak ne')
  await user.press(user.link(frame.keys).first())
  await user.press(user.button(frame.unsaved.leave))
  await user.page.waitForURL('**/keys**')
  await user.press(user.link('Crnogorski').first())
  await user.page.waitForURL('**/cnr/**')
  await user.page.locator('a[href*="/settings"]').first().click()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Knjižara')
  await user.close()
})

test('switching the language in the command menu preserves the input', async () => {
  const { user } = await openMerchant()
  await user.open('/projects/new')
  await user.type(user.words.projects.form.name, 'Knjižara na trgu')
  await user.page.keyboard.press('ControlOrMeta+k')
  await user.press(user.button(user.words.frame.command.otherLanguage))
  await user.page.waitForURL('**/cnr/projects/new')
  assert.equal(await user.page.locator('input[name=name]').inputValue(), 'Knjižara na trgu')
  await user.close()
})

test('if the request to run the exam fails, the error is shown even if the project cannot be loaded again', async () => {
  const { user, projectId } = await openMerchant()
  const { exam, frame } = user.words
  await updateProject(user, { projectId, testApiUrl: 'https://test.example.com/c' })
  await user.open(`/projects/${projectId}/exam?mode=test`)
  await user.page.getByText('https://test.example.com/c').waitFor()
  await intercept(user.page, '**/exam', (route) => route.fulfill({ status: 503, body: '' }))
  await intercept(user.page, '**/sdk/project/**', () => undefined)
  await user.press(user.button(exam.run))
  await user.button(frame.tryAgain).waitFor()
  await user.page.unrouteAll({ behavior: 'ignoreErrors' })
  await user.close()
})

test('if the test URL was removed in another tab, the exam asks before it uses the live URL', async () => {
  const { user, projectId } = await openMerchant()
  const { exam } = user.words
  await updateProject(user, { projectId, testApiUrl: 'https://test.example.com/c' })
  await user.open(`/projects/${projectId}/exam?mode=test`)
  await user.page.getByText('https://test.example.com/c').waitFor()
  await updateProject(user, { projectId, testApiUrl: null })
  await user.press(user.button(exam.run))
  const dialog = user.page.getByRole('dialog', { name: exam.ask.title })
  await dialog.getByText('https://shop.example.com/c').waitFor()
  await user.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // If the project has no server at all, the page says so and has no button to try again.
  await updateProject(user, { projectId, testApiUrl: 'https://test.example.com/c' })
  await user.page.reload()
  await user.page.getByText('https://test.example.com/c').waitFor()
  await updateProject(user, { projectId, testApiUrl: null, apiUrl: `${service.baseUrl}/inbox/${projectId}` })
  await user.press(user.button(exam.run))
  await user.page.getByText(catalogue('en').fields.exam_without_server).waitFor()
  await user.page.getByText(exam.noServerTitle, { exact: true }).waitFor()
  assert.equal(await user.button(user.words.frame.tryAgain).count(), 0)
  assert.ok(await user.button(exam.run).isDisabled())
  await user.close()
})
