// The portal's code samples are files of examples/verify, filled with the merchant's own ids.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { cutSample, ENDPOINT_COMMANDS, fillSample, SAMPLE_LANGUAGES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'
import type { Locator, Page } from 'playwright-core'
import { pickCases } from '../counts.ts'
import { detailTests } from './detail-tests.ts'
import { newUser } from './portal-browser.ts'
import type { PortalUser, UserOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const test = detailTests()

const ROOT = path.join(import.meta.dirname, '../../..')
const { service, browser } = await startPortal()

async function readSample(language: SampleLanguage, name: SampleName): Promise<string> {
  return cutSample(await readFile(path.join(ROOT, toSamplePath(language, name)), 'utf8'))
}

async function signIn(options: Partial<UserOptions> = {}): Promise<{ user: PortalUser; projectId: string }> {
  const user = await newUser(browser, { baseUrl: service.baseUrl, locale: 'cnr', ...options })
  const { email, password } = service
  await user.context.request.post('/portal/api/sign-in', { data: { email, password } })
  return { user, projectId: /project=([a-z0-9]+)/.exec(service.payLink)?.[1] ?? '' }
}

async function openSample(user: PortalUser): Promise<void> {
  await user.page.locator('main summary').click()
  await user.page.locator('main pre').waitFor()
}

async function choose(user: PortalUser, language: SampleLanguage, code: string): Promise<void> {
  await user.page.getByLabel(user.words.frame.codeLanguage).selectOption(language)
  await user.page.locator('pre', { hasText: code.trim().slice(0, 200) }).waitFor()
}

test('the code of the quickstart has the reader’s own ids and is in the chosen language', async () => {
  const { user, projectId } = await signIn()
  const { frame, quickstart } = user.words
  await user.open(`/projects/${projectId}/quickstart?mode=test#status`)
  const ownIds = { baseUrl: service.baseUrl, projectId }
  const steps = [
    ['sign', quickstart.steps.payment.title],
    ['verify', quickstart.steps.callback.title],
    ['check', quickstart.steps.status.title],
  ] as const
  for (const id of ['go', 'ruby'] as const) {
    // This line fails if the page has more than one field for choosing the language.
    await user.page.getByLabel(frame.codeLanguage).selectOption(id)
    for (const [name, title] of steps) {
      const expected = fillSample(await readSample(id, name), ownIds)
      await user.page
        .getByLabel(title, { exact: true })
        .filter({ hasText: expected.trim().slice(0, 200) })
        .waitFor()
    }
    await user.page.locator('pre', { hasText: ENDPOINT_COMMANDS[id]! }).waitFor()
  }
  await user.page.locator('pre', { hasText: `export PAZAR_PROJECT_ID=${projectId}` }).waitFor()
  await user.page.reload()
  await user.page.getByLabel(frame.codeLanguage).waitFor()
  assert.equal(await user.page.getByLabel(frame.codeLanguage).inputValue(), 'ruby')
  // The commands of the page need a token that may write.
  const { tokens } = user.words.account
  await user.press(user.link(quickstart.buttons.token))
  const dialog = user.page.getByRole('dialog', { name: tokens.form.title })
  assert.equal(await dialog.getByLabel(tokens.form.scope, { exact: true }).inputValue(), 'write')
  await user.page.keyboard.press('Escape')
  await user.page.waitForURL(/tokens$/)
  // In the checklist of a new project, a step links to its code in the quickstart.
  const list = await user.context.request.post('/sdk/project/list', { data: {} })
  const { projects: all } = (await list.json()) as { projects: { id: string; name: string }[] }
  await user.open(`/projects/${all.find(({ name }) => name === 'Moj prvi projekat')!.id}?mode=test`)
  await user.page.locator('main a[href$="#callback"]').click()
  await user.page.waitForURL(/quickstart\?mode=test#callback$/)
  await user.page.getByRole('heading', { name: quickstart.steps.callback.title }).waitFor()
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('the code of the status check has the reader’s own ids in all eight languages, and is copied as shown', async () => {
  const { user, projectId } = await signIn()
  const { frame, status } = user.words
  await user.open(`/projects/${projectId}/status?q=order-99`)
  await openSample(user)
  const shown = user.page.getByLabel(status.asCode, { exact: true })
  for (const { id } of SAMPLE_LANGUAGES) {
    const ownIds = { baseUrl: service.baseUrl, projectId, customId: 'order-99' }
    const expected = fillSample(await readSample(id, 'check'), ownIds)
    await choose(user, id, expected)
    assert.equal(await shown.textContent(), expected)
    assert.ok(expected.includes(projectId) && expected.includes('order-99'), id)
  }
  await user.page.getByRole('button', { name: new RegExp(`${frame.copy}.*${status.asCode}`) }).click()
  await user.page.getByText(frame.copied).waitFor()
  assert.equal(await user.page.evaluate(() => navigator.clipboard.readText()), await shown.textContent())
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('the chosen programming language is used on the next page and after a reload', async () => {
  const { user, projectId } = await signIn()
  const { deliveries, frame } = user.words
  await user.open(`/projects/${projectId}/status`)
  await openSample(user)
  await choose(user, 'php', await readSample('php', 'check').then((text) => text.split('\n')[4] ?? ''))
  await user.page.reload()
  await openSample(user)
  assert.equal(await user.page.getByLabel(frame.codeLanguage).inputValue(), 'php')

  await user.open(`/projects/${projectId}/deliveries`)
  await user.page.locator('tbody tr a').first().click()
  const drawer = user.page.getByRole('dialog', { name: deliveries.drawer.title })
  await drawer.getByText(deliveries.drawer.verify).click()
  const code = drawer.getByLabel(deliveries.drawer.verify, { exact: true })
  await code.waitFor()
  assert.equal(await code.textContent(), await readSample('php', 'verify'))
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('no sample is loaded before its section is opened', async () => {
  const { user, projectId } = await signIn()
  await user.open(`/projects/${projectId}/deliveries`)
  await user.page.locator('tbody tr a').first().click()
  const drawer = user.page.getByRole('dialog', { name: user.words.deliveries.drawer.title })
  await drawer.getByText(user.words.deliveries.drawer.verify).waitFor()
  await user.page.waitForLoadState('networkidle')
  const countFetched = () => user.calls.filter((call) => /\/(?:verify|check)-/.test(call.path)).length
  assert.equal(countFetched(), 0)
  await drawer.getByText(user.words.deliveries.drawer.verify).click()
  await drawer.locator('pre', { hasText: 'webhook-signature' }).waitFor()
  assert.equal(countFetched(), 1)
  await user.close()
})

/** Takes a screenshot of an edge of the code block, where there is only background. */
async function captureEdge(page: Page, block: Locator, side: 'left' | 'right'): Promise<Buffer> {
  const box = await block.boundingBox()
  assert.ok(box)
  const x = side === 'left' ? box.x + 6 : box.x + box.width - 16
  return page.screenshot({ clip: { x, y: box.y + 4, width: 10, height: 6 } })
}

for (const theme of pickCases('browserVariants', ['light', 'dark'] as const, { startAt: 1 })) {
  test(`${theme}: on a phone, an edge of a code block has a shadow if the code can be scrolled to that side`, async () => {
    const { user, projectId } = await signIn({ width: 320, theme })
    await user.page.goto(`/cnr/projects/${projectId}/status`)
    await openSample(user)
    const blocks = await user.page.locator('pre').all()
    const widths = await Promise.all(
      blocks.map((pre) => pre.evaluate((it) => it.scrollWidth - it.clientWidth)),
    )
    const block = blocks[widths.findIndex((width) => width > 60)]
    assert.ok(block)
    await block.scrollIntoViewIfNeeded()
    const [left, right] = [
      await captureEdge(user.page, block, 'left'),
      await captureEdge(user.page, block, 'right'),
    ]
    await block.evaluate((it) => it.scrollTo(it.scrollWidth, 0))
    assert.ok(!right.equals(await captureEdge(user.page, block, 'right')), 'right')
    assert.ok(!left.equals(await captureEdge(user.page, block, 'left')), 'left')
    await user.close()
  })
}
