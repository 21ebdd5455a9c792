// Code in the portal: what a merchant sees and copies is what the tests of examples/verify have run, with his own ids.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { cutSample, fillSample, SAMPLE_LANGUAGES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'
import type { Locator, Page } from 'playwright-core'
import { newPerson } from './portal-browser.ts'
import type { Person, PersonOptions } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const { service, browser } = await startPortal()

async function readSample(language: SampleLanguage, name: SampleName): Promise<string> {
  return cutSample(await readFile(path.join(ROOT, toSamplePath(language, name)), 'utf8'))
}

async function signIn(options: Partial<PersonOptions> = {}): Promise<{ one: Person; projectId: string }> {
  const one = await newPerson(browser, { baseUrl: service.baseUrl, locale: 'cnr', ...options })
  const { email, password } = service
  await one.context.request.post('/portal/api/sign-in', { data: { email, password } })
  return { one, projectId: /project=([a-z0-9]+)/.exec(service.payLink)?.[1] ?? '' }
}

/** The first line with code in it tells the languages apart. */
async function choose(one: Person, language: SampleLanguage, code: string): Promise<void> {
  await one.page.getByLabel(one.words.frame.codeLanguage).selectOption(language)
  await one.page.locator('pre', { hasText: code.trim().slice(0, 200) }).waitFor()
}

test('the status check is shown in eight languages with the reader’s own ids, and copied as shown', async () => {
  const { one, projectId } = await signIn()
  const { frame, status } = one.words
  await one.open(`/projects/${projectId}/status?q=order-99`)
  const shown = one.page.getByLabel(status.asCode, { exact: true })
  for (const { id } of SAMPLE_LANGUAGES) {
    const own = { baseUrl: service.baseUrl, projectId, customId: 'order-99' }
    const expected = fillSample(await readSample(id, 'check'), own)
    await choose(one, id, expected)
    assert.equal(await shown.textContent(), expected)
    assert.ok(expected.includes(projectId) && expected.includes('order-99'), id)
  }
  await one.page.getByRole('button', { name: new RegExp(`${frame.copy}.*${status.asCode}`) }).click()
  await one.page.getByText(frame.copied).waitFor()
  assert.equal(await one.page.evaluate(() => navigator.clipboard.readText()), await shown.textContent())
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('the language chosen is the one that the next page opens in, and is kept over a reload', async () => {
  const { one, projectId } = await signIn()
  const { deliveries, frame } = one.words
  await one.open(`/projects/${projectId}/status`)
  await choose(one, 'php', await readSample('php', 'check').then((text) => text.split('\n')[2] ?? ''))
  await one.page.reload()
  await one.page.getByLabel(frame.codeLanguage).waitFor()
  assert.equal(await one.page.getByLabel(frame.codeLanguage).inputValue(), 'php')

  await one.open(`/projects/${projectId}/deliveries`)
  await one.page.locator('tbody tr a').first().click()
  const drawer = one.page.getByRole('dialog', { name: deliveries.drawer.title })
  await drawer.getByText(deliveries.drawer.verify).click()
  const code = drawer.getByLabel(deliveries.drawer.verify, { exact: true })
  await code.waitFor()
  assert.equal(await code.textContent(), await readSample('php', 'verify'))
  assert.deepEqual(one.faults, [])
  await one.close()
})

test('no code is fetched before somebody wants to see it', async () => {
  const { one, projectId } = await signIn()
  await one.open(`/projects/${projectId}/deliveries`)
  await one.page.locator('tbody tr a').first().click()
  const drawer = one.page.getByRole('dialog', { name: one.words.deliveries.drawer.title })
  await drawer.getByText(one.words.deliveries.drawer.verify).waitFor()
  await one.page.waitForLoadState('networkidle')
  const fetched = () => one.calls.filter((call) => /\/(?:verify|check)-/.test(call.path)).length
  assert.equal(fetched(), 0)
  await drawer.getByText(one.words.deliveries.drawer.verify).click()
  await drawer.locator('pre', { hasText: 'webhook-signature' }).waitFor()
  assert.equal(fetched(), 1)
  await one.close()
})

/** Beside the first line, where nothing but the background is drawn. */
async function drawEdge(page: Page, block: Locator, side: 'left' | 'right'): Promise<Buffer> {
  const box = await block.boundingBox()
  assert.ok(box)
  const x = side === 'left' ? box.x + 6 : box.x + box.width - 16
  return page.screenshot({ clip: { x, y: box.y + 4, width: 10, height: 6 } })
}

for (const theme of ['light', 'dark'] as const) {
  test(`${theme}: on a phone, code that goes on beyond an edge has a shade there, in portal and guide`, async () => {
    const { one, projectId } = await signIn({ width: 320, theme })
    for (const address of [`/cnr/projects/${projectId}/status`, '/cnr/docs/quickstart']) {
      await one.page.goto(address)
      await one.page.waitForSelector('pre')
      const blocks = await one.page.locator('pre').all()
      const widths = await Promise.all(
        blocks.map((pre) => pre.evaluate((it) => it.scrollWidth - it.clientWidth)),
      )
      const block = blocks[widths.findIndex((width) => width > 60)]
      assert.ok(block, address)
      await block.scrollIntoViewIfNeeded()
      const [left, right] = [
        await drawEdge(one.page, block, 'left'),
        await drawEdge(one.page, block, 'right'),
      ]
      await block.evaluate((it) => it.scrollTo(it.scrollWidth, 0))
      assert.ok(!right.equals(await drawEdge(one.page, block, 'right')), `${address}: right`)
      assert.ok(!left.equals(await drawEdge(one.page, block, 'left')), `${address}: left`)
    }
    await one.close()
  })
}
