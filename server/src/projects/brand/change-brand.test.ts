import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import type { Client } from '../../../test/client.ts'
import { signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { LOGO_PNG } from '../../../test/logo-png.ts'
import { Payer } from '../../../test/payer.ts'

const service = await startTestService()
const { app, deps } = service

interface Brand {
  displayName: string | null
  accent: string | null
  supportEmail: string | null
  website: string | null
  logoUrl: string | null
}

const BRAND = {
  displayName: 'Kafana',
  accent: '#D9480F',
  supportEmail: 'pomoc?subject=x@kafana.example.me',
  website: 'https://kafana.example.com/',
}

async function upload(owner: Client, id: string, bytes: Buffer, type = 'image/png', onApp = app) {
  const cookie = [...owner.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await onApp.inject({
    method: 'POST',
    url: `/portal/api/projects/${id}/brand/logo`,
    headers: { cookie, 'content-type': type },
    payload: bytes,
  })
  return { status: response.statusCode, json: response.json<Record<string, unknown>>() }
}

async function openLink(owner: Client, id: string, mode: 'live' | 'test') {
  const link = await owner.post(`/portal/api/projects/${id}/pay-link`, { amount: '1500', mode })
  return new Payer(app).open(link.json<{ url: string }>().url.replace('http://localhost:3000', ''))
}

test('a brand is saved, a change replaces only the fields that it names, and the history shows old and new values', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const saved = await owner.post(`/portal/api/projects/${id}/brand`, BRAND)
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(saved.json<{ brand: Brand }>().brand, { ...BRAND, accent: '#d9480f', logoUrl: null })
  const changed = await owner.post(`/portal/api/projects/${id}/brand`, { displayName: null })
  assert.equal(changed.json<{ brand: Brand }>().brand.displayName, null)
  assert.equal(changed.json<{ brand: Brand }>().brand.accent, '#d9480f')
  const history = await owner.get(`/portal/api/projects/${id}/history`)
  const [latest] = history.json<{ items: { action: string; changes: unknown }[] }>().items
  assert.deepEqual(latest?.action, 'brand_changed')
  assert.deepEqual(latest.changes, { displayName: { from: 'Kafana', to: null } })
})

test('a brand is refused if its colour is too light, its website is not https, or another value is wrong', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const saveAndRead = async (body: object) => {
    const response = await owner.post(`/portal/api/projects/${id}/brand`, body)
    const [error] = response.json<{ errors?: { path: string; code: string }[] }>().errors ?? []
    if (error) assert.equal(error.path, Object.keys(body)[0])
    return [response.status, error?.code]
  }
  assert.deepEqual(await saveAndRead({ accent: '#ffff00' }), [400, 'low_contrast'])
  assert.equal((await saveAndRead({ accent: 'red' }))[0], 400)
  assert.equal((await saveAndRead({ accent: '#fff' }))[0], 400)
  assert.deepEqual(await saveAndRead({ website: 'http://kafana.example.com' }), [422, 'url_scheme'])
  assert.equal((await saveAndRead({ website: 'javascript:alert(1)' }))[0], 422)
  for (const supportEmail of ['nobody', 'hid\u200bden@kafana.example.me'])
    assert.deepEqual(await saveAndRead({ supportEmail }), [400, 'invalid_email'])
  assert.equal((await saveAndRead({ displayName: '\u202Ekafana' }))[0], 400)
  assert.equal((await saveAndRead({ logoUrl: 'https://elsewhere.example.com/x.png' }))[0], 400)
})

test('a logo is served without metadata under the hash of its bytes, and is not found a minute after it was removed', async (t) => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const { status, json } = await upload(owner, id, LOGO_PNG)
  assert.equal(status, 200, JSON.stringify(json))
  const path = new URL(String(json['logoUrl'])).pathname
  const served = await app.inject({ url: path })
  assert.equal(served.statusCode, 200)
  assert.equal(path, `/brand/${createHash('sha256').update(served.rawPayload).digest('hex')}.png`)
  assert.equal(served.headers['content-type'], 'image/png')
  assert.equal(served.headers['x-content-type-options'], 'nosniff')
  assert.match(String(served.headers['cache-control']), /immutable/)
  assert.match(String(served.headers['content-security-policy']), /default-src 'none'/)
  assert.equal(served.rawPayload.includes('where it was made'), false)
  for (const other of [
    path.replace('.png', '.svg'),
    path.replace('.png', '.html'),
    path.replace('.png', '.jpg'),
  ])
    assert.equal((await app.inject({ url: other })).statusCode, 404, other)
  assert.equal((await owner.post(`/portal/api/projects/${id}/brand/logo/remove`, {})).status, 204)
  // The service caches a logo for a minute.
  t.mock.method(deps.clock, 'nowMs', () => Date.now() + 60_000)
  assert.equal((await app.inject({ url: path })).statusCode, 404)
})

