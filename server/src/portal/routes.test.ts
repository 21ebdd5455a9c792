// The portal's pages as the service sends them: who gets which, under which policy, and in how many bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { pageKind } from './pages.ts'

const service = await startTestService()
const stranger = new Client(service.app)

test('a page behind the session leads a stranger to sign-in and remembers where to', async () => {
  const answer = await stranger.get('/cnr/projects/abcdefghijkl/deliveries?mode=test&row=msg_1')
  assert.equal(answer.status, 302)
  const next = encodeURIComponent('/cnr/projects/abcdefghijkl/deliveries?mode=test&row=msg_1')
  assert.equal(answer.headers['location'], `/cnr/sign-in?next=${next}`)
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('the bare address leads to the language’s sign-in or projects', async () => {
  const headers = { 'accept-language': 'hr' }
  assert.equal((await stranger.get('/', headers)).headers['location'], '/cnr/sign-in')
  assert.equal((await stranger.get('/')).headers['location'], '/en/sign-in')
  const owner = await signUp(service.app)
  assert.equal((await owner.get('/')).headers['location'], '/en/projects')
  for (const start of ['/en', '/en/'])
    assert.equal((await stranger.get(start)).headers['location'], '/en/projects')
})

test('every open page comes without a session, in its language, uncached and under a strict policy', async () => {
  for (const page of ['sign-in', 'sign-up', 'forgot', 'reset', 'confirm-email']) {
    const answer = await stranger.get(`/cnr/${page}`)
    assert.equal(answer.status, 200, page)
    assert.match(answer.text, /<html lang="sr-Latn-ME">/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const policy = String(answer.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(part), part)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.doesNotMatch(answer.text, /<script(?![^>]*src=)|<style|\son\w+=|style=/)
  }
})

test('an account’s theme is in the page from its first byte, and its facts hold nothing secret', async () => {
  const owner = await signUp(service.app)
  await owner.post('/portal/api/account', { theme: 'dark' })
  const { text } = await owner.get('/en/projects')
  assert.match(text, /<html lang="en" data-theme="dark">/)
  assert.ok(text.includes(owner.email))
  assert.doesNotMatch(text, /sk_live|sk_test|session=|SECRETS/)
})

test('an address that is no page is 404 in the portal’s own look', async () => {
  const answer = await stranger.get('/en/no-such-page', { accept: 'text/html' })
  assert.equal(answer.status, 404)
  assert.match(answer.text, /id="portal"/)
  for (const page of ['projects/../x', 'projects/UPPER', 'projects/abc/nothing', 'account/x', ''])
    assert.equal(pageKind(page), 'unknown', page)
})

test('files are packed, kept for ever, and unknown ones are 404', async () => {
  const { text } = await stranger.get('/en/sign-in')
  const script = /src="([^"]+\.js)"/.exec(text)?.[1] ?? ''
  for (const coding of ['br', 'gzip']) {
    const answer = await stranger.get(script, { 'accept-encoding': coding })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-encoding'], coding)
    assert.match(String(answer.headers['cache-control']), /immutable/)
  }
  assert.equal((await stranger.get(script)).headers['content-encoding'], undefined)
  for (const name of ['nothing.js', 'manifest.json', '../package.json', '%2e%2e/package.json'])
    assert.equal((await stranger.get(`/portal-assets/${name}`)).status, 404, name)
})
