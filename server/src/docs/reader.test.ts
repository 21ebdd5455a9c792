// A signed-in reader sees examples with the id and the URLs of a project of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { PLACEHOLDERS } from './fill.ts'

const service = await startTestService({ BASE_URL: 'https://pay.shop.test' })

test('with a session the examples have the id and the URLs of a project that the reader can choose', async () => {
  const owner = await signUp(service.app)
  const first = await owner.addProject({ name: 'Prva', apiUrl: 'https://prva.example.com/cb' })
  const second = await owner.addProject({ name: 'Druga' })
  const page = await owner.get('/en/docs/reference')
  assert.ok(page.text.includes(`PAZAR_PROJECT_ID=<wbr>${first.id}`))
  assert.ok(page.text.includes('https://prva.example.com/cb'))
  assert.doesNotMatch(page.text, /YOUR_PROJECT_ID/)
  const keys = await owner.get('/cnr/docs/quickstart')
  assert.ok(keys.text.includes(`href="/cnr/projects/${first.id}/keys?mode=test"`))
  const chosen = await owner.get(`/en/docs/quickstart?project=${second.id}`)
  const found = await owner.get(`/en/docs/search?q=callback&project=${second.id}`)
  for (const [{ text }, part] of [
    [chosen, `PAZAR_PROJECT_ID=<wbr>${second.id}`],
    [chosen, `href="/en/docs/callbacks?project=${second.id}"`],
    [found, `name="project" value="${second.id}"`],
    [found, `href="/cnr/docs/search?project=${second.id}&amp;q=callback"`],
  ] as const)
    assert.ok(text.includes(part), part)
  const markdown = await owner.get(`/en/docs/quickstart.md?project=${second.id}`)
  assert.ok(markdown.text.includes(`PAZAR_PROJECT_ID=${second.id}`))
  // Secrets always stay placeholders.
  for (const { text } of [page, keys, chosen, markdown])
    assert.doesNotMatch(text, /sk_(?:test|live)_[0-9a-f]{20}/)
})

test('if a project sends its callbacks to the inbox, the examples do not show the inbox as the URL of its server', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject({ apiUrl: `${service.deps.config.baseUrl}/inbox` })
  const { text } = await owner.get('/en/docs/exam')
  assert.ok(text.includes(`PAZAR_PROJECT_ID=<wbr>${id}`) && text.includes(PLACEHOLDERS.apiUrl))
  assert.doesNotMatch(text, /\/inbox\//)
})

test('the response to a signed-in reader is stored in no cache, because it contains their project', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  for (const locale of LOCALES) {
    for (const path of [`/${locale}/docs/quickstart.md`, `/${locale}/docs/quickstart`]) {
      const { text, headers } = await owner.get(path)
      assert.ok(text.includes(id), path)
      assert.equal(headers['cache-control'], 'no-store', path)
    }
  }
})

test('the examples never show a project of another owner or an archived project', async () => {
  const [owner, other] = [await signUp(service.app), await signUp(service.app)]
  const foreignProject = await other.addProject()
  const ownProject = await owner.addProject()
  const page = await owner.get(`/en/docs/quickstart?project=${foreignProject.id}`)
  assert.equal(page.text.includes(foreignProject.id), false)
  assert.ok(page.text.includes(ownProject.id))
  await owner.stepUp()
  await owner.post(`/portal/api/projects/${ownProject.id}/archive`)
  assert.ok((await owner.get('/en/docs/quickstart')).text.includes(PLACEHOLDERS.id))
})

test('a project’s name and URLs cannot become markup, Markdown or a command', async () => {
  const owner = await signUp(service.app)
  const name = '<img src=x onerror=alert(1)>'
  const resultUrl = `https://shop.example.com/a'b$(id)"<b>`
  await owner.addProject({ name, resultUrl, apiUrl: 'https://shop.example.com/x`y`' })
  await owner.addProject({ name: '</select><script>' })
  for (const path of ['/en/docs/reference', '/en/docs/pay-links', '/en/docs/reference.md']) {
    const { text } = await owner.get(path)
    assert.doesNotMatch(text, /<img|<\/select><script>|\$\(id\)|`y`/, path)
  }
})
