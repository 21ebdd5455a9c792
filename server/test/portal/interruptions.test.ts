// What happens in the middle of things: a lost session, a password asked for, another tab, another language, a deploy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { catalogue } from '@pazar/words'
import { newMerchant, PASSWORD } from './merchant.ts'
import { intercept, newPerson } from './portal-browser.ts'
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

test('the minutes of a lock count down in the open dialog, and afterwards the action can be finished', async () => {
  const { one, projectId } = await merchant()
  const { keys, frame, entry } = one.words
  const { waits } = catalogue('en')
  await one.page.clock.install()
  await one.open(`/projects/${projectId}/keys`)
  const locked = { type: 'about:blank', title: 'x', status: 429, code: 'locked_out' }
  await intercept(one.page, '**/portal/api/step-up', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '150', 'content-type': 'application/problem+json' },
      body: JSON.stringify(locked),
    }),
  )
  await one.press(one.button(keys.reveal).first())
  const dialog = one.page.getByRole('dialog', { name: frame.stepUp.title })
  const submit = one.button(frame.stepUp.submit, dialog)
  await one.type(entry.password, PASSWORD, dialog)
  await one.press(submit)
  await dialog.getByText(waits.retryIn('3 min')).waitFor()
  assert.equal(await submit.isDisabled(), true)
  // The focus is not left on a button that can do nothing.
  const field = dialog.getByLabel(entry.password, { exact: true })
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
  await one.page.clock.runFor(31_000)
  await dialog.getByText(waits.retryIn('2 min')).waitFor()
  await one.page.clock.runFor(60_000)
  await dialog.getByText(waits.retryIn('1 min')).waitFor()
  await one.page.clock.runFor(60_000)
  await dialog.getByText(waits.over).waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
  await one.page.unroute('**/portal/api/step-up')
  await one.confirmPassword(PASSWORD)
  await one.button(keys.hide).first().waitFor()
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

const SCRIPTS = /\/portal-assets\/.*\.js$/

/** After a deploy the files of this page are gone; what is done here needs one of them. */
async function meetMissingFile(one: Person, act: () => Promise<unknown>): Promise<Locator> {
  await intercept(one.page, SCRIPTS, (route) => route.fulfill({ status: 404 }))
  await act()
  const dialog = one.page.getByRole('dialog', { name: one.words.frame.newVersion.title })
  await dialog.waitFor()
  return dialog
}

for (const [what, files] of [
  ['words', /\/portal-assets\/portal-cnr-.*\.js$/],
  ['script', SCRIPTS],
] as const) {
  test(`a page whose ${what} did not load says so, and leads to itself again`, async () => {
    const one = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'cnr' })
    const { notStarted, newVersion } = one.words.frame
    await one.page.route(files, (route) => route.abort())
    await one.page.goto('/cnr/sign-in?next=%2Fcnr%2Faccount')
    // A missing script cannot tell of itself, so the page waits a while before it speaks.
    if (what === 'script')
      await one.page.evaluate(() => document.getAnimations().forEach((wait) => wait.finish()))
    await one.page.getByText(notStarted).waitFor()
    await one.page.unroute(files)
    await one.press(one.link(newVersion.action))
    await one.page.getByRole('heading', { level: 1, name: one.words.entry.signIn.title }).waitFor()
    assert.match(one.page.url(), /\/cnr\/sign-in\?next=%2Fcnr%2Faccount$/)
    assert.equal(await one.page.getByText(notStarted).count(), 0)
    await one.close()
  })
}

test('a command menu whose file is gone leaves the page and what was typed as they are', async () => {
  const { one } = await merchant()
  const { projects } = one.words
  await one.open('/projects/new')
  await one.type(projects.form.name, 'Knjižara na trgu')
  const dialog = await meetMissingFile(one, () => one.page.keyboard.press('ControlOrMeta+k'))
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
  const dialog = await meetMissingFile(one, () => one.press(one.link(frame.account).first()))
  await one.page.unroute(SCRIPTS)
  await one.press(one.button(frame.newVersion.action, dialog))
  await one.page.getByRole('heading', { name: one.words.account.title, exact: true }).first().waitFor()
  await one.page.goBack()
  await one.page.waitForURL(/projects\/new$/)
  await one.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Knjižara na trgu',
  )
  await one.close()
})

