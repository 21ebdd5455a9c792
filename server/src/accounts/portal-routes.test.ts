// Tests who has access to the account routes, in which order access is checked, and what all responses have in common.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from '../../test/cross-site-matrix.ts'
import { startTestService } from '../../test/harness.ts'
import { createApp } from '../app.ts'

const { app, deps } = await startTestService({ BASE_URL: OWN_ORIGIN })

const OPEN_POSTS = [
  'sign-up',
  'sign-in',
  'password/forgot',
  'password/reset',
  'email/confirm',
  'invitations/view',
]
const SESSION_POSTS = [
  'sign-out',
  'step-up',
  'account',
  'password',
  'email',
  'sessions/revoke',
  'tokens/revoke',
]
const SESSION_GETS = ['session', 'sessions', 'tokens', 'audit']
const toUrl = (name: string) => `/portal/api/${name}`

/** No route accepts this body, so a request that passes the guards changes nothing. */
const REFUSED_BODY = { unexpected: true }

test('other sites cannot post to account routes, but the portal’s own pages can', async () => {
  const owner = await signUp(app)
  for (const name of [...OPEN_POSTS, ...SESSION_POSTS]) {
    for (const { what, headers, passes } of CROSS_SITE_MATRIX) {
      const response = await copyClient(owner).post(toUrl(name), REFUSED_BODY, headers)
      assert.equal(response.code, passes ? 'invalid_request' : 'forbidden_origin', `${name}: ${what}`)
    }
  }
})

test('routes that need no session refuse requests of other sites, even without cookies', async () => {
  for (const name of OPEN_POSTS) {
    const response = await new Client(app).post(toUrl(name), REFUSED_BODY, { origin: 'https://evil.example' })
    assert.equal(response.code, 'forbidden_origin', name)
  }
})

test('without a session, a route that needs a session refuses a request before it checks the origin and the body', async () => {
  const crossSite = { origin: 'https://evil.example' }
  for (const name of SESSION_POSTS) {
    const response = await new Client(app).post(toUrl(name), REFUSED_BODY, crossSite)
    assert.equal(response.status, 401, name)
    assert.equal(response.code, 'unauthenticated')
  }
  for (const name of SESSION_GETS) {
    assert.equal((await new Client(app).get(toUrl(name))).code, 'unauthenticated', name)
  }
})

test('a GET from another site is allowed', async () => {
  const owner = await signUp(app)
  for (const name of SESSION_GETS) {
    const response = await owner.get(toUrl(name), {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
    })
    assert.equal(response.status, 200, name)
    assert.equal(response.headers['access-control-allow-origin'], undefined)
  }
})

test('a GET to a POST route is refused with 405, even if a header and the query name POST', async () => {
  const owner = await signUp(app)
  for (const name of [...OPEN_POSTS, ...SESSION_POSTS]) {
    const headers = { 'x-http-method-override': 'POST' }
    const response = await owner.get(`${toUrl(name)}?_method=POST`, headers)
    assert.equal(response.status, 405, name)
    assert.equal(response.headers['allow'], 'POST')
  }
  assert.equal((await owner.get(toUrl('session'))).status, 200)
})

test('a body that is not JSON or is too large is refused', async () => {
  const owner = await signUp(app)
  for (const name of [...OPEN_POSTS, ...SESSION_POSTS]) {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml']) {
      const response = await copyClient(owner).send('POST', toUrl(name), '{"a":1}', { 'content-type': type })
      assert.equal(response.code, 'unsupported_media_type', `${name}: ${type}`)
    }
    const huge = JSON.stringify({ email: 'x'.repeat(70_000) })
    assert.equal((await copyClient(owner).post(toUrl(name), huge)).code, 'payload_too_large', name)
  }
})

test('a urlencoded form is refused', async () => {
  const owner = await signUp(app)
  const form = new URLSearchParams({ email: owner.email, password: owner.password }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await new Client(app).send('POST', toUrl('sign-in'), form, type)
  assert.equal(response.code, 'unsupported_media_type')
})

test('responses must not be cached', async () => {
  const owner = await signUp(app)
  for (const name of SESSION_GETS) {
    assert.equal((await owner.get(toUrl(name))).headers['cache-control'], 'no-store', name)
  }
  const forgot = await new Client(app).post(toUrl('password/forgot'), { email: owner.email })
  assert.equal(forgot.headers['cache-control'], 'no-store')
  const saved = await owner.post(toUrl('account'), { theme: 'dark' })
  assert.equal(saved.headers['cache-control'], 'no-store')
})

test('no account route is in the public OpenAPI description', async () => {
  const described = Object.keys((app.swagger() as { paths: object }).paths)
  assert.ok(described.length > 0)
  for (const name of [...OPEN_POSTS, ...SESSION_POSTS, ...SESSION_GETS]) {
    assert.ok(!described.includes(toUrl(name)), name)
  }
})

test('the response to an internal error has a code and a request id, and no text of the error', async () => {
  const owner = await signUp(app)
  const verify = () => Promise.reject(new Error('select password_hash from vault'))
  const broken = await createApp({ ...deps, passwords: { ...deps.passwords, verify } })
  for (const [name, body] of [
    ['sign-in', { email: owner.email, password: owner.password }],
    ['step-up', { password: owner.password }],
  ] as const) {
    const response = await copyClient(owner, broken).post(toUrl(name), body)
    assert.equal(response.status, 500)
    assert.equal(response.code, 'internal_error')
    assert.deepEqual(Object.keys(response.json()).toSorted(), [
      'code',
      'detail',
      'requestId',
      'status',
      'title',
      'type',
    ])
    assert.ok(!response.text.includes('vault'))
  }
  await broken.close()
})
