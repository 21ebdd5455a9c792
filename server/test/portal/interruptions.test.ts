// What happens in the middle of things: a lost session, a password asked for, another tab, another language, a deploy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMerchant, PASSWORD } from './merchant.ts'
import type { Person } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()
const merchant = () => newMerchant(browser, service.baseUrl)

async function loseSession(one: Person): Promise<void> {
  await one.context.clearCookies({ name: 'session' })
}

/** Signs in again in the dialog over the page. */
async function signInAgain(one: Person): Promise<void> {
  const { frame, entry } = one.words
  const dialog = one.page.getByRole('dialog', { name: frame.signInAgain.title })
  await one.type(entry.password, PASSWORD, dialog)
  await one.press(one.button(frame.signInAgain.submit, dialog))
  await dialog.waitFor({ state: 'detached' })
}

test('a lost session asks over the page, keeps what was typed, and then finishes the very action', async () => {
  const { one, projectId } = await merchant()
  const { projects, settings } = one.words
  await one.open(`/projects/${projectId}/settings`)
  await one.type(projects.form.name, 'Nova knjižara')
  await loseSession(one)
  await one.press(one.button(settings.save))
  await signInAgain(one)
  await one.page.getByText(settings.saved).waitFor()
  assert.equal(await one.page.getByLabel(projects.form.name, { exact: true }).inputValue(), 'Nova knjižara')
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('the password dialog can be cancelled and leaves all as it was; five wrong ones say how long to wait', async () => {
  const { one, projectId } = await merchant()
  const { keys, frame, entry } = one.words
  await one.open(`/projects/${projectId}/keys`)
  await one.press(one.button(keys.reveal).first())
  const dialog = one.page.getByRole('dialog', { name: frame.stepUp.title })
  await dialog.waitFor()
  await one.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await one.page.getByRole('alert').count(), 0)
  assert.equal(
    await one
      .button(keys.reveal)
      .first()
      .evaluate((element) => element === document.activeElement),
    true,
  )

  await one.press(one.button(keys.reveal).first())
  for (let round = 0; round < 6; round += 1) {
    await one.type(entry.password, `wrong password ${round}`, dialog)
    const answered = one.page.waitForResponse(/step-up/)
    await one.press(one.button(frame.stepUp.submit, dialog))
    await answered
    await dialog.getByRole('alert').waitFor()
  }
  await dialog.getByText(/1[45] min/).waitFor()
  await one.close()
})

test('whoever closes the sign-in dialog reads that he is not signed in, and no clock asks him again', async () => {
  const { one, projectId } = await merchant()
  await one.page.clock.install()
  await one.open(`/projects/${projectId}/transactions?mode=test`)
  await one.page.getByText(one.words.payments.emptyTitle).waitFor()
  await loseSession(one)
  const dialog = one.page.getByRole('dialog', { name: one.words.frame.signInAgain.title })
  await one.press(one.link(one.words.frame.live))
  await dialog.waitFor()
  await one.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await one.page.getByRole('alert').getByText(one.errorTitle('unauthenticated')).waitFor()
  const asked = one.calls.length
  for (let round = 0; round < 4; round += 1) await one.page.clock.runFor(10_000)
  assert.deepEqual(one.calls.slice(asked), [])
  await one.press(one.button(one.words.frame.tryAgain))
  await signInAgain(one)
  await one.page.getByText(one.words.payments.emptyTitle).waitFor()
  await one.close()
})

test('a file asked for with a lost session comes once the person has signed in again', async () => {
  const { one, projectId } = await merchant()
  await one.context.request.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    data: { status: 'success', amount: '1500' },
  })
  await one.open(`/projects/${projectId}/deliveries?mode=test`)
  const link = one.link(one.words.payments.csv)
  await link.waitFor()
  await loseSession(one)
  await one.press(link)
  const [file] = await Promise.all([one.page.waitForEvent('download'), signInAgain(one)])
  assert.equal(file.suggestedFilename(), `deliveries-${projectId}.csv`)
  assert.equal(await file.failure(), null)
  await one.close()
})