/** Meets a missing file without leaving the page, loads anew, and tells what was written down for the reload. */
async function loadAnew(one: Person): Promise<string> {
  const { frame } = one.words
  const dialog = await meetMissingFile(one, () => one.page.keyboard.press('ControlOrMeta+k'))
  await one.page.unroute(SCRIPTS)
  const loaded = one.page.waitForEvent('load')
  await one.press(one.button(frame.newVersion.action, dialog))
  await loaded
  await one.page.waitForSelector('h1')
  return readKept(one)
}

/** Runs before the page's own script, which takes what was kept. */
async function noteKept(one: Person): Promise<void> {
  await one.context.addInitScript(() => {
    Object.assign(window, { keptDrafts: sessionStorage.getItem('pazar-drafts') ?? '' })
  })
}

function readKept(one: Person): Promise<string> {
  return one.page.evaluate(() => (window as { keptDrafts?: string }).keptDrafts ?? '')
}

test('loading anew keeps what was typed into every form, but no password and nothing that was pasted', async () => {
  const { one, projectId } = await merchant()
  const { status, account, entry, figures, debug } = one.words
  await noteKept(one)
  const valueOf = (label: string) => one.page.getByLabel(label, { exact: true }).inputValue()

  await one.open(`/projects/${projectId}/status?mode=test&q=order-1`)
  await one.type(status.customId, 'order-22')
  await loadAnew(one)
  assert.equal(await valueOf(status.customId), 'order-22')

  await one.open('/account')
  await one.type(account.email.field, 'nova@example.com')
  await one.type(entry.newPassword, PASSWORD)
  const written = await loadAnew(one)
  assert.equal(await valueOf(account.email.field), 'nova@example.com')
  assert.equal(await valueOf(entry.newPassword), '')
  assert.match(written, /nova@example\.com/)
  assert.ok(!written.includes(PASSWORD))

  await one.open('/account/tokens')
  await one.press(one.button(account.tokens.add).first())
  await one.type(account.tokens.form.name, 'Kasa 1')
  await one.page.getByLabel(account.tokens.form.days, { exact: true }).selectOption('7')
  await loadAnew(one)
  await one.press(one.button(account.tokens.add).first())
  assert.equal(await valueOf(account.tokens.form.name), 'Kasa 1')
  assert.equal(await valueOf(account.tokens.form.days), '7')

  await one.open(`/projects/${projectId}?mode=test`)
  await one.press(one.button(figures.range.other))
  await one.page.getByLabel(figures.range.from, { exact: true }).fill('2026-10-05')
  await loadAnew(one)
  await one.press(one.button(figures.range.other))
  assert.equal(await valueOf(figures.range.from), '2026-10-05')

  // The page says that what is pasted is not stored.
  await one.open(`/projects/${projectId}/debug?mode=test`)
  await one.page.locator('textarea').first().fill('{"event":"payment.result"}')
  assert.equal((await loadAnew(one)).includes('payment.result'), false)
  assert.equal(await valueOf(debug.paste), '')
  await one.close()
})

test('what was typed on an earlier visit and is no longer shown does not come back with a reload', async () => {
  const { one, projectId } = await merchant()
  const { status, frame } = one.words
  await one.open(`/projects/${projectId}/status?mode=test`)
  await one.type(status.customId, 'order-22')
  await one.press(one.link(frame.keys).first())
  await one.page.waitForURL(/\/keys/)
  await one.press(one.link(frame.status).first())
  await one.page.waitForURL(/\/status/)
  const field = one.page.getByLabel(status.customId, { exact: true })
  await field.waitFor()
  assert.equal(await field.inputValue(), '')
  await loadAnew(one)
  assert.equal(await field.inputValue(), '')
  await one.close()
})

test('the e-mail typed at the door is kept when the language is switched, the password is not', async () => {
  const { one } = await merchant()
  const { entry } = one.words
  await noteKept(one)
  await one.context.clearCookies()
  for (const door of ['sign-in', 'sign-up', 'forgot']) {
    await one.page.goto(`/en/${door}`)
    await one.type(entry.email, `${door}@example.com`)
    if (door !== 'forgot') await one.type(entry.password, PASSWORD)
    await one.press(one.link('Crnogorski'))
    await one.page.waitForURL(`**/cnr/${door}`)
    await one.page.locator('input[type=email]').waitFor()
    assert.equal(await one.page.locator('input[type=email]').inputValue(), `${door}@example.com`)
    if (door !== 'forgot') assert.equal(await one.page.locator('input[type=password]').inputValue(), '')
    assert.ok(!(await readKept(one)).includes(PASSWORD))
  }
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
