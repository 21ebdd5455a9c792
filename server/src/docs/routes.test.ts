import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { catalogue, LOCALES } from '@pazar/words'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { PLACEHOLDERS } from './fill.ts'
import { findSourcePath, GROUPS, SLUGS } from './pages.ts'

const service = await startTestService({ BASE_URL: 'https://pay.shop.test' })
const limitedReplica = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_DOCS: '2' })
const visitor = new Client(service.app)
const ROOT = path.join(import.meta.dirname, '../../..')
const HTML = { accept: 'text/html' }

test('every page exists in both languages, as HTML with a strict content security policy and as Markdown', async () => {
  for (const locale of LOCALES) {
    for (const slug of ['', ...SLUGS.map((one) => `/${one}`)]) {
      const page = await visitor.get(`/${locale}/docs${slug}`, HTML)
      assert.equal(page.status, 200, slug)
      assert.match(page.text, new RegExp(`<html lang="${locale === 'en' ? 'en' : 'sr-Latn-ME'}">`))
      assert.equal(page.text.match(/<h1>/g)?.length, 1, slug)
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'.*style-src 'sha256-.*script-src 'sha256-/)
      assert.doesNotMatch(policy, /unsafe|https:|\*/)
      assert.doesNotMatch(page.text, /\sstyle=|\son\w+=|<script src/)
      const markdown = await visitor.get(`/${locale}/docs${slug === '' ? '/index' : slug}.md`)
      assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
      assert.match(markdown.text, /^# /)
      assert.doesNotMatch(markdown.text, /pay\.example\.me|<!-- (?:questions|keywords):/, slug)
    }
  }
})

test('a page links to the previous and the next page, and with DOCS_EDIT_URL also to its source file, unless it is generated', async () => {
  const editUrl = 'https://git.example.me/pazar/edit/main'
  const withLinks = new Client((await service.replica({ DOCS_EDIT_URL: editUrl })).app)
  const linkOf = async (path: string) =>
    /<a href="(https:\/\/git[^"]+)"/.exec((await withLinks.get(path, HTML)).text)?.[1]
  assert.equal(await linkOf('/cnr/docs/callbacks'), `${editUrl}/docs/guide/cnr/callbacks.md`)
  assert.equal(await linkOf('/cnr/docs/changelog'), `${editUrl}/docs/guide/cnr/changelog.md`)
  assert.equal(await linkOf('/en/docs/changelog'), `${editUrl}/docs/guide/en/changelog.md`)
  // Generated pages have no source to edit.
  for (const path of ['/en/docs', '/en/docs/reference', '/en/docs/search?q=link'])
    assert.equal(await linkOf(path), undefined, path)
  const page = await visitor.get('/en/docs/callbacks', HTML)
  assert.doesNotMatch(page.text, new RegExp(catalogue('en').docs.edit))
  assert.match(
    page.text,
    /class="neighbours".*href="\/en\/docs\/statement".*href="\/en\/docs\/status-check"/s,
  )
})

test('the first page has the search and one card for every page, and every page belongs to one group', async () => {
  const grouped = Object.values(GROUPS).flat()
  assert.deepEqual(grouped.toSorted(), SLUGS.toSorted())
  for (const locale of LOCALES) {
    const { text } = await visitor.get(`/${locale}/docs`, HTML)
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
    assert.equal(text.match(/role="search"/g)?.length, 1)
    assert.match(main, /role="search"/)
    for (const slug of SLUGS) assert.equal(main.split(`href="/${locale}/docs/${slug}"`).length, 2, slug)
    const { groups, summaries } = catalogue(locale).docs
    for (const name of Object.values(groups)) assert.ok(main.includes(`>${name}</h2>`))
    assert.deepEqual(Object.keys(summaries).toSorted(), SLUGS.toSorted())
    for (const summary of Object.values(summaries))
      assert.ok(main.includes(`<span>${summary}</span>`), summary)
    const list = (await visitor.get(`/${locale}/docs/qr`, HTML)).text.split('<nav class="pages"')[1] ?? ''
    for (const name of Object.values(groups)) assert.ok(list.includes(`<h3>${name}</h3>`), name)
    for (const slug of SLUGS) assert.equal(list.split(`href="/${locale}/docs/${slug}"`).length, 2, slug)
  }
})

test('every source that a page links to is in the repository', () => {
  for (const locale of LOCALES)
    for (const slug of SLUGS) {
      const source = findSourcePath(locale, slug)
      if (source !== null) assert.ok(existsSync(path.join(ROOT, source)), source)
    }
})

test('a URL without a language redirects to the reader’s language', async () => {
  const sr = { 'accept-language': 'sr' }
  assert.equal((await visitor.get('/docs', sr)).headers['location'], '/cnr/docs')
  assert.equal((await visitor.get('/docs')).headers['location'], '/en/docs')
  assert.equal((await visitor.get('/docs/qr.md?lang=cnr')).headers['location'], '/cnr/docs/qr.md?lang=cnr')
  const { type } = (await visitor.get('/no/such/thing')).json<{ type: string }>()
  const { pathname, hash } = new URL(type)
  const redirected = await visitor.get(pathname)
  assert.equal(redirected.status, 302)
  const page = await visitor.get(String(redirected.headers['location']))
  assert.ok(page.text.includes(`id="${hash.slice(1)}"`))
  assert.equal((await visitor.get('/cnr/docs.md')).headers['location'], '/cnr/docs/index.md')
  assert.equal((await visitor.get('/docs//evil.example')).headers['location'], '/en/docs//evil.example')
})

