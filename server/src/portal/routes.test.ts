import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { findPageKind } from './pages.ts'

const service = await startTestService()
const visitor = new Client(service.app)

test('a page that needs a session redirects visitors to sign-in, with the URL of the page in `next`', async () => {
  const response = await visitor.get('/cnr/projects/abcdefghijkl/deliveries?mode=test&row=msg_1')
  assert.equal(response.status, 302)
  const next = encodeURIComponent('/cnr/projects/abcdefghijkl/deliveries?mode=test&row=msg_1')
  assert.equal(response.headers['location'], `/cnr/sign-in?next=${next}`)
  assert.equal(response.headers['cache-control'], 'no-store')
})

test('pages that need no session have the language of their URL and a strict content security policy, and are not cached', async () => {
  for (const page of ['sign-in', 'sign-up', 'forgot', 'reset', 'confirm-email']) {
    const response = await visitor.get(`/cnr/${page}`)
    assert.equal(response.status, 200, page)
    assert.match(response.text, /<html lang="sr-Latn-ME">/)
    assert.equal(response.headers['cache-control'], 'no-store')
    const policy = String(response.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(part), part)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.doesNotMatch(response.text, /<script(?![^>]*src=)|<style|\son\w+=|style=/)
  }
})

test('the HTML has the theme of the account, and the data in the HTML contains no secret', async () => {
  const owner = await signUp(service.app)
  await owner.post('/portal/api/account', { theme: 'dark' })
  const { text } = await owner.get('/en/projects')
  assert.match(text, /<html lang="en" data-theme="dark">/)
  assert.ok(text.includes(owner.email))
  assert.doesNotMatch(text, /sk_live|sk_test|session=|SECRETS/)
})

test('for an unknown URL, visitors get the error page of the site, and signed-in people get the error page of the portal', async () => {
  const open = async (client: Client, url: string) => {
    const { status, text } = await client.get(url, { accept: 'text/html' })
    return [status, text.includes('id="portal"')]
  }
  assert.deepEqual(await open(visitor, '/en/no-such-page'), [404, false])
  // Below /projects, visitors also get the portal, which asks them to sign in.
  assert.deepEqual(await open(visitor, '/en/projects/UPPER/keys'), [404, true])
  assert.deepEqual(await open(await signUp(service.app), '/en/no-such-page'), [404, true])
  for (const page of ['projects/../x', 'projects/UPPER', 'projects/abc/nothing', 'account/x', ''])
    assert.equal(findPageKind(page), 'unknown', page)
})

test('files are compressed and may be cached forever, and unknown files are 404', async () => {
  const { text } = await visitor.get('/en/sign-in')
  const script = /src="([^"]+\.js)"/.exec(text)?.[1] ?? ''
  for (const coding of ['br', 'gzip']) {
    const response = await visitor.get(script, { 'accept-encoding': coding })
    assert.equal(response.status, 200)
    assert.equal(response.headers['content-encoding'], coding)
    assert.match(String(response.headers['cache-control']), /immutable/)
  }
  assert.equal((await visitor.get(script)).headers['content-encoding'], undefined)
  for (const name of ['nothing.js', 'manifest.json', '../package.json', '%2e%2e/package.json'])
    assert.equal((await visitor.get(`/portal-assets/${name}`)).status, 404, name)
})
