// The ways a merchant goes through the portal, each within its number of presses, by mouse and by keyboard; and at the
// end the proof that together they use everything the portal's backend offers.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { ExamRequests } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { launchBrowser } from '../browser.ts'
import { share } from '../counts.ts'
import { startTestService } from '../harness.ts'
import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'
import { newPerson } from './portal-browser.ts'
import type { Call, Hand, Person } from './portal-browser.ts'
import { findUnused } from './reach.ts'

const PASSWORD = 'sedam plavih brodova kod obale'
const calls: Call[] = []
let dir: string
let service: ServiceProcess
let browser: Browser

before(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'pazar-journeys-'))
  service = await startServiceProcess({ DATA_DIR: dir, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' })
  browser = await launchBrowser()
})

after(async () => {
  await browser.close()
  await service.stop()
  await rm(dir, { recursive: true, force: true })
})

const COMBINATIONS: [Hand, Locale][] =
  share === 'prove'
    ? [
        ['mouse', 'cnr'],
        ['mouse', 'en'],
        ['keyboard', 'cnr'],
        ['keyboard', 'en'],
      ]
    : [
        ['mouse', 'cnr'],
        ['keyboard', 'en'],
      ]

function person(hand: Hand, locale: Locale): Promise<Person> {
  return newPerson(browser, { baseUrl: service.baseUrl, locale, hand }, calls)
}

/** Signed in to the demo's account, on the overview of its shop. */
async function atTheShop(hand: Hand, locale: Locale, query = ''): Promise<Person> {
  const one = await person(hand, locale)
  const { email, password } = service
  await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
  const answer = await one.context.request.post('/sdk/project/list', { data: {} })
  const { projects } = (await answer.json()) as { projects: { id: string; name: string }[] }
  const shop = projects.find(({ name }) => name === 'Demo prodavnica')
  await one.open(`/projects/${shop?.id}${query}`)
  return one
}

/** Test callbacks to an address that answers 404, so that there is something to send again. */
async function failCallbacks(one: Person, howMany: number): Promise<void> {
  const projectId = /projects\/([a-z0-9]+)/.exec(one.page.url())?.[1] ?? ''
  const { request } = one.context
  const aim = async (testApiUrl: string | null) => {
    const answer = await request.post('/sdk/project/update', { data: { projectId, testApiUrl } })
    assert.equal(answer.status(), 200, await answer.text())
  }
  await aim(`${service.shopUrl}/no-such-page`)
  for (let round = 0; round < howMany; round += 1) {
    const data = { status: 'success', amount: '1500', customId: `lost-${round}` }
    const answer = await request.post(`/portal/api/projects/${projectId}/test-callbacks`, { data })
    assert.equal(answer.status(), 200, await answer.text())
  }
  await aim(null)
}

async function readClipboard(one: Person): Promise<string> {
  return one.page.evaluate(() => navigator.clipboard.readText())
}

