// A merchant builds their first integration on a development machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { APIRequestContext } from 'playwright-core'
import { LOCALES } from '@pazar/words'
import { pickCases } from '../counts.ts'
import { until } from '../until.ts'
import { newMerchant } from './merchant.ts'
import { newUser } from './portal-browser.ts'
import type { PortalUser, UserOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()

async function post<T>(request: APIRequestContext, path: string, data: object): Promise<T> {
  const response = await request.post(path, { data })
  assert.ok(response.ok(), `${path}: ${response.status()} ${await response.text()}`)
  return (await response.json()) as T
}

const newBeginner = (options: Partial<UserOptions> = {}) =>
  newMerchant(
    browser,
    { baseUrl: service.baseUrl, ...options },
    { resultUrl: `${service.shopUrl}/hvala`, apiUrl: `${service.shopUrl}/callback` },
  )

test('a project with a live payment opens in live mode, other projects open in test mode, and each loads only the data of its mode', async () => {
  const user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en' })
  const { email, password } = service
  await user.context.request.post('/portal/api/sign-in', { data: { email, password } })
  const { projects } = await post<{ projects: { id: string; name: string }[] }>(
    user.context.request,
    '/sdk/project/list',
    {},
  )
  const idOf = (name: string) => projects.find((project) => project.name === name)!.id
  const requests: string[] = []
  user.page.on('request', (request) => requests.push(`${request.url()} ${request.postData() ?? ''}`))
  const countOf = (part: string) => requests.filter((call) => call.includes(part)).length
  const bar = user.page.getByText(user.words.frame.testBar)
  const title = (name: string) => user.page.getByRole('heading', { level: 1, name })

  await user.open(`/projects/${idOf('Moj prvi projekat')}`)
  await user.page.waitForURL(/\?mode=test$/)
  await bar.waitFor()
  await user.page.getByText('mode=test').first().waitFor()
  assert.equal(countOf('/first-steps'), 1)
  assert.deepEqual([countOf('mode=live'), countOf('"mode":"live"')], [0, 0])

  requests.length = 0
  const choice = user.page.getByLabel(user.words.frame.project, { exact: true })
  await choice.selectOption(idOf('Tezga'))
  await title('Tezga').waitFor()
  await user.page.waitForURL(/\?mode=live$/)
  await bar.waitFor({ state: 'detached' })
  await user.link(user.words.payments.emptyAction).first().waitFor()
  assert.equal(countOf('/first-steps'), 1)
  assert.deepEqual([countOf('mode=test'), countOf('"mode":"test"')], [0, 0])

  await choice.selectOption(idOf('Moj prvi projekat'))
  await title('Moj prvi projekat').waitFor()
  await user.page.waitForURL(/\?mode=test$/)
  await bar.waitFor()
  // The Back button goes to the previous page, not to a URL that would redirect again.
  await user.page.goBack()
  await title('Tezga').waitFor()
  // A mode in the URL is not changed. When a mode is added, the rest of the query stays.
  await user.open(`/projects/${idOf('Moj prvi projekat')}?mode=live`)
  await bar.waitFor({ state: 'detached' })
  await user.open(`/projects/${idOf('Moj prvi projekat')}?days=30`)
  await user.page.waitForURL(/days=30&mode=test$|mode=test&days=30$/)
  assert.deepEqual(user.faults, [])
  await user.close()
})

for (const locale of pickCases('browserVariants', LOCALES)) {
  test(`in ${locale}: the form for a new project shows the errors of two invalid URLs and links to the guide`, async () => {
    const { user } = await newBeginner({ locale })
    const { form, add } = user.words.projects
    await user.open('/projects/new')
    await user.type(form.name, 'Druga knjižara')
    await user.type(form.resultUrl, 'localhost:8080/hvala')
    await user.type(form.apiUrl, 'http://localhost:8080/callback')
    // Enter sends the form before the callback URL field loses the focus, so the service finds the error in this field.
    await user.page.keyboard.press('Enter')
    const readDescriptions = async (label: string) => {
      const field = user.page.getByLabel(label, { exact: true }).and(user.page.locator('[aria-invalid]'))
      const ids = (await field.getAttribute('aria-describedby')) ?? ''
      return user.page
        .locator(
          ids
            .split(' ')
            .map((id) => `[id="${id}"]`)
            .join(','),
        )
        .allTextContents()
    }
    assert.ok((await readDescriptions(form.resultUrl)).includes(user.fieldText('url_malformed')))
    assert.ok((await readDescriptions(form.apiUrl)).includes(user.fieldText('url_own_machine')))
    const cliLink = user.link(form.toListen)
    assert.equal(await cliLink.getAttribute('href'), `/${locale}/docs/cli`)
    const guide = await user.context.request.get(`/${locale}/docs/cli`)
    assert.equal(guide.status(), 200)

    // A local result URL is accepted for a new project, with a hint.
    await user.type(form.resultUrl, 'http://localhost:8080/hvala')
    await user.type(form.apiUrl, 'https://shop.example.com/callback')
    await user.page.getByText(form.resultUrlLocal).waitFor()
    await user.press(user.button(add.submit))
    await user.page.getByRole('heading', { level: 1, name: 'Druga knjižara' }).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test(`in ${locale}: a test callback for the CLI is shown as "forwarded", with a hint to look at the terminal`, async () => {
    const { user, projectId } = await newBeginner({ locale })
    const { deliveries, payments } = user.words
    const forwarded = payments.callbackStates.forwarded
    const stream = await listen(user, projectId)
    await user.open(`/projects/${projectId}/deliveries?mode=test`)
    await user.press(user.button(deliveries.test))
    const notice = user.page.locator('[role=status]', { hasText: forwarded })
    await notice.getByText('terminal').waitFor()
    const row = user.page.locator('tbody tr')
    await row.getByText(forwarded).waitFor()
    await row.getByText(deliveries.inTerminal).waitFor()
    assert.doesNotMatch((await row.textContent()) ?? '', /0 ms|HTTP|delivered/)
    assert.equal(await row.getByText(payments.callbackStates.delivered, { exact: true }).count(), 0)

    await user.press(user.page.locator('tbody tr a').first())
    const drawer = user.page.getByRole('dialog', { name: deliveries.drawer.title })
    await drawer.getByText(/terminal/).waitFor()
    assert.equal(await drawer.getByText(forwarded).count(), 2)
    assert.doesNotMatch((await drawer.textContent()) ?? '', /0 ms|HTTP \d/)
    await user.press(user.button(deliveries.resendAgain, drawer))
    const confirmDialog = user.page.getByRole('dialog', { name: deliveries.resendAgain })
    await confirmDialog.getByText(deliveries.againTextListener).waitFor()
    await user.press(user.button(deliveries.resendAgain, confirmDialog))
    // The page behind the drawer is inert, so the message is in the drawer.
    await drawer.getByRole('status').getByText(deliveries.resent).waitFor()

    await payInTest(user.context.request, projectId)
    await user.open(`/projects/${projectId}/transactions?mode=test`)
    await row.getByText(payments.callbackStates.forwarded, { exact: true }).waitFor()
    assert.equal(await row.getByText(payments.callbackStates.delivered, { exact: true }).count(), 0)
    await user.press(row.getByRole('link').first())
    const payment = user.page.getByRole('dialog', { name: payments.drawer.title })
    await payment.getByText(payments.callbackStates.forwarded, { exact: true }).waitFor()
    await stream.close()
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test(`in ${locale}: a callback that the merchant's server refused is shown as failed, with the time of its next attempt`, async () => {
    const { user, projectId } = await newBeginner({ locale })
    const { request } = user.context
    const { payments, deliveries } = user.words
    await post(request, '/sdk/project/update', { projectId, testApiUrl: `${service.shopUrl}/no-such-page` })
    await payInTest(request, projectId)
    const failed = payments.callbackStates.retrying
    await user.open(`/projects/${projectId}/deliveries?mode=test`)
    const row = user.page.locator('tbody tr')
    await row.getByText('HTTP 404').waitFor()
    await row.getByText(failed).waitFor()
    assert.equal(await row.getByText(payments.callbackStates.pending, { exact: true }).count(), 0)
    // A phone shows the time in another column.
    const nextAttempt = row.locator('time:visible', { hasText: deliveries.nextAt('').trim() })
    assert.match((await nextAttempt.getAttribute('title')) ?? '', /\d{4}/)
    await user.open(`/projects/${projectId}/transactions?mode=test`)
    await user.page.locator('tbody tr').getByText(failed).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('if a project has no server, the quickstart and the inbox link to the callback log, and the exam shows no target', async () => {
  const urls = { resultUrl: `${service.baseUrl}/pay/successful`, apiUrl: `${service.baseUrl}/inbox` }
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl, locale: 'en' }, urls)
  const { quickstart, inbox, exam, frame } = user.words
  const log = `/en/projects/${projectId}/deliveries?mode=test`
  await user.open(`/projects/${projectId}/quickstart?mode=test`)
  assert.equal(await user.link(quickstart.buttons.log).getAttribute('href'), log)
  await user.open(`/projects/${projectId}/inbox?mode=test`)
  await user.page.getByText(inbox.emptyText).waitFor()
  assert.equal(await user.link(frame.deliveries, user.page.locator('main')).getAttribute('href'), log)
  await user.open(`/projects/${projectId}/exam?mode=test`)
  assert.equal(await user.link(exam.onOwnMachine).getAttribute('href'), `/en/docs/${exam.ownMachinePath}`)
  assert.equal(await user.page.getByText(exam.target, { exact: true }).count(), 0)
  assert.deepEqual(user.faults, [])
  await user.close()
})

/** Opens an event stream, as the command `listen` does. Without a reader, the response would be garbage collected. */
async function listen(user: PortalUser, projectId: string): Promise<{ close: () => Promise<void> }> {
  const cookies = await user.context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(`${service.baseUrl}/portal/api/projects/${projectId}/events`, {
    headers: { cookie },
  })
  assert.equal(response.status, 200)
  const reader = response.body!.getReader()
  return { close: () => reader.cancel() }
}

async function payInTest(request: APIRequestContext, projectId: string): Promise<void> {
  const link = { amount: '1500', data: 'Kafa', mode: 'test' }
  const { url } = await post<{ url: string }>(request, `/portal/api/projects/${projectId}/pay-link`, link)
  const page = await request.get(url, { headers: { accept: 'application/json' } })
  const { token } = (await page.json()) as { token: string }
  await post(request, '/pay', { token })
}

for (const width of [390, 1280]) {
  test(`at ${width} pixels, the error of a settings field is above the bar with the buttons`, async () => {
    const { user, projectId } = await newBeginner({ width })
    await user.open(`/projects/${projectId}/settings`)
    const field = user.page.locator('input[name=testApiUrl]')
    await field.fill('https://')
    const bar = user.page.locator('form .sticky')
    await bar.waitFor()
    // Scrolls until the field is just above the bar. The error then appears behind the bar, so the portal has to scroll.
    await user.page.evaluate(() => {
      const find = (selector: string) => document.querySelector(selector)!.getBoundingClientRect()
      window.scrollBy(0, find('input[name=testApiUrl]').bottom - find('form .sticky').top + 4)
    })
    await field.blur()
    const error = user.page.getByText(user.fieldText('url_malformed'))
    await error.waitFor()
    await until(async () => {
      const [text, buttons] = [await error.boundingBox(), await bar.boundingBox()]
      return text !== null && buttons !== null && text.y + text.height <= buttons.y
    })
    await user.close()
  })
}
