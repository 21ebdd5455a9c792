import assert from 'node:assert/strict'
import { catalogue } from '@pazar/words'
import { pickCases } from '../counts.ts'
import { detailTests } from './detail-tests.ts'
import { LONG_NAME } from './hard-data.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { intercept, newUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const { service, browser } = await startPortal({ DEMO: 'off' })
const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
const { words } = user
const heading = (name: string) => user.page.getByRole('heading', { name, exact: true, level: 1 })

test('a day in the URL is ignored if it is invalid or in a distant year', async (t) => {
  const pages = [
    ['transactions', words.payments.title],
    ['deliveries', words.deliveries.title],
  ] as const
  const days = ['2026-02-31', '9999-12-31', '2026-99-99', '0000-00-00', '0002-01-01', 'today']
  for (const [n, day] of pickCases('browserCases', days, { report: t }).entries())
    for (const [page, title] of pickCases('browserVariants', pages, { startAt: n })) {
      await user.page.goto(
        `/en/projects/${projectId}/${page}?mode=test&q=nothing-like-this&from=${day}&to=${day}`,
      )
      await heading(title).waitFor()
      assert.equal(await user.page.getByLabel(words.payments.filters.from, { exact: true }).inputValue(), '')
    }
  assert.deepEqual(user.faults, [])
})

test('if live payments go to the sandbox, the bar in live mode says so', async () => {
  await user.page.goto(`/en/projects/${projectId}/transactions?mode=test`)
  await user.page.getByText(words.frame.testBar).waitFor()
  await user.press(user.link(words.frame.live))
  await user.page.getByText(words.frame.sandboxBar).waitFor()
  assert.equal(await user.page.getByText(words.frame.testBar).count(), 0)
  await user.page.waitForFunction((name) => document.title.includes(name), words.frame.liveSandbox)
})

test('the text of a search is not changed, even if it looks like a number or JSON', async (t) => {
  const texts = ['1e5', '{"a":1}', '12345678901234567890', '007', 'true', 'null', '"1"']
  for (const q of pickCases('browserCases', texts, { report: t })) {
    await user.page.goto(
      `/en/projects/${projectId}/transactions?mode=test&q=${encodeURIComponent(q)}&status=failed`,
    )
    const field = user.page.getByRole('searchbox')
    await field.waitFor()
    assert.equal(await field.inputValue(), q)
    await user.press(user.link(words.frame.live))
    await user.page.waitForURL(/mode=live/)
    assert.equal(new URL(user.page.url()).searchParams.get('q'), q)
  }
})

test('a status check takes the whole customId from the URL, even if it has 128 emoji', async () => {
  const customId = '😀'.repeat(128)
  const sent = user.page.waitForRequest('**/status-check')
  await user.page.goto(`/en/projects/${projectId}/status?mode=test&q=${encodeURIComponent(customId)}`)
  const body = (await sent).postDataJSON() as { customId: string }
  assert.equal(body.customId, customId)
  const field = user.page.getByLabel(words.status.customId)
  assert.equal(await field.inputValue(), customId)
  assert.equal(new URL(user.page.url()).searchParams.get('q'), customId)
})

test('a date can be typed, and Back restores a filter that was cleared', async () => {
  // An empty list shows the filter fields only if a filter is set.
  await user.page.goto(`/en/projects/${projectId}/transactions?mode=test`)
  await user.page.getByText(words.payments.emptyTitle).waitFor()
  await user.page.getByLabel(words.payments.filters.from, { exact: true }).waitFor({ state: 'detached' })
  await user.page.goto(`/en/projects/${projectId}/transactions?mode=test&q=nothing-like-this`)
  await user.page.getByLabel(words.payments.filters.from, { exact: true }).focus()
  // Day and month are both 11, because their order depends on the browser.
  await user.page.keyboard.type('11112026', { delay: 20 })
  await user.page.waitForURL(/from=2026-11-11/)
  await user.press(user.button(words.payments.filters.clear))
  await user.page.waitForURL(/\?mode=test$/)
  await user.page.goBack()
  await user.page.waitForURL(/from=2026-11-11/)
})