test('signing out without a connection says that it did not happen', async () => {
  const { one } = await merchant()
  await one.open('/projects')
  await one.context.setOffline(true)
  await one.press(one.button(one.words.frame.signOut).first())
  await one.page.getByRole('alert').getByText(one.words.frame.offline.title).waitFor()
  await one.close()
})

test('signing out in one tab takes the others along', async () => {
  const { one, projectId } = await merchant()
  await one.open(`/projects/${projectId}`)
  const other = await one.context.newPage()
  await other.goto('/en/projects')
  await other.waitForSelector('h1')
  await one.press(one.button(one.words.frame.signOut).first())
  await other.waitForURL(/\/en\/sign-in\?next=/)
  await one.close()
})

test('switching the language keeps the page, its filters and what was typed', async () => {
  const { one, projectId } = await merchant()
  await one.open(`/projects/${projectId}/transactions?mode=test&status=failed`)
  await one.press(one.link('Crnogorski').first())
  await one.page.waitForURL(`**/cnr/projects/${projectId}/transactions?mode=test&status=failed`)
  await one.page.goto('/en/projects/new')
  await one.type(one.words.projects.form.name, 'Knjižara na trgu')
  await one.press(one.link('Crnogorski').first())
  await one.page.waitForURL('**/cnr/projects/new')
  await one.page.locator('input[name=name]').waitFor()
  assert.equal(await one.page.locator('input[name=name]').inputValue(), 'Knjižara na trgu')
  assert.equal(await one.page.locator('html').getAttribute('lang'), 'sr-Latn-ME')
  await one.close()
})

test('a link to a new password keeps its token when the language is switched', async () => {
  const { one } = await merchant()
  await one.page.goto('/en/reset#token=abcdefghijklmnopqrstuvwxyz')
  await one.page.locator('input[type=password]').waitFor()
  assert.equal(new URL(one.page.url()).hash, '')
  await one.press(one.link('Crnogorski'))
  await one.page.waitForURL(/\/cnr\/reset$/)
  await one.page.locator('input[type=password]').waitFor()
  await one.close()
})

test('a command menu whose file is gone leaves the page and what was typed as they are', async () => {
  const { one } = await merchant()
  const { projects, frame } = one.words
  await one.open('/projects/new')
  await one.type(projects.form.name, 'Knjižara na trgu')
  await one.page.route(/\/portal-assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }))
  await one.page.keyboard.press('ControlOrMeta+k')
  const dialog = one.page.getByRole('dialog', { name: frame.newVersion.title })
  await dialog.waitFor()
  await one.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(
    await one.page.getByLabel(projects.form.name, { exact: true }).inputValue(),
    'Knjižara na trgu',
  )
  await one.close()
})

test('a file that is gone after a deploy says so, and loading anew keeps what was typed', async () => {
  const { one } = await merchant()
  const { projects, frame } = one.words
  await one.open('/projects/new')
  await one.type(projects.form.name, 'Knjižara na trgu')
  await one.page.route(/\/portal-assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }))
  await one.press(one.link(frame.account).first())
  const dialog = one.page.getByRole('dialog', { name: frame.newVersion.title })
  await dialog.waitFor()
  await one.page.unroute(/\/portal-assets\/.*\.js$/)
  await one.press(one.button(frame.newVersion.action, dialog))
  await one.page.getByRole('heading', { name: one.words.account.title, exact: true }).first().waitFor()
  await one.page.goBack()
  await one.page.waitForURL(/projects\/new$/)
  await one.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Knjižara na trgu',
  )
  await one.close()
})

test('a deep link to somewhere else is not followed after signing in', async () => {
  const { one, email } = await merchant()
  await one.context.clearCookies()
  for (const next of [
    '//evil.example',
    'https://evil.example/en/projects',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/healthz',
    '/en/../portal/api/session',
    '/en/../..//evil.example',
  ]) {
    await one.page.goto(`/en/sign-in?next=${encodeURIComponent(next)}`)
    await one.type(one.words.entry.email, email)
    await one.type(one.words.entry.password, PASSWORD)
    await one.press(one.button(one.words.entry.signIn.submit))
    await one.page.waitForURL('**/en/projects')
    await one.context.clearCookies()
  }
  await one.close()
})