async function mailedToken(to: string, pageName: string): Promise<string> {
  for (let tries = 0; tries < 150; tries += 1) {
    const folder = path.join(dir, 'mail')
    const files = await readdir(folder).catch(() => []) // No mail yet, so no folder yet.
    for (const file of files.sort().toReversed()) {
      const text = await readFile(path.join(folder, file), 'utf8')
      const token = new RegExp(`/${pageName}#token=([\\w-]+)`).exec(text)?.[1]
      if (token && text.includes(`To: ${to}`)) return token
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no ${pageName} mail came for ${to}`)
}

for (const [hand, locale] of COMBINATIONS) {
  const how = `by ${hand} in ${locale}`
  const email = `${hand}-${locale}@example.com`

  test(`${how}: from signing up to a working pay link, and its secrets, in the promised presses`, async () => {
    const one = await person(hand, locale)
    const { entry, projects, frame, keys, link } = one.words
    await one.open('/sign-up')
    await one.type(entry.email, email)
    await one.type(entry.password, PASSWORD)
    await one.press(one.button(entry.signUp.submit))
    await one.page.getByText(projects.list.emptyTitle).waitFor()

    const making = await one.countPresses(async () => {
      await one.press(one.link(projects.list.add))
      await one.type(projects.form.name, 'Knjižara Šćepan')
      await one.type(projects.form.resultUrl, 'https://shop.example.com/hvala')
      await one.type(projects.form.apiUrl, 'https://shop.example.com/callback')
      await one.press(one.button(projects.add.submit))
      await one.page.getByText('/pay?amount=1500').waitFor()
    })
    assert.equal(making, 2)

    const copying = await one.countPresses(() => one.press(one.button(link.copy)))
    assert.equal(copying, 1)
    await one.page.getByText(frame.copied).first().waitFor()
    const payLink = await readClipboard(one)
    const paying = await one.context.newPage()
    await paying.goto(payLink)
    await paying.getByRole('button', { name: /15[.,]00/ }).waitFor()
    await paying.close()

    const drawing = await one.countPresses(async () => {
      await one.press(one.link(frame.link).first())
      await one.page.locator('img[alt]').waitFor()
      await one.type(link.customId, 'order-1')
      await one.page.getByText('customId=order-1').waitFor()
      const saved = one.page.waitForEvent('download')
      await one.press(one.button(link.png))
      assert.match((await saved).suggestedFilename(), /^qr-1500\.png$/)
    })
    assert.equal(drawing, 2)

    const secret = one.page.getByLabel(keys.value, { exact: true })
    const live = one.page.locator('section', { hasText: keys.liveText })
    await one.press(one.link(frame.overview).first())
    const revealing = await one.countPresses(async () => {
      await one.press(one.link(frame.keys).first())
      await one.press(one.button(keys.reveal, live))
      await one.confirmPassword(PASSWORD)
      await secret.waitFor()
    })
    assert.equal(revealing, 3)
    const old = await secret.textContent()
    assert.match(old ?? '', /^sk_live_/)
    await one.press(one.button(keys.hide, live))
    const again = await one.countPresses(async () => {
      await one.press(one.button(keys.reveal, live))
      await secret.waitFor()
    })
    assert.equal(again, 1)

    const rotating = await one.countPresses(async () => {
      await one.press(one.button(keys.rotate, live))
      await one.type(keys.dialog.nameField, 'Knjižara Šćepan')
      await one.press(one.button(keys.dialog.submit))
      await one.page.getByRole('dialog', { name: keys.fresh.title }).waitFor()
    })
    assert.ok(rotating <= 3, String(rotating)) // Four with the password, which was given a moment ago.
    const fresh = await one.page.getByRole('dialog').getByLabel(keys.value, { exact: true }).textContent()
    assert.notEqual(fresh, old)
    await one.press(one.button(keys.fresh.close))

    const testCard = one.page.locator('section', { hasText: keys.testText })
    await one.press(one.button(keys.reveal, testCard))
    await secret.waitFor()
    assert.match((await secret.textContent()) ?? '', /^sk_test_/)
    await one.press(one.button(keys.rotate, testCard))
    await one.type(keys.dialog.nameField, 'Knjižara Šćepan')
    await one.press(one.button(keys.dialog.submit))
    await one.press(one.button(keys.fresh.close))
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: signing in takes one press, also back to where a deep link led`, async () => {
    const one = await person(hand, locale)
    const { entry, projects } = one.words
    await one.page.goto(`/${locale}/projects?from=mail`)
    await one.page.waitForURL(/sign-in\?next=/)
    await one.type(entry.email, email)
    await one.type(entry.password, PASSWORD)
    assert.equal(await one.countPresses(() => one.press(one.button(entry.signIn.submit))), 1)
    await one.page.waitForURL(`**/${locale}/projects?from=mail`)
    await one.page.getByRole('heading', { name: projects.list.title }).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: a test callback and its answer take one press, a failed one is sent again in two`, async () => {
    const one = await atTheShop(hand, locale)
    const { deliveries, frame } = one.words
    const testing = await one.countPresses(async () => {
      await one.press(one.button(deliveries.test))
      await one.page.getByText(deliveries.testDone).waitFor()
    })
    assert.equal(testing, 1)
    await one.page.getByText('HTTP 200').first().waitFor()

    await failCallbacks(one, 1)
    await one.press(one.link(frame.test))
    await one.page.waitForURL(/mode=test/)
    const resending = await one.countPresses(async () => {
      await one.press(one.link(frame.deliveries).first())
      await one.press(one.button(deliveries.resend).first())
      await one.page.getByText(deliveries.resent).waitFor()
    })
    assert.equal(resending, 2)

    await one.open(one.page.url().replace(/.*\/(?:cnr|en)/, ''))
    const downloaded = one.page.waitForEvent('download')
    await one.press(one.link(one.words.payments.csv))
    assert.match((await downloaded).suggestedFilename(), /^deliveries-/)
    await one.press(one.page.locator('tbody tr a').first())
    const drawer = one.page.getByRole('dialog', { name: deliveries.drawer.title })
    await drawer.getByText(deliveries.drawer.attempts).waitFor()
    assert.doesNotMatch((await drawer.textContent()) ?? '', /sk_live_|sk_test_/)
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: an order is found by its reference without a mouse, and its status is one press away`, async () => {
    const one = await atTheShop(hand, locale)
    const { frame, payments, status } = one.words
    const paid = one.page.locator('tbody tr', { hasText: payments.states.succeeded })
    const order =
      (await paid
        .filter({ hasText: /order-\d+/ })
        .first()
        .textContent()) ?? ''
    const customId = /order-\d+/.exec(order)?.[0] ?? ''
    const finding = await one.countPresses(async () => {
      await one.page.keyboard.press('ControlOrMeta+k')
      await one.page.getByLabel(frame.command.field).waitFor()
      await one.page.keyboard.insertText(customId)
      await one.page.keyboard.press('Enter')
      await one.page.waitForURL(/transactions\?.*q=order-.*row=/)
      await one.page
        .getByRole('dialog', { name: payments.drawer.title })
        .getByText(customId)
        .first()
        .waitFor()
    })
    assert.ok(finding <= 1, String(finding)) // Enter itself counts as a press of the form's own button, if it has one.
    const drawer = one.page.getByRole('dialog', { name: payments.drawer.title })
    const checking = await one.countPresses(async () => {
      await one.press(one.link(payments.drawer.checkStatus, drawer))
      await one.page.getByText(status.paidText).waitFor()
    })
    assert.equal(checking, 1)
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: this month's payments are a CSV file in two presses`, async () => {
    const one = await atTheShop(hand, locale)
    const { frame, payments } = one.words
    await one.press(one.link(frame.transactions).first())
    await one.page.locator('tbody tr').first().waitFor()
    const exporting = await one.countPresses(async () => {
      await one.press(one.button(payments.filters.month))
      await one.page.waitForURL(/from=/)
      const saved = one.page.waitForEvent('download')
      await one.press(one.link(payments.csv))
      assert.match((await saved).suggestedFilename(), /^transactions-/)
    })
    assert.equal(exporting, 2)
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: a new callback URL is saved and proved in three presses; history tells of it`, async () => {
    const one = await atTheShop(hand, locale)
    const { frame, settings, projects, deliveries } = one.words
    await one.press(one.link(frame.settings).first())
    await one.page.getByLabel(projects.form.apiUrl, { exact: true }).waitFor()
    const changing = await one.countPresses(async () => {
      await one.type(projects.form.apiUrl, `${service.shopUrl}/callback?by=${hand}`)
      await one.press(one.button(settings.save))
      await one.page.getByText(settings.saved).waitFor()
      await one.press(one.link(frame.overview).first())
      await one.press(one.button(deliveries.test))
      await one.page.getByText(deliveries.testDone).waitFor()
    })
    assert.equal(changing, 3)
    const update = calls.findLast((call) => call.path === '/sdk/project/update')
    assert.deepEqual(Object.keys(update?.body ?? {}).sort(), ['apiUrl', 'projectId'])
    await one.press(one.link(frame.settings).first())
    await one.page.getByText(`by=${hand}`).first().waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: the demo’s shop passes the exam in three presses, and a refused request is understood in two`, async () => {
    const one = await atTheShop(hand, locale, '?mode=test')
    const { exam, debug, frame } = one.words
    const examining = await one.countPresses(async () => {
      await one.press(one.link(exam.title).first())
      await one.press(one.button(exam.run))
      const asking = one.page.getByRole('dialog', { name: exam.ask.title })
      await asking.getByText(`${service.shopUrl}/callback`).waitFor()
      await one.press(one.button(exam.ask.submit, asking))
      await one.page.getByText(exam.passedAll).waitFor()
    })
    assert.equal(examining, 3)
    assert.equal(await one.page.locator('main li').getByText(exam.passed, { exact: true }).count(), 12)

    const projectId = /projects\/([a-z0-9]+)/.exec(one.page.url())?.[1] ?? ''
    const data = { deliver: 'caller' }
    const answer = await one.context.request.post(`/portal/api/projects/${projectId}/exam`, { data })
    const { requests } = (await answer.json()) as ExamRequests
    const { headers, body } = requests.find(({ name }) => name === 'good')!
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const checking = await one.countPresses(async () => {
      await one.press(one.link(debug.title).first())
      await one.type(debug.paste, ['POST /callback HTTP/1.1', ...head, '', body].join('\n'))
      await one.press(one.button(debug.submit))
      await one.page.getByText(debug.matches, { exact: true }).waitFor()
    })
    assert.equal(checking, 2)
    await one.type(debug.body, body.replace('"1500"', '"1"'))
    await one.press(one.button(debug.submit))
    await one.page.locator('[data-problem=body_changed]').getByText('amount').waitFor()
    assert.equal(await one.page.getByText(debug.matches, { exact: true }).count(), 0)

    await one.press(one.link(frame.keys).first())
    await one.press(one.link(debug.open))
    await one.page.getByRole('heading', { name: debug.title }).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`${how}: an API token is made, shown once, used by a program and revoked`, async () => {
    const one = await person(hand, locale)
    const { tokens: text, tabs } = one.words.account
    await one.context.request.post('/portal/api/sign-in', { data: { email, password: PASSWORD } })
    await one.open('/account')
    await one.press(one.link(tabs.tokens))
    await one.press(one.button(text.add))
    const form = one.page.getByRole('dialog', { name: text.form.title })
    await one.type(text.form.name, 'Kasa 1', form)
    await one.press(one.button(text.form.submit, form))
    await one.confirmPassword(PASSWORD)

    const fresh = one.page.getByRole('dialog', { name: text.fresh.title })
    const token = (await fresh.getByLabel(text.fresh.value, { exact: true }).textContent()) ?? ''
    assert.match(token, /^pat_/)
    await one.press(fresh.getByRole('button', { name: text.fresh.value }))
    await fresh.getByText(one.words.frame.copied).waitFor()
    assert.equal(await readClipboard(one), token)
    const use = () =>
      fetch(`${service.baseUrl}/sdk/project/list`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    assert.equal((await use()).status, 200)
    await one.press(one.button(text.fresh.close, fresh))

    const row = one.page.locator('tbody tr', { hasText: 'Kasa 1' })
    await row.getByText(text.scopes.read).waitFor()
    assert.equal(await row.getByText(text.scopes.write).count(), 0)
    await one.open('/account/tokens')
    await row.getByRole('button').waitFor()
    assert.equal(await row.getByText(text.neverUsed).count(), 0)
    await one.press(row.getByRole('button'))
    const asking = one.page.getByRole('dialog', { name: text.revokeDialog.title })
    await one.press(one.button(text.revokeDialog.submit, asking))
    await one.page.getByText(text.emptyTitle).waitFor()
    assert.equal((await use()).status, 401)
    assert.deepEqual(one.faults, [])
    await one.close()
  })
}

test('a project can be changed in every field, left unsaved only on purpose, archived and restored', async () => {
  const one = await person('mouse', 'en')
  const { entry, projects, settings, frame } = one.words
  await one.open('/sign-in')
  await one.type(entry.email, 'mouse-cnr@example.com')
  await one.type(entry.password, PASSWORD)
  await one.press(one.button(entry.signIn.submit))
  await one.press(one.link('Knjižara Šćepan'))
  await one.press(one.link(frame.settings).first())
  await one.type(projects.form.name, 'Nova knjižara')
  await one.type(projects.form.testApiUrl, 'https://shop.example.com/test')

  await one.press(one.link(frame.keys).first())
  const leaving = one.page.getByRole('dialog', { name: frame.unsaved.title })
  await one.press(one.button(frame.unsaved.stay, leaving))
  assert.equal(await one.page.getByLabel(projects.form.name, { exact: true }).inputValue(), 'Nova knjižara')

  await one.type(projects.form.resultUrl, 'https://shop.example.com/drugo')
  await one.page.getByLabel(projects.form.signed).uncheck()
  await one.press(one.button(settings.save))
  await one.confirmPassword(PASSWORD)
  await one.page.getByText(settings.saved).waitFor()
  await one.page.getByText(settings.off).first().waitFor()

  await one.press(one.button(settings.archive.submit))
  await one.press(one.button(settings.archive.submit, one.page.getByRole('dialog')))
  await one.press(one.button(settings.archive.restore))
  await one.button(settings.archive.submit).waitFor()
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('the account: look, zone, e-mail, password, sessions, activity, sign-out, and the mailed links', async () => {
  const one = await person('mouse', 'en')
  const { entry, account, frame } = one.words
  const email = 'keyboard-en@example.com'
  await one.page.goto(`/en/confirm-email#token=${await mailedToken(email, 'confirm-email')}`)
  await one.page.getByText(entry.confirmEmail.doneTitle).waitFor()
  assert.equal(new URL(one.page.url()).hash, '')

  await one.open('/forgot')
  await one.type(entry.email, email)
  await one.press(one.button(entry.forgot.submit))
  await one.page.getByText(entry.forgot.sentTitle).waitFor()
  await one.page.goto(`/en/reset#token=${await mailedToken(email, 'reset')}`)
  await one.type(entry.newPassword, `${PASSWORD} 2`)
  await one.press(one.button(entry.reset.submit))
  await one.page.getByText(entry.reset.doneTitle).waitFor()

  await one.open('/sign-in')
  await one.type(entry.email, email)
  await one.type(entry.password, `${PASSWORD} 2`)
  await one.press(one.button(entry.signIn.submit))
  await one.press(one.link(frame.account).first())
  await one.page.locator('main').getByLabel(frame.theme.label).selectOption('dark')
  await one.page.waitForSelector('html[data-theme=dark]')
  await one.page.getByLabel(account.timeZone).selectOption('Europe/London')
  await one.type(account.email.field, 'new-address@example.com')
  await one.press(one.button(account.email.submit))
  await one.confirmPassword(`${PASSWORD} 2`)
  await one.page.getByText(account.email.sent).waitFor()
  await one.type(entry.newPassword, `${PASSWORD} 3`)
  await one.press(one.button(account.password.submit))
  await one.page.getByText(account.password.done).waitFor()

  const elsewhere = [await person('mouse', 'en'), await person('mouse', 'en'), await person('mouse', 'en')]
  for (const { context } of elsewhere)
    await context.request.post('/portal/api/sign-in', { data: { email, password: `${PASSWORD} 3` } })
  await one.press(one.link(account.tabs.sessions))
  await one.press(one.page.locator('main li button').first())
  await one.confirmPassword(`${PASSWORD} 3`)
  await one.page.getByText(account.sessions.ended(1)).waitFor()
  await one.press(one.button(account.sessions.endAll))
  await one.page.getByText(account.sessions.only).waitFor()
  for (const other of elsewhere) {
    assert.equal((await other.context.request.get('/portal/api/session')).status(), 401)
    await other.close()
  }
  // More than one page of them.
  for (let round = 0; round < 25; round += 1)
    await one.context.request.post('/portal/api/account', { data: { theme: 'dark' } })
  await one.press(one.link(account.tabs.audit))
  await one.page.getByText(one.words.actions.account_updated).first().waitFor()
  assert.equal(await one.page.getByText(one.words.actions.signed_up).count(), 0)
  while ((await one.page.getByText(one.words.actions.signed_up).count()) === 0) {
    const shown = await one.page.locator('tbody tr').count()
    await one.press(one.button(account.audit.more))
    await one.page.locator('tbody tr').nth(shown).waitFor()
  }
  await one.press(one.button(frame.signOut).first())
  await one.page.waitForURL(/\/en\/sign-in$/)
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('everything that failed is sent again at once, and a delivered one once more after a question', async () => {
  const one = await atTheShop('mouse', 'en')
  const { frame, deliveries } = one.words
  await one.press(one.link(frame.deliveries).first())
  await one.page.getByLabel(deliveries.filters.status).selectOption('exhausted')
  await one.press(one.button(deliveries.resendFailed))
  await one.page.getByText(/on the way again\./).waitFor()

  await one.page.goto(one.page.url().replace('exhausted', 'delivered'))
  await one.press(one.page.locator('tbody tr a').first())
  const drawer = one.page.getByRole('dialog', { name: deliveries.drawer.title })
  await one.press(one.button(deliveries.resendAgain, drawer))
  const asking = one.page.getByRole('dialog', { name: deliveries.againTitle })
  await one.press(one.button(deliveries.resendAgain, asking))
  await one.page.getByText(deliveries.resent).waitFor()
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('a new project can have a callback URL for tests from the start', async () => {
  const one = await person('mouse', 'en')
  const { entry, projects, frame } = one.words
  await one.open('/sign-in')
  await one.type(entry.email, 'mouse-cnr@example.com')
  await one.type(entry.password, PASSWORD)
  await one.press(one.button(entry.signIn.submit))
  await one.press(one.link(projects.list.add))
  await one.type(projects.form.name, 'Druga knjižara')
  await one.type(projects.form.resultUrl, 'http://localhost:8080/thanks')
  await one.type(projects.form.apiUrl, 'https://localhost/callback')
  await one.page.locator('summary', { hasText: frame.more }).click()
  await one.type(projects.form.testApiUrl, 'https://test.example.com/callback')
  await one.press(one.button(projects.add.submit))
  await one.page.getByText(one.fieldText('url_host_name')).waitFor()
  await one.type(projects.form.apiUrl, 'https://shop.example.com/callback')
  await one.press(one.button(projects.add.submit))
  await one.page.getByRole('heading', { name: 'Druga knjižara' }).waitFor()
  await one.close()
})

test('the journeys use every route of the portal’s backend and every field of a project', async () => {
  const { app } = await startTestService()
  const document = (await app.inject('/openapi.json')).json<object>()
  assert.deepEqual(findUnused(app.knownRoutes(), document, calls), { routes: [], fields: [] })
})