test("the hint below a date field shows the date in the portal's format", async () => {
  await user.page.goto(`/en/projects/${projectId}/transactions?mode=test&from=2026-11-08&to=2026-11-09`)
  const field = (label: string) => user.page.getByLabel(label, { exact: true })
  const hintOf = async (label: string) => {
    const id = await field(label).getAttribute('aria-describedby')
    return user.page.locator(`[id="${id}"]`).innerText()
  }
  await field(words.payments.filters.from).waitFor()
  assert.equal(await hintOf(words.payments.filters.from), '8 Nov 2026')
  assert.equal(await hintOf(words.payments.filters.to), '9 Nov 2026')
})

test('a list without matches has one button that clears the filters', async () => {
  for (const page of ['transactions', 'deliveries']) {
    await user.page.goto(`/en/projects/${projectId}/${page}?mode=test&q=nothing-like-this`)
    await user.page.getByText(words.payments.noneTitle, { exact: true }).waitFor()
    const clear = user.page.getByText(words.payments.filters.clear, { exact: true })
    assert.equal(await clear.count(), 1)
    await user.press(clear)
    await user.page.waitForURL(/\?mode=test$/)
  }
})

test('if several problems of a request have the same fix, the fix is shown once', async () => {
  await user.page.goto(`/en/projects/${projectId}/debug?mode=test`)
  await user.press(user.button(words.debug.submit))
  const shown = user.page.locator('main [role=alert] li p')
  await shown.first().waitFor()
  const texts = await shown.allTextContents()
  // Three missing headers share one fix, and the missing body has another fix: four problems and two fixes.
  assert.equal(texts.length, 6)
  assert.equal(new Set(texts).size, 6)
})

test('the page for an unknown confirmation link says that the link no longer works, and links to the account', async () => {
  await user.page.goto(`/en/confirm-email#token=${'a'.repeat(43)}`)
  await user.page.getByText(words.entry.confirmEmail.overText).waitFor()
  await user.press(user.link(words.entry.confirmEmail.toAccount))
  await heading(words.account.title).waitFor()
})

test('for an invalid project id, no request about a project is made', async (t) => {
  const ids = [`${projectId}/test-secret/rotate?`, '../sign-out?', '..%2Fsign-out?', 'your-project']
  for (const id of pickCases('browserCases', ids, { report: t })) {
    user.calls.length = 0
    await user.page.goto(`/en/projects/${encodeURIComponent(id)}/status?mode=test&q=1`)
    await heading(words.frame.noProject.title).waitFor()
    await user.page.goto(`/en/projects/${encodeURIComponent(id)}`)
    await heading(words.frame.noProject.title).waitFor()
    const requests = user.calls.filter(({ path }) => /^\/portal\/api\/(?!session)/.test(path))
    assert.deepEqual(requests, [], id)
  }
})

test('without a session, a URL of a project leads to sign-in, and an unknown page links to the projects', async () => {
  const visitor = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en' })
  await visitor.page.goto('/en/projects/UPPER/keys')
  await visitor.page.waitForURL(/\/en\/sign-in\?next=%2Fen%2Fprojects%2FUPPER%2Fkeys$/)
  await visitor.page.goto('/en/no-such-page')
  await visitor.link('Crnogorski').waitFor()
  await visitor.press(visitor.page.getByRole('link', { name: catalogue('en').errorPage.ways.projects.text }))
  await visitor.page.waitForURL(/\/en\/sign-in\?next=%2Fen%2Fprojects$/)
  await visitor.close()
})

test('while a list loads, it shows nothing of the other mode', async () => {
  await user.page.goto(`/en/projects/${projectId}/transactions?mode=test`)
  await user.page.getByText(words.payments.emptyTitle).waitFor()
  const released = Promise.withResolvers<void>()
  await intercept(user.page, '**/sdk/transactions/list', async (route) => {
    await released.promise
    await route.continue()
  })
  await user.press(user.link(words.frame.live))
  await user.page.waitForURL(/mode=live/)
  await user.page.getByRole('status').getByText(words.frame.loading).waitFor({ state: 'attached' })
  assert.equal(await user.page.getByText(words.payments.emptyTitle).count(), 0)
  released.resolve()
  await user.page.getByText(words.payments.emptyTitle).waitFor()
})

