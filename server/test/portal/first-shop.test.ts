// What somebody meets who builds his first shop on his own machine: in which mode his project opens, what he is told of
// addresses that cannot work, and what becomes of callbacks that no server has answered yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { APIRequestContext } from 'playwright-core'
import { LOCALES } from '@pazar/words'
import { newPerson } from './portal-browser.ts'
import type { Person, PersonOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const PASSWORD = 'sedam plavih brodova kod obale'
const LONG_NAME = 'Knjižara i papirnica „Šćepan Zanović“ sa dostavom u Podgorici, Nikšiću i Budvi'
const { service, browser } = await startPortal()
let people = 0

async function person(options: Partial<PersonOptions> = {}): Promise<Person> {
  return newPerson(browser, { baseUrl: service.baseUrl, locale: 'en', ...options })
}

async function post<T>(request: APIRequestContext, path: string, data: object): Promise<T> {
  const answer = await request.post(path, { data })
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** A new account with one project, which has taken no payment. */
async function beginner(options: Partial<PersonOptions> = {}): Promise<{ one: Person; projectId: string }> {
  people += 1
  const one = await person(options)
  const { request } = one.context
  await post(request, '/portal/api/sign-up', { email: `first-${people}@example.com`, password: PASSWORD })
  const { id } = await post<{ id: string }>(request, '/sdk/project/add', {
    name: LONG_NAME,
    resultUrl: `${service.shopUrl}/hvala`,
    apiUrl: `${service.shopUrl}/callback`,
  })
  return { one, projectId: id }
}

test('a project that has taken no real money opens in test, one that has in live, and neither shows the other first', async () => {
  const one = await person()
  const { email, password } = service
  await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
  const { projects } = await post<{ projects: { id: string; name: string }[] }>(
    one.context.request,
    '/sdk/project/list',
    {},
  )
  const idOf = (name: string) => projects.find((project) => project.name === name)!.id
  const asked: string[] = []
  one.page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
  const askedFor = (part: string) => asked.filter((call) => call.includes(part)).length
  const bar = one.page.getByText(one.words.frame.testBar)
  const title = (name: string) => one.page.getByRole('heading', { level: 1, name })

  await one.open(`/projects/${idOf('Moj prvi projekat')}`)
  await one.page.waitForURL(/\?mode=test$/)
  await bar.waitFor()
  await one.page.getByText('mode=test').first().waitFor()
  assert.equal(askedFor('/first-steps'), 1)
  assert.deepEqual([askedFor('mode=live'), askedFor('"mode":"live"')], [0, 0])

  asked.length = 0
  const choice = one.page.getByLabel(one.words.frame.project, { exact: true })
  await choice.selectOption(idOf('Demo prodavnica'))
  await title('Demo prodavnica').waitFor()
  await one.page.waitForURL(/\?mode=live$/)
  await bar.waitFor({ state: 'detached' })
  await one.page.getByText('/pay?amount=1500').first().waitFor()
  assert.equal(askedFor('/first-steps'), 1)
  assert.deepEqual([askedFor('mode=test'), askedFor('"mode":"test"')], [0, 0])

  await choice.selectOption(idOf('Moj prvi projekat'))
  await title('Moj prvi projekat').waitFor()
  await one.page.waitForURL(/\?mode=test$/)
  await bar.waitFor()
  // The way back leads to the page before, and not to an address that would only lead on again.
  await one.page.goBack()
  await title('Demo prodavnica').waitFor()
  // What an address says stays, and the rest of it is kept where a mode is added.
  await one.open(`/projects/${idOf('Moj prvi projekat')}?mode=live`)
  await bar.waitFor({ state: 'detached' })
  await one.open(`/projects/${idOf('Moj prvi projekat')}?days=30`)
  await one.page.waitForURL(/days=30&mode=test$|mode=test&days=30$/)
  assert.deepEqual(one.faults, [])
  await one.close()
})

for (const locale of LOCALES) {
  test(`in ${locale}: a new project with two wrong addresses is told of both at once, with the way on`, async () => {
    const { one } = await beginner({ locale })
    const { form, add } = one.words.projects
    await one.open('/projects/new')
    await one.type(form.name, 'Druga knjižara')
    await one.type(form.resultUrl, 'localhost:8080/hvala')
    await one.type(form.apiUrl, 'http://localhost:8080/callback')
    // By Enter, as nothing has been left by then: what the service answers is what is shown.
    await one.page.keyboard.press('Enter')
    const described = async (label: string) => {
      const field = one.page.getByLabel(label, { exact: true }).and(one.page.locator('[aria-invalid]'))
      const ids = (await field.getAttribute('aria-describedby')) ?? ''
      return one.page
        .locator(
          ids
            .split(' ')
            .map((id) => `[id="${id}"]`)
            .join(','),
        )
        .allTextContents()
    }
    assert.ok((await described(form.resultUrl)).includes(one.fieldText('url_malformed')))
    assert.ok((await described(form.apiUrl)).includes(one.fieldText('url_own_machine')))
    const way = one.link(form.toListen)
    assert.equal(await way.getAttribute('href'), `/${locale}/docs/cli`)
    const guide = await one.context.request.get(`/${locale}/docs/cli`)
    assert.equal(guide.status(), 200)

    // A page on the own machine is taken now, and what follows from it is said beforehand.
    await one.type(form.resultUrl, 'http://localhost:8080/hvala')
    await one.type(form.apiUrl, 'https://shop.example.com/callback')
    await one.page.getByText(form.resultUrlOwn).waitFor()
    await one.press(one.button(add.submit))
    await one.page.getByRole('heading', { level: 1, name: 'Druga knjižara' }).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`in ${locale}: a test callback that a listener took is called so, with where its answer is and how to repeat it`, async () => {
    const { one, projectId } = await beginner({ locale })
    const { deliveries, payments } = one.words
    const handed = payments.callbackStates.handedOver
    const stream = await listen(one, projectId)
    await one.open(`/projects/${projectId}/deliveries?mode=test`)
    await one.press(one.button(deliveries.test))
    const notice = one.page.locator('[role=status]', { hasText: handed })
    await notice.getByText('terminal').waitFor()
    const row = one.page.locator('tbody tr')
    await row.getByText(handed).waitFor()
    await row.getByText(deliveries.inTerminal).waitFor()
    assert.doesNotMatch((await row.textContent()) ?? '', /0 ms|HTTP|delivered/)
    assert.equal(await row.getByText(payments.callbackStates.delivered, { exact: true }).count(), 0)

    await one.press(one.page.locator('tbody tr a').first())
    const drawer = one.page.getByRole('dialog', { name: deliveries.drawer.title })
    await drawer.getByText(/terminal/).waitFor()
    assert.equal(await drawer.getByText(handed).count(), 2)
    assert.doesNotMatch((await drawer.textContent()) ?? '', /0 ms|HTTP \d/)
    await one.press(one.button(deliveries.resendAgain, drawer))
    const asking = one.page.getByRole('dialog', { name: deliveries.resendAgain })
    await asking.getByText(deliveries.againTextListener).waitFor()
    await one.press(one.button(deliveries.resendAgain, asking))
    // In the drawer, because the page behind it is inert and would not be read out.
    await drawer.getByRole('status').getByText(deliveries.resent).waitFor()

    await payInTest(one.context.request, projectId)
    await one.open(`/projects/${projectId}/transactions?mode=test`)
    await row.getByText(payments.callbackStates.sent, { exact: true }).waitFor()
    assert.equal(await row.getByText(payments.callbackStates.delivered, { exact: true }).count(), 0)
    await one.press(row.getByRole('link').first())
    const payment = one.page.getByRole('dialog', { name: payments.drawer.title })
    await payment.getByText(payments.callbackStates.sent, { exact: true }).waitFor()
    await stream.hangUp()
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test(`in ${locale}: a callback that the shop refused is called failed, with when it comes again`, async () => {
    const { one, projectId } = await beginner({ locale })
    const { request } = one.context
    const { payments, deliveries } = one.words
    await post(request, '/sdk/project/update', { projectId, testApiUrl: `${service.shopUrl}/no-such-page` })
    await payInTest(request, projectId)
    const failed = payments.callbackStates.retrying
    await one.open(`/projects/${projectId}/deliveries?mode=test`)
    const row = one.page.locator('tbody tr')
    await row.getByText('HTTP 404').waitFor()
    await row.getByText(failed).waitFor()
    assert.equal(await row.getByText(payments.callbackStates.pending, { exact: true }).count(), 0)
    const next = row.locator('time', { hasText: deliveries.nextAt('').trim() })
    assert.match((await next.getAttribute('title')) ?? '', /\d{4}/)
    await one.open(`/projects/${projectId}/transactions?mode=test`)
    await one.page.locator('tbody tr').getByText(failed).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })
}

/** Somebody's `listen`, until it is hung up. It reads: an answer that nobody reads is given up with the next clean-up of memory. */
async function listen(one: Person, projectId: string): Promise<{ hangUp: () => Promise<void> }> {
  const cookies = await one.context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${service.baseUrl}/portal/api/projects/${projectId}/events`, {
    headers: { cookie },
  })
  assert.equal(answer.status, 200)
  const reader = answer.body!.getReader()
  return { hangUp: () => reader.cancel() }
}

async function payInTest(request: APIRequestContext, projectId: string): Promise<void> {
  const wish = { amount: '1500', data: 'Kafa', mode: 'test' }
  const { url } = await post<{ url: string }>(request, `/portal/api/projects/${projectId}/pay-link`, wish)
  const page = await request.get(url, { headers: { accept: 'application/json' } })
  const { token } = (await page.json()) as { token: string }
  await post(request, '/pay', { token })
}

test('an id that is none says so and leads to the list, on every page of a project', async () => {
  const { one } = await beginner()
  const { noProject, notFound } = one.words.frame
  for (const id of ['YOUR_PROJECT_ID', 'abcdefghijklmnopqrstuvwx']) {
    for (const page of ['', '/keys', '/transactions', '/exam?mode=test']) {
      await one.open(`/projects/${id}${page}`)
      await one.page.getByRole('heading', { level: 1, name: noProject.title }).waitFor()
      assert.equal(await one.page.getByRole('alert').count(), 0)
      await one.page
        .getByRole('navigation', { name: one.words.frame.projectMenu })
        .waitFor({ state: 'detached' })
    }
  }
  // The switch has chosen none, so that any can be chosen.
  await one.open('/projects/abcdefghijklmnopqrstuvwx/keys')
  await one.page.getByLabel(one.words.frame.project, { exact: true }).selectOption({ label: LONG_NAME })
  await one.page.getByRole('heading', { level: 1, name: LONG_NAME }).waitFor()
  await one.open('/projects/abcdefghijklmnopqrstuvwx/keys')
  await one.press(one.link(notFound.action))
  await one.page.getByText(LONG_NAME).first().waitFor()
  // The page of an address that can be no project's is itself a 404.
  assert.deepEqual(
    one.faults.filter((fault) => !fault.includes('status of 404')),
    [],
  )
  await one.close()
})

test('where somebody wanted to go is kept between signing in and signing up, in both directions', async () => {
  const one = await person()
  const { entry, projects } = one.words
  await one.page.goto('/en/projects/new')
  await one.page.waitForURL(/sign-in\?next=/)
  await one.press(one.link(entry.signIn.create))
  await one.page.waitForURL(/sign-up\?next=%2Fen%2Fprojects%2Fnew/)
  await one.press(one.link(entry.signIn.title))
  await one.page.waitForURL(/sign-in\?next=%2Fen%2Fprojects%2Fnew/)
  await one.press(one.link(entry.signIn.create))
  await one.type(entry.email, 'next@example.com')
  await one.type(entry.password, PASSWORD)
  await one.press(one.button(entry.signUp.submit))
  await one.page.waitForURL(/\/en\/projects\/new$/)
  await one.page.getByRole('heading', { name: projects.add.title }).waitFor()
  // An address of another site is forgotten on the way.
  const stranger = await person()
  await stranger.open('/sign-in?next=//evil.example')
  await stranger.press(stranger.link(entry.signIn.create))
  await stranger.page.waitForURL(/\/en\/sign-up$/)
  assert.deepEqual(one.faults, [])
  await stranger.close()
  await one.close()
})

test('in the menu the current entry stands out in dark and light, and a name that is cut off can be read whole', async () => {
  for (const theme of ['dark', 'light'] as const) {
    const { one, projectId } = await beginner({ theme })
    await one.open(`/projects/${projectId}/keys?mode=test`)
    const menu = one.page.getByRole('navigation', { name: one.words.frame.projectMenu })
    const lookOf = (current: boolean) =>
      menu
        .locator(current ? 'a[aria-current=page]' : 'a:not([aria-current])')
        .first()
        .evaluate((link) => {
          const { color, boxShadow } = getComputedStyle(link)
          return { color, boxShadow }
        })
    const [here, elsewhere] = [await lookOf(true), await lookOf(false)]
    assert.notEqual(here.color, elsewhere.color)
    assert.notEqual(here.boxShadow, elsewhere.boxShadow)
    const choice = one.page.getByLabel(one.words.frame.project, { exact: true })
    assert.equal(await choice.getAttribute('title'), LONG_NAME)
    await one.close()
  }
})
