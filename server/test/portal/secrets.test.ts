// A revealed secret is nowhere once its page is left, hidden or put aside.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { intercept, newPerson } from './portal-browser.ts'
import type { Person } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()
let one: Person

before(async () => {
  one = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'en' })
  const { email, password } = service
  await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
  await one.context.request.post('/portal/api/step-up', { data: { password } })
})

async function reveal(): Promise<string> {
  const { keys } = one.words
  const projectId = /project=([a-z0-9]+)/.exec(service.payLink)?.[1]
  await one.open(`/projects/${projectId}/keys`)
  await one.press(one.button(keys.reveal).first())
  const value = one.page.getByLabel(keys.value, { exact: true })
  await value.waitFor()
  const secret = (await value.textContent()) ?? ''
  assert.match(secret, /^sk_live_/)
  return secret
}

/** Everything a later script, person or extension could read on this page. */
async function everythingKept(): Promise<string> {
  return one.page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const cached = await Promise.all(opened.map(async (cache) => (await cache.keys()).map(({ url }) => url)))
    return [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input')].map((input) => input.value),
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify(history.state),
      location.href,
      document.cookie,
      ...cached.flat(),
    ].join('\n')
  })
}

async function isGone(secret: string): Promise<void> {
  await one.page.waitForFunction((value) => !document.documentElement.outerHTML.includes(value), secret)
  assert.equal((await everythingKept()).includes(secret), false)
}

test('a secret is gone from page, storage and history after going to another page', async () => {
  const secret = await reveal()
  await one.press(one.link(one.words.frame.overview).first())
  await one.page.getByText(one.words.projects.overview.quick).waitFor()
  await isGone(secret)
  await one.page.goBack()
  await one.page.getByRole('heading', { name: one.words.keys.title }).waitFor()
  await isGone(secret)
})

test('a secret is gone when the browser leaves the portal and comes back with the Back button', async () => {
  const secret = await reveal()
  await one.page.goto('/healthz')
  await one.page.goBack()
  await one.page.getByRole('heading', { name: one.words.keys.title }).waitFor()
  await isGone(secret)
})

test('a secret is hidden as soon as the tab is', async () => {
  const secret = await reveal()
  await one.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await isGone(secret)
})

test('a secret that arrives in a tab that is hidden by then is not drawn', async () => {
  const { keys } = one.words
  await one.open(new URL(one.page.url()).pathname.replace(/^\/en/, ''))
  const released = Promise.withResolvers<void>()
  await intercept(one.page, '**/seeSecret', async (route) => {
    await released.promise
    await route.continue()
  })
  const answered = one.page.waitForResponse('**/seeSecret')
  await one.press(one.button(keys.reveal).first())
  await one.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  released.resolve()
  const { secret } = (await (await answered).json()) as { secret: string }
  // Not busy any more: whatever the page does with the answer, it has done.
  await one.page.locator('button[aria-busy]').waitFor({ state: 'detached' })
  assert.equal((await everythingKept()).includes(secret), false)
  await one.page.unroute('**/seeSecret')
})

test('a replacement under way cannot be called off, and its secret is then at hand', async () => {
  const { keys, frame } = one.words
  await one.open(new URL(one.page.url()).pathname.replace(/^\/en/, ''))
  const released = Promise.withResolvers<void>()
  await intercept(one.page, '**/rotateSecret', async (route) => {
    await released.promise
    await route.continue()
  })
  await one.press(one.button(keys.rotate).first())
  const dialog = one.page.getByRole('dialog', { name: keys.dialog.titleLive })
  const hint = (await dialog.locator('[id$="-hint"]').textContent()) ?? ''
  await one.type(keys.dialog.nameField, hint.replace(keys.dialog.typeName(''), ''), dialog)
  await one.page.keyboard.press('Enter')
  assert.equal(await one.button(frame.cancel, dialog).isDisabled(), true)
  await one.page.keyboard.press('Escape')
  await one.page.mouse.click(5, 5)
  released.resolve()
  const fresh = one.page.getByRole('dialog', { name: keys.fresh.title })
  await fresh.waitFor()
  await one.page.waitForFunction(() => document.activeElement?.closest('dialog') !== null)
  await one.page.mouse.click(5, 5)
  assert.match((await fresh.getByLabel(keys.value, { exact: true }).textContent()) ?? '', /^sk_live_/)
  await one.press(one.button(keys.fresh.close, fresh))
  await one.page.unroute('**/rotateSecret')
})

test('a secret hides itself after a minute', async () => {
  await one.page.clock.install()
  const secret = await reveal()
  await one.page.clock.fastForward(61_000)
  await isGone(secret)
})

test('a secret can be copied without ever being shown', async () => {
  const { keys } = one.words
  await one.open(new URL(one.page.url()).pathname.replace(/^\/en/, ''))
  await one.page.getByRole('button', { name: new RegExp(keys.live) }).click()
  await one.page.getByText(one.words.frame.copied).first().waitFor()
  const copied = await one.page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^sk_live_/)
  assert.equal((await everythingKept()).includes(copied), false)
})

async function makeToken(): Promise<string> {
  const { tokens: text } = one.words.account
  await one.open('/account/tokens')
  await one.press(one.button(text.add))
  await one.type(text.form.name, 'Kasa 1')
  await one.press(one.button(text.form.submit))
  const value = one.page.getByLabel(text.fresh.value, { exact: true })
  await value.waitFor()
  return (await value.textContent()) ?? ''
}

test('a new API token is gone once its dialog is closed, which a click beside it does not do', async () => {
  const { fresh } = one.words.account.tokens
  const token = await makeToken()
  assert.match(token, /^pat_[A-Za-z0-9_-]{43}$/)
  await one.page.mouse.click(5, 5)
  assert.equal(await one.page.getByLabel(fresh.value, { exact: true }).textContent(), token)
  await one.press(one.button(fresh.close))
  await isGone(token)
})

test('a new API token is gone when its page is left, also after the Back button', async () => {
  const token = await makeToken()
  await one.page.goto('/healthz')
  await one.page.goBack()
  await one.page.getByRole('heading', { name: one.words.account.tabs.tokens }).waitFor()
  await isGone(token)
})

test('no secret stands in the page the service sends', async () => {
  const answer = await one.context.request.get(one.page.url())
  assert.doesNotMatch(await answer.text(), /sk_(?:live|test)_[0-9a-zA-Z]{8}/)
})
