import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { intercept, newUser } from './portal-browser.ts'
import type { PortalUser } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()
let user: PortalUser

before(async () => {
  user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'en' })
  const { email, password } = service
  await user.context.request.post('/portal/api/sign-in', { data: { email, password } })
  await user.context.request.post('/portal/api/step-up', { data: { password } })
})

async function reveal(): Promise<string> {
  const { keys } = user.words
  const projectId = /project=([a-z0-9]+)/.exec(service.payLink)?.[1]
  await user.open(`/projects/${projectId}/keys`)
  await user.press(user.button(keys.reveal).first())
  const value = user.page.getByLabel(keys.value, { exact: true })
  await value.waitFor()
  const secret = (await value.textContent()) ?? ''
  assert.match(secret, /^sk_live_/)
  return secret
}

/** Returns everything that scripts and extensions can read on this page. */
async function readEverything(): Promise<string> {
  return user.page.evaluate(async () => {
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

async function assertGone(secret: string): Promise<void> {
  await user.page.waitForFunction((value) => !document.documentElement.outerHTML.includes(value), secret)
  assert.equal((await readEverything()).includes(secret), false)
}

test('a secret is gone from page, storage and history after the user goes to another page', async () => {
  const secret = await reveal()
  await user.press(user.link(user.words.frame.overview).first())
  await user.page.getByText(user.words.projects.overview.quick).waitFor()
  await assertGone(secret)
  await user.page.goBack()
  await user.page.getByRole('heading', { name: user.words.keys.title }).waitFor()
  await assertGone(secret)
})

test('a secret is gone when the user leaves the portal and comes back with the Back button', async () => {
  const secret = await reveal()
  await user.page.goto('/healthz')
  await user.page.goBack()
  await user.page.getByRole('heading', { name: user.words.keys.title }).waitFor()
  await assertGone(secret)
})

test('a secret is removed from the page when the tab is hidden', async () => {
  const secret = await reveal()
  await user.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await assertGone(secret)
})

test('a secret that arrives after the tab was hidden is not shown', async () => {
  const { keys } = user.words
  await user.open(new URL(user.page.url()).pathname.replace(/^\/en/, ''))
  const released = Promise.withResolvers<void>()
  await intercept(user.page, '**/seeSecret', async (route) => {
    await released.promise
    await route.continue()
  })
  const response = user.page.waitForResponse('**/seeSecret')
  await user.press(user.button(keys.reveal).first())
  await user.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  released.resolve()
  const { secret } = (await (await response).json()) as { secret: string }
  // When the button is no longer busy, the page has handled the response.
  await user.page.locator('button[aria-busy]').waitFor({ state: 'detached' })
  assert.equal((await readEverything()).includes(secret), false)
  await user.page.unroute('**/seeSecret')
})

test('a rotation that has started cannot be cancelled, and ends with a dialog that shows the new secret', async () => {
  const { keys, frame } = user.words
  await user.open(new URL(user.page.url()).pathname.replace(/^\/en/, ''))
  const released = Promise.withResolvers<void>()
  await intercept(user.page, '**/rotateSecret', async (route) => {
    await released.promise
    await route.continue()
  })
  await user.press(user.button(keys.rotate).first())
  const dialog = user.page.getByRole('dialog', { name: keys.dialog.titleLive })
  const label = (await dialog.locator('label').textContent()) ?? ''
  await user.type(label, /“(.+)”/.exec(label)?.[1] ?? '', dialog)
  await user.page.keyboard.press('Enter')
  assert.equal(await user.button(frame.cancel, dialog).isDisabled(), true)
  await user.page.keyboard.press('Escape')
  await user.page.mouse.click(5, 5)
  released.resolve()
  const newSecretDialog = user.page.getByRole('dialog', { name: keys.fresh.title })
  await newSecretDialog.waitFor()
  await user.page.waitForFunction(() => document.activeElement?.closest('dialog') !== null)
  await user.page.mouse.click(5, 5)
  const secret = (await newSecretDialog.getByLabel(keys.value, { exact: true }).textContent()) ?? ''
  assert.match(secret, /^sk_live_/)
  await user.press(user.button(keys.fresh.envLine, newSecretDialog))
  await newSecretDialog.getByText(frame.copied).waitFor()
  // The samples read this variable in both modes.
  assert.equal(await user.page.evaluate(() => navigator.clipboard.readText()), `PAZAR_SECRET=${secret}`)
  await user.press(user.button(keys.fresh.close, newSecretDialog))
  await user.page.unroute('**/rotateSecret')
})

test('a secret is hidden after a minute', async () => {
  await user.page.clock.install()
  const secret = await reveal()
  await user.page.clock.fastForward(61_000)
  await assertGone(secret)
})

test('a secret can be copied without being shown', async () => {
  const { keys } = user.words
  await user.open(new URL(user.page.url()).pathname.replace(/^\/en/, ''))
  await user.page.getByRole('button', { name: new RegExp(keys.live) }).click()
  await user.page.getByText(user.words.frame.copied).first().waitFor()
  const copied = await user.page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^sk_live_/)
  assert.equal((await readEverything()).includes(copied), false)
})

async function createToken(): Promise<string> {
  const { tokens: text } = user.words.account
  await user.open('/account/tokens')
  await user.press(user.button(text.add))
  await user.type(text.form.name, 'Kasa 1')
  await user.press(user.button(text.form.submit))
  const value = user.page.getByLabel(text.fresh.value, { exact: true })
  await value.waitFor()
  return (await value.textContent()) ?? ''
}

test('a new API token is gone once its dialog is closed, and a click outside does not close the dialog', async () => {
  const { fresh } = user.words.account.tokens
  const token = await createToken()
  assert.match(token, /^pat_[A-Za-z0-9_-]{43}$/)
  await user.page.mouse.click(5, 5)
  assert.equal(await user.page.getByLabel(fresh.value, { exact: true }).textContent(), token)
  await user.press(user.button(fresh.close))
  await assertGone(token)
})

test('a new API token is gone when its page is left, and the Back button does not show the token again', async () => {
  const token = await createToken()
  await user.page.goto('/healthz')
  await user.page.goBack()
  await user.page.getByRole('heading', { name: user.words.account.tabs.tokens }).waitFor()
  await assertGone(token)
})

test('the HTML of a page contains no secret', async () => {
  const response = await user.context.request.get(user.page.url())
  assert.doesNotMatch(await response.text(), /sk_(?:live|test)_[0-9a-zA-Z]{8}/)
})
