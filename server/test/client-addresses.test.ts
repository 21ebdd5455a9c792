import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, signUp } from './client.ts'
import { startTestService } from './harness.ts'

test('behind a proxy, clients are distinguished only by the address that the proxy adds', async () => {
  const service = await startTestService({ TRUST_PROXY: '1', RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN: '3' })
  const trySignIn = (forwarded: string) => {
    const client = new Client(service.app)
    return client.post(
      '/portal/api/sign-in',
      { email: 'x@example.com', password: 'wrong' },
      { 'x-forwarded-for': forwarded },
    )
  }
  for (let n = 0; n < 3; n += 1)
    assert.notEqual((await trySignIn(`10.9.8.${n}, 203.0.113.7`)).code, 'rate_limited')
  assert.equal((await trySignIn('1.1.1.1, 203.0.113.7:5555')).code, 'rate_limited')
  assert.notEqual((await trySignIn('203.0.113.8')).code, 'rate_limited')
  for (let n = 0; n < 3; n += 1) await trySignIn(`garbage-${n}`)
  assert.equal((await trySignIn('garbage-9')).code, 'rate_limited')
})

test('without a trusted proxy, a hundred forged addresses do not evade the rate limit', async () => {
  const service = await startTestService({ RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN: '3' })
  const client = new Client(service.app)
  let refused = 0
  for (let n = 0; n < 100; n += 1) {
    const headers = { 'x-forwarded-for': `1.1.1.${n}` }
    const response = await client.post(
      '/portal/api/sign-in',
      { email: 'y@example.com', password: 'wrong' },
      headers,
    )
    if (response.code === 'rate_limited') refused += 1
  }
  assert.equal(refused, 97)
})

test('a user who is locked out sees why and for how long', async () => {
  const service = await startTestService()
  const owner = await signUp(service.app)
  const stranger = new Client(service.app)
  const guess = { email: owner.email, password: 'wrong' }
  for (let n = 0; n < 5; n += 1) await stranger.post('/portal/api/sign-in', guess)
  const page = await stranger.post('/portal/api/sign-in', guess, { accept: 'text/html' })
  assert.equal(page.status, 429)
  assert.match(page.text, /Too many attempts/)
  assert.match(page.text, /Try again in 1\d min/)
})