test('the pages of an unknown project say that it does not exist, and link to the list of projects', async (t) => {
  const { user } = await newMerchant(browser, { baseUrl: service.baseUrl }, { name: LONG_NAME })
  const { noProject, notFound } = user.words.frame
  const pages = ['', '/exam?mode=test', '/keys', '/transactions']
  const addresses = ['YOUR_PROJECT_ID', 'abcdefghijklmnopqrstuvwx'].flatMap((id, n) =>
    pickCases('browserCases', pages, { startAt: n * 2, report: t }).map((page) => `/projects/${id}${page}`),
  )
  for (const address of addresses) {
    await user.open(address)
    await user.page.getByRole('heading', { level: 1, name: noProject.title }).waitFor()
    assert.equal(await user.page.getByRole('alert').count(), 0)
    await user.page
      .getByRole('navigation', { name: user.words.frame.projectMenu })
      .waitFor({ state: 'detached' })
  }
  // With an unknown project in the URL, no project is selected.
  await user.open('/projects/abcdefghijklmnopqrstuvwx/keys')
  await user.page.getByLabel(user.words.frame.project, { exact: true }).selectOption({ label: LONG_NAME })
  await user.page.getByRole('heading', { level: 1, name: LONG_NAME }).waitFor()
  await user.open('/projects/abcdefghijklmnopqrstuvwx/keys')
  await user.press(user.link(notFound.action))
  await user.page.getByText(LONG_NAME).first().waitFor()
  assert.deepEqual(
    user.faults.filter((fault) => !fault.includes('status of 404')),
    [],
  )
  await user.close()
})

test('the links between sign-in and sign-up keep the page that opens afterwards', async () => {
  const user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en' })
  const { entry, projects } = user.words
  await user.page.goto('/en/projects/new')
  await user.page.waitForURL(/sign-in\?next=/)
  await user.press(user.link(entry.signIn.create))
  await user.page.waitForURL(/sign-up\?next=%2Fen%2Fprojects%2Fnew/)
  await user.press(user.link(entry.signUp.toSignIn))
  await user.page.waitForURL(/sign-in\?next=%2Fen%2Fprojects%2Fnew/)
  await user.press(user.link(entry.signIn.create))
  await user.type(entry.email, 'next@example.com')
  await user.type(entry.password, PASSWORD)
  await user.press(user.button(entry.signUp.submit))
  await user.page.waitForURL(/\/en\/projects\/new$/)
  await user.page.getByRole('heading', { name: projects.add.title }).waitFor()
  const visitor = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en' })
  await visitor.open('/sign-in?next=//evil.example')
  await visitor.press(visitor.link(entry.signIn.create))
  await visitor.page.waitForURL(/\/en\/sign-up$/)
  assert.deepEqual(user.faults, [])
  await visitor.close()
  await user.close()
})

test('the menu highlights the current page in both themes, and a tooltip shows the full name of the project', async () => {
  for (const theme of pickCases('browserVariants', ['dark', 'light'] as const)) {
    const { user, projectId } = await newMerchant(
      browser,
      { baseUrl: service.baseUrl, theme },
      { name: LONG_NAME },
    )
    await user.open(`/projects/${projectId}/keys?mode=test`)
    const menu = user.page.getByRole('navigation', { name: user.words.frame.projectMenu })
    const styleOf = (current: boolean) =>
      menu
        .locator(current ? 'a[aria-current=page]' : 'a:not([aria-current])')
        .first()
        .evaluate((link) => {
          const { color, boxShadow } = getComputedStyle(link)
          return { color, boxShadow }
        })
    const [current, notCurrent] = [await styleOf(true), await styleOf(false)]
    assert.notEqual(current.color, notCurrent.color)
    assert.notEqual(current.boxShadow, notCurrent.boxShadow)
    const choice = user.page.getByLabel(user.words.frame.project, { exact: true })
    assert.equal(await choice.getAttribute('title'), LONG_NAME)
    await user.close()
  }
})
