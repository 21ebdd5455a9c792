// What an address may say: nonsense is no reason to stumble, texts stay texts, and no part of it becomes part of a call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMerchant } from './merchant.ts'
import { intercept, newPerson } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()
const { one, projectId } = await newMerchant(browser, service.baseUrl)
const { words } = one
const heading = (name: string) => one.page.getByRole('heading', { name, exact: true, level: 1 })

test('days that are on no calendar are left out, and the pages stand', async () => {
  const pages = [
    ['transactions', words.payments.title],
    ['deliveries', words.deliveries.title],
  ] as const
  for (const day of ['2026-02-31', '2026-99-99', '0000-00-00', '0002-01-01', '9999-12-31', 'today'])
    for (const [page, title] of pages) {
      await one.page.goto(`/en/projects/${projectId}/${page}?mode=test&from=${day}&to=${day}`)
      await heading(title).waitFor()
      assert.equal(await one.page.getByLabel(words.payments.filters.from, { exact: true }).inputValue(), '')
    }
  assert.deepEqual(one.faults, [])
})

test('a search stays the text that was written, also where it looks like a number', async () => {
  for (const q of ['1e5', '12345678901234567890', '007', 'true', 'null', '{"a":1}', '"1"']) {
    await one.page.goto(
      `/en/projects/${projectId}/transactions?mode=test&q=${encodeURIComponent(q)}&status=failed`,
    )
    const field = one.page.getByRole('searchbox')
    await field.waitFor()
    assert.equal(await field.inputValue(), q)
    await one.press(one.link(words.frame.live))
    await one.page.waitForURL(/mode=live/)
    assert.equal(new URL(one.page.url()).searchParams.get('q'), q)
  }
})

test('a date can be typed with the keyboard, and Back undoes a cleared filter whole', async () => {
  await one.page.goto(`/en/projects/${projectId}/transactions?mode=test`)
  await one.page.getByLabel(words.payments.filters.from, { exact: true }).focus()
  // Day and month alike, because their order is the browser's own.
  await one.page.keyboard.type('11112026', { delay: 20 })
  await one.page.waitForURL(/from=2026-11-11/)
  await one.press(one.button(words.payments.filters.clear))
  await one.page.waitForURL(/\?mode=test$/)
  await one.page.goBack()
  await one.page.waitForURL(/from=2026-11-11/)
})

test('a chosen day stands below its field as we write days, whatever the browser makes of it', async () => {
  await one.page.goto(`/en/projects/${projectId}/transactions?mode=test&from=2026-11-08&to=2026-11-09`)
  const field = (label: string) => one.page.getByLabel(label, { exact: true })
  const saidOf = async (label: string) => {
    const id = await field(label).getAttribute('aria-describedby')
    return one.page.locator(`[id="${id}"]`).innerText()
  }
  await field(words.payments.filters.from).waitFor()
  assert.equal(await saidOf(words.payments.filters.from), '8 Nov 2026')
  assert.equal(await saidOf(words.payments.filters.to), '9 Nov 2026')
})

test('a list that the filters have emptied shows one way to clear them, and it does', async () => {
  for (const page of ['transactions', 'deliveries']) {
    await one.page.goto(`/en/projects/${projectId}/${page}?mode=test&q=nothing-like-this`)
    await one.page.getByText(words.payments.noneTitle, { exact: true }).waitFor()
    const clear = one.page.getByText(words.payments.filters.clear, { exact: true })
    assert.equal(await clear.count(), 1)
    await one.press(clear)
    await one.page.waitForURL(/\?mode=test$/)
  }
})

test('advice that several faults of a request share is given once', async () => {
  await one.page.goto(`/en/projects/${projectId}/debug?mode=test`)
  await one.press(one.button(words.debug.submit))
  const said = one.page.locator('main [role=alert] li p')
  await said.first().waitFor()
  const texts = await said.allTextContents()
  // Three headers and the body are missing.
  assert.equal(texts.length, 6)
  assert.equal(new Set(texts).size, 6)
})

test('a confirmation link that is over says so and leads to where a new one is sent', async () => {
  await one.page.goto(`/en/confirm-email#token=${'a'.repeat(43)}`)
  await one.page.getByText(words.entry.confirmEmail.overText).waitFor()
  await one.press(one.link(words.entry.confirmEmail.toAccount))
  await heading(words.account.title).waitFor()
})

test('something that is no project id leads no call anywhere', async () => {
  for (const id of [`${projectId}/test-secret/rotate?`, '../sign-out?', '..%2Fsign-out?', 'your-project']) {
    one.calls.length = 0
    await one.page.goto(`/en/projects/${encodeURIComponent(id)}/status?mode=test&q=1`)
    await heading(words.frame.noProject.title).waitFor()
    await one.page.goto(`/en/projects/${encodeURIComponent(id)}`)
    await heading(words.frame.noProject.title).waitFor()
    const asked = one.calls.filter(({ path }) => /^\/portal\/api\/(?!session)/.test(path))
    assert.deepEqual(asked, [], id)
  }
})

test('a stranger at an address nobody knows is led to sign-in, not to a broken page', async () => {
  const stranger = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'en' })
  await stranger.page.goto('/en/projects/UPPER/keys')
  await stranger.page.waitForURL(/\/en\/sign-in\?next=%2Fen%2Fprojects%2FUPPER%2Fkeys$/)
  await stranger.page.goto('/en/no-such-page')
  await stranger.link('Crnogorski').waitFor()
  await stranger.press(stranger.link(words.frame.notFound.action))
  await stranger.page.waitForURL(/\/en\/sign-in\?next=%2Fen%2Fprojects$/)
  await stranger.close()
})

test('a list never shows what another mode has while its own is on the way', async () => {
  await one.page.goto(`/en/projects/${projectId}/transactions?mode=test`)
  await one.page.getByText(words.payments.emptyTitle).waitFor()
  const released = Promise.withResolvers<void>()
  await intercept(one.page, '**/sdk/transactions/list', async (route) => {
    await released.promise
    await route.continue()
  })
  await one.press(one.link(words.frame.live))
  await one.page.waitForURL(/mode=live/)
  await one.page.getByRole('status').getByText(words.frame.loading).waitFor({ state: 'attached' })
  assert.equal(await one.page.getByText(words.payments.emptyTitle).count(), 0)
  released.resolve()
  await one.page.getByText(words.payments.emptyTitle).waitFor()
})