test('a logo that is requested several times is read from the database once, and a request above the rate limit is refused', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const { json } = await upload(owner, id, LOGO_PNG)
  const path = new URL(String(json['logoUrl'])).pathname
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_PAY_GET: '3' })
  const countBefore = limited.deps.db.statementCount()
  for (let times = 0; times < 3; times += 1)
    assert.equal((await limited.app.inject({ url: path })).statusCode, 200)
  assert.equal(limited.deps.db.statementCount() - countBefore, 1)
  const refused = await limited.app.inject({ url: path })
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('a logo that is sent with a type other than PNG, JPEG or WebP is refused with 415, a large one with 413, and an invalid one with 400', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const [bytes, type] of [
    [svg, 'image/svg+xml'],
    [Buffer.from('{}'), 'application/json'],
  ] as const) {
    const refused = await upload(owner, id, bytes, type)
    assert.deepEqual([refused.status, refused.json['code']], [415, 'unsupported_media_type'], type)
    assert.equal(refused.json['detail'], 'Choose a PNG, JPEG or WebP picture.')
  }
  assert.equal((await upload(owner, id, Buffer.alloc(100 * 1024 + 1))).status, 413)
  const broken = await upload(owner, id, svg)
  assert.deepEqual([broken.status, broken.json['code']], [400, 'invalid_request'])
  assert.equal((await upload(owner, id, LOGO_PNG, 'image/webp')).status, 400)
  assert.equal((await upload(owner, id, Buffer.alloc(0))).status, 400)
})

test('uploads of logos are limited per account', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_LOGO: '1' })
  const [owner, other] = [await signUp(app), await signUp(app)]
  const { id } = await owner.addProject()
  const statuses = []
  for (const client of [owner, owner, other])
    statuses.push((await upload(client, id, Buffer.from('no picture'), 'image/png', limited.app)).status)
  assert.deepEqual(statuses, [400, 429, 404])
})

test('a person without access to a project cannot change its brand or its logo', async () => {
  const owner = await signUp(app)
  const stranger = await signUp(app)
  const { id } = await owner.addProject()
  assert.equal((await stranger.post(`/portal/api/projects/${id}/brand`, BRAND)).status, 404)
  assert.equal((await upload(stranger, id, LOGO_PNG)).status, 404)
  assert.equal((await stranger.post(`/portal/api/projects/${id}/brand/logo/remove`, {})).status, 404)
})

test('test pay pages show the brand; live pay pages show the brand once the owner is verified', async () => {
  const owner = await signUp(app)
  const { id, name } = await owner.addProject()
  await owner.post(`/portal/api/projects/${id}/brand`, BRAND)
  const { json } = await upload(owner, id, LOGO_PNG)
  const logo = new URL(String(json['logoUrl'])).pathname
  const shown = await openLink(owner, id, 'test')
  const isBranded = (page: typeof shown) => page.text.includes(logo) && page.text.includes('Kafana')
  assert.ok(isBranded(shown))
  assert.ok(shown.text.includes(String(name)))
  assert.match(shown.text, /--accent:#d9480f/)
  assert.match(shown.text, /href="mailto:pomoc%3Fsubject%3Dx@kafana\.example\.me"/)
  assert.match(String(shown.headers['content-security-policy']), /style-src 'sha256-[^']+' 'sha256-[^']+'/)
  assert.equal(isBranded(await openLink(owner, id, 'live')), false)
  await rows(deps.db, 'update accounts set kyc_verified_at = now() where email_key = $1', [owner.email])
  assert.ok(isBranded(await openLink(owner, id, 'live')))
})