test('each language of a sample has its own anchor', async () => {
  const { text } = await visitor.get('/en/docs/callbacks')
  const ids = [...text.matchAll(/<details class="sample" name="[a-z]+" id="([^"]+)"/g)].map(([, id]) => id!)
  assert.ok(ids.includes('verify-php') && ids.includes('endpoint-python'), ids.join(' '))
  assert.equal(new Set(ids).size, ids.length)
})

test('without a session the examples have placeholders, and links to a project open the list of projects', async () => {
  const page = await visitor.get('/en/docs/quickstart')
  assert.ok(page.text.includes(`PAZAR_PROJECT_ID=<wbr>${PLACEHOLDERS.id}`))
  assert.doesNotMatch(page.text, /href="[^"]*YOUR_PROJECT_ID/)
  assert.match(page.text, /href="\/en\/projects"/)
  assert.match(page.text, /\/en\/sign-in\?next=%2Fen%2Fdocs%2Fquickstart/)
  const search = await visitor.get('/en/docs/search?q=refund%20%26%20dispute')
  const next = encodeURIComponent('/en/docs/search?q=refund%20%26%20dispute')
  for (const page of ['sign-in', 'sign-up'])
    assert.ok(search.text.includes(`/en/${page}?next=${next}"`), page)
})

test('the search ignores diacritics, shows an excerpt, and escapes the query', async () => {
  for (const query of [
    'povratno obavještenje potpis',
    'povratno obavjestenje potpis',
    'POTPIS OBAVJESTENJA',
  ]) {
    const page = await visitor.get(`/cnr/docs/search?q=${encodeURIComponent(query)}`)
    assert.equal(page.status, 200)
    assert.match(page.text, /<a href="\/cnr\/docs\/callbacks#provjerite-potpis">/, query)
    assert.match(page.text, /<mark>/)
  }
  const emptyResult = await visitor.get('/en/docs/search?q=%3Cscript%3Ezzqx')
  assert.match(emptyResult.text, /&lt;script&gt;zzqx/)
  assert.doesNotMatch(emptyResult.text, /<script>zzqx/)
  for (const empty of ['', '?q=', '?q=%20', '?q=a&q=b', `?q=${'x'.repeat(5_000)}`])
    assert.equal((await visitor.get(`/en/docs/search${empty}`)).status, 200, empty.slice(0, 20))
  assert.equal((await visitor.get('/en/docs/search?q=%ff')).status, 400)
  const other = await visitor.get('/en/docs/search?q=potpis')
  assert.match(other.text, /href="\/cnr\/docs\/search\?q=potpis"/)
})

test('for an unknown URL, browsers get a page with status 404, and programs get a problem with status 404', async () => {
  for (const path of ['/en/docs/nothing', '/cnr/docs/a/b', '/en/docs/..%2f..%2fpackage.json']) {
    const page = await visitor.get(path, HTML)
    assert.equal(page.status, 404, path)
    assert.match(page.text, /role="search"/)
    assert.match(page.text, /\/docs\/quickstart/)
    assert.equal((await visitor.get(path)).code, 'not_found', path)
  }
  for (const path of ['/en/docs/nothing.md', '/en/docs/../../../CHANGELOG.md', '/en/docs/.md'])
    assert.equal((await visitor.get(path)).status, 404, path)
})

test('a POST to a page is refused', async () => {
  const response = await visitor.post('/en/docs/quickstart')
  assert.equal(response.code, 'method_not_allowed')
})

test('more requests per minute than RATE_LIMIT_DOCS allows are refused', async () => {
  const reader = new Client(limitedReplica.app)
  const statuses: number[] = []
  for (const path of ['/docs', '/en/docs/qr.md', '/en/docs']) statuses.push((await reader.get(path)).status)
  assert.deepEqual(statuses, [302, 200, 429])
  assert.ok((await reader.get('/llms.txt')).headers['retry-after'])
})

test('llms.txt lists the Markdown URL of every page in both languages', async () => {
  const { text, headers } = await visitor.get('/llms.txt')
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(text, /^# Pazar/)
  const links = [...text.matchAll(/\]\((https:\/\/pay\.shop\.test\/[^)]*)\)/g)].map(([, url]) => url!)
  assert.equal(links.length, SLUGS.length * 2 + 1)
  for (const link of links) assert.equal((await visitor.get(new URL(link).pathname)).status, 200, link)
  for (const word of ['refund', 'events', 'disputes', 'povraćaj', 'događaj', 'spor'])
    assert.match(text.replaceAll(/\(https:[^)]*\)/g, ''), new RegExp(word, 'i'), word)
})

test('for a reader without a session, a page needs no database', async () => {
  const withoutDatabase = await service.replica()
  await withoutDatabase.deps.db.close()
  assert.equal((await new Client(withoutDatabase.app).get('/en/docs/errors')).status, 200)
})

test('the HTML has the theme of the account', async () => {
  const owner = await signUp(service.app)
  await owner.post('/portal/api/account', { theme: 'dark' })
  assert.match((await owner.get('/en/docs')).text, /<html lang="en" data-theme="dark">/)
})
