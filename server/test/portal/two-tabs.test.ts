// Two tabs of one browser: another account, another sign-out, the same settings changed twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newMerchant, PASSWORD } from './merchant.ts'
import { newPerson } from './portal-browser.ts'
import type { Person } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()
const merchant = () => newMerchant(browser, service.baseUrl)

/** Everything the browser itself asks, such as whether a page may be left. */
function noteQuestions(page: Page): string[] {
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.dismiss()
  })
  return questions
}

/** Coming back to a tab after longer than lists are fresh. */
async function comeBackLater(one: Person): Promise<void> {
  await one.page.clock.runFor(20_000)
  await one.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

async function change(one: Person, data: Record<string, unknown>): Promise<void> {
  const answer = await one.context.request.post('/sdk/project/update', { data })
  assert.equal(answer.status(), 200)
}

test('a tab whose session became another account’s leaves its page, and saves nothing there', async () => {
  const { one } = await merchant()
  const stranger = `stranger@example.com`
  const elsewhere = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'en' })
  await elsewhere.context.request.post('/portal/api/sign-up', {
    data: { email: stranger, password: PASSWORD },
  })
  await one.open('/projects/new')
  await one.type(one.words.projects.form.name, 'Moj projekat')
  const other = await one.context.newPage()
  await other.goto('/en/sign-in')
  await other.getByLabel(one.words.entry.email, { exact: true }).fill(stranger)
  await other.getByLabel(one.words.entry.password, { exact: true }).fill(PASSWORD)
  await other.keyboard.press('Enter')
  await other.waitForURL('**/en/projects')
  await one.page.waitForURL('**/en/projects')
  await one.page.getByText(one.words.projects.list.emptyTitle).waitFor()
  await one.page.goto('/en/projects/new')
  assert.equal(await one.page.getByLabel(one.words.projects.form.name, { exact: true }).inputValue(), '')
  await elsewhere.close()
  await one.close()
})

test('a tab that was asleep when somebody else signed in leaves its page when it wakes', async () => {
  const { one } = await merchant()
  const { one: two } = await merchant()
  await one.page.clock.install()
  await one.open('/projects/new')
  const cookies = await two.context.cookies()
  await one.context.addCookies(cookies.filter(({ name }) => name === 'session'))
  await comeBackLater(one)
  await one.page.waitForURL('**/en/projects')
  await two.close()
  await one.close()
})

test('signing out in one tab reaches one with unsaved changes, which cannot be kept open', async () => {
  const { one, projectId } = await merchant()
  await one.open(`/projects/${projectId}/settings`)
  const questions = noteQuestions(one.page)
  await one.page.getByLabel(one.words.projects.form.name, { exact: true }).click()
  await one.page.keyboard.type(' i papirnica')
  const other = await one.context.newPage()
  await other.goto('/en/projects')
  await other.getByRole('button', { name: one.words.frame.signOut }).first().click()
  await one.page.waitForURL(/\/en\/sign-in\?next=/)
  assert.deepEqual(questions, [])
  await one.close()
})

test('what another tab saves is followed, and saving here undoes none of it', async () => {
  const { one, projectId } = await merchant()
  const { projects, settings } = one.words
  const name = one.page.getByLabel(projects.form.name, { exact: true })
  await one.page.clock.install()
  await one.open(`/projects/${projectId}/settings`)
  await one.type(projects.form.apiUrl, 'https://shop.example.com/new')
  await change(one, { projectId, name: 'Papirnica' })
  await comeBackLater(one)
  await one.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Papirnica',
  )
  await one.page.getByText(settings.changes(1)).waitFor()
  await one.press(one.button(settings.save))
  await one.page.getByText(settings.saved).waitFor()
  assert.equal(await name.inputValue(), 'Papirnica')
  const answer = await one.context.request.post('/sdk/project/get', { data: { projectId } })
  const saved = (await answer.json()) as { name: string; apiUrl: string }
  assert.deepEqual([saved.name, saved.apiUrl], ['Papirnica', 'https://shop.example.com/new'])
  await one.close()
})

test('unsaved changes go along into the other language unasked', async () => {
  const { one, projectId } = await merchant()
  const path = `/projects/${projectId}/settings`
  const field = one.page.locator('input[name=name]')
  await one.open(path)
  const questions = noteQuestions(one.page)
  await field.click()
  await one.page.keyboard.press('End')
  await one.page.keyboard.type(' i papirnica')
  await one.press(one.link('Crnogorski').first())
  await one.page.waitForURL(`**/cnr${path}`)
  assert.equal(await field.inputValue(), 'Knjižara i papirnica')
  assert.deepEqual(questions, [])
  await one.close()
})

test('changes that were given up do not come back with the other language', async () => {
  const { one, projectId } = await merchant()
  const { projects, frame } = one.words
  const field = one.page.locator('input[name=name]')
  await one.open(`/projects/${projectId}/settings`)
  await one.type(projects.form.name, 'Ipak ne')
  await one.press(one.link(frame.keys).first())
  await one.press(one.button(frame.unsaved.leave))
  await one.page.waitForURL('**/keys**')
  await one.press(one.link('Crnogorski').first())
  await one.page.waitForURL('**/cnr/**')
  await one.page.locator('a[href*="/settings"]').first().click()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Knjižara')
  await one.close()
})

test('the command menu switches the language as the page does: what was typed is kept', async () => {
  const { one } = await merchant()
  await one.open('/projects/new')
  await one.type(one.words.projects.form.name, 'Knjižara na trgu')
  await one.page.keyboard.press('ControlOrMeta+k')
  await one.press(one.button(one.words.frame.command.otherLanguage))
  await one.page.waitForURL('**/cnr/projects/new')
  assert.equal(await one.page.locator('input[name=name]').inputValue(), 'Knjižara na trgu')
  await one.close()
})
