import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { catalogue, LOCALES } from '@pazar/words'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { parseConfig } from '../../config.ts'
import { renderHomePage } from './home-page.ts'

const PAGE_MAX_BYTES = 20 * 1024

const service = await startTestService()
const visitor = new Client(service.app)

function render(env: Record<string, string>, tryPath: string | null): string {
  return renderHomePage({ locale: 'en', config: parseConfig({ NODE_ENV: 'test', ...env }), tryPath })
}

test('visitors get the page in their language, and people who are signed in are redirected to their projects', async () => {
  const titles = { cnr: catalogue('cnr').home.heading, en: catalogue('en').home.heading }
  assert.ok((await visitor.get('/', { 'accept-language': 'hr' })).text.includes(titles.cnr))
  assert.ok((await visitor.get('/')).text.includes(titles.en))
  for (const locale of LOCALES) assert.ok((await visitor.get(`/${locale}`)).text.includes(titles[locale]))
  const owner = await signUp(service.app)
  for (const start of ['/', '/en'])
    assert.equal((await owner.get(start)).headers['location'], '/en/projects', start)
  assert.equal((await owner.get('/cnr')).headers['location'], '/cnr/projects')
})

test('a signed-in person gets the language of the account, unless the URL names another language', async () => {
  const owner = await signUp(service.app)
  assert.equal((await owner.post('/portal/api/account', { locale: 'cnr' })).status, 200)
  const findTarget = async (url: string) =>
    (await owner.get(url, { 'accept-language': 'en' })).headers['location']
  assert.equal(await findTarget('/'), '/cnr/projects')
  assert.equal(await findTarget('/docs/errors'), '/cnr/docs/errors')
  assert.equal(await findTarget('/?lang=en'), '/en/projects')
  assert.equal(await findTarget('/en'), '/en/projects')
})

test('the page is small, has no script and no resource of another origin, and is not cached', async () => {
  for (const locale of LOCALES) {
    const { text, headers } = await visitor.get(`/${locale}`)
    assert.ok(gzipSync(text).length <= PAGE_MAX_BYTES, String(gzipSync(text).length))
    assert.equal(headers['cache-control'], 'no-store')
    assert.doesNotMatch(text, /<script|\son\w+=|style=|<img|@import|url\(/)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /style-src 'sha256-[^']+'(?:;|$)/)
    assert.doesNotMatch(policy, /unsafe|script-src|https?:|\*/)
  }
  const compressed = await service.app.inject({ url: '/en', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(compressed.headers['content-encoding'], 'gzip')
})

test('every link of the page leads to a page', async () => {
  for (const locale of LOCALES) {
    const { text } = await visitor.get(`/${locale}`)
    const links = new Set([...text.matchAll(/<a [^>]*href="(\/[^"#]*)/g)].map((match) => match[1]!))
    assert.ok(links.size >= 6, [...links].join(' '))
    for (const link of links) assert.equal((await visitor.get(link)).status, 200, link)
  }
})

test('without a project for test payments the page leads to sign-up, unless sign-up is closed', () => {
  const { signUp: label, closedNote, try: tryLabel } = catalogue('en').home
  const openPage = render({}, null)
  assert.match(openPage, new RegExp(`<a class="act" href="/en/sign-up">${label}`))
  assert.ok(!openPage.includes(tryLabel))
  const closedPage = render({ SIGN_UP: 'closed' }, null)
  assert.ok(!closedPage.includes('/sign-up') && closedPage.includes(closedNote))
})

test('the page shows the operator’s name as text, and amounts in the currency of the deployment', () => {
  const page = render(
    { OPERATOR_NAME: '<Naplata> & "sinovi"', CURRENCY: 'JPY', AMOUNT_SCALE: '0' },
    '/en/try',
  )
  assert.ok(page.includes('&lt;Naplata&gt; &amp; &quot;sinovi&quot;') && !page.includes('<Naplata>'))
  assert.match(page, /¥15</)
})

test('if there is a project for test payments, the "try" URL redirects to a signed test link, and nothing is stored', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  assert.equal((await visitor.get('/en/try')).status, 404)
  service.deps.demoProject.id = 'nosuchproject'
  assert.equal((await visitor.get('/en/try')).status, 404)
  service.deps.demoProject.id = id
  const links = new Set<string>()
  for (const locale of LOCALES) {
    assert.match((await visitor.get(`/${locale}`)).text, new RegExp(`href="/${locale}/try"`))
    const { status, headers } = await visitor.get(`/${locale}/try`)
    assert.equal(status, 303)
    const link = String(headers['location'])
    links.add(link)
    assert.ok(link.startsWith(`${service.deps.config.baseUrl}/pay?`), link)
    const page = await visitor.get(link.slice(service.deps.config.baseUrl.length))
    assert.equal(page.status, 200)
    const { checkout, home } = catalogue(locale)
    assert.ok(page.text.includes(checkout.testBar) && page.text.includes(home.trySample))
  }
  assert.equal(links.size, LOCALES.length)
  const list = await owner.post('/sdk/transactions/list', { projectId: id })
  assert.equal(list.json<{ total: number }>().total, 0)
  service.deps.demoProject.id = null
})
