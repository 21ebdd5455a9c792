import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareServer } from '../../test/bare-server.ts'
import type { Http } from './server.ts'
import { registerTestRoutes } from '../../test/http-routes.ts'

const HTTPS = { BASE_URL: 'https://pay.example.me' }

const { app } = await startBareServer({ SUPPORT_URL: 'https://help.example.me' }, registerTestRoutes)
const https = (await startBareServer(HTTPS, registerTestRoutes)).app

test('a query is decoded exactly: + is a space, a repeated name keeps all values, invalid text is refused', async () => {
  assert.deepEqual((await app.inject('/query?a=1+2%2B3&b&&c=')).json(), {
    a: ['1 2+3'],
    names: ['a', 'b', 'c'],
  })
  assert.deepEqual((await app.inject('/query?a=1&a=2')).json().a, ['1', '2'])
  for (const [query, code] of [
    ['a=%ff', 'malformed_encoding'],
    ['a=%', 'malformed_encoding'],
    ['%E0=1', 'malformed_encoding'],
    ['a=%00', 'invalid_text'],
    ['a%00=1', 'invalid_text'],
  ] as const) {
    const response = await app.inject(`/query?${query}`)
    assert.deepEqual([response.statusCode, response.json().errors[0].code], [400, code], query)
  }
})

test('a POST without a body has {} as its body, and a body of an unknown type is refused', async () => {
  assert.deepEqual((await app.inject({ method: 'POST', url: '/body' })).json(), { body: {} })
  const headers = { 'content-type': 'text/plain', 'content-length': '0' }
  assert.deepEqual((await app.inject({ method: 'POST', url: '/body', headers })).json(), { body: {} })
  const text = await app.inject({
    method: 'POST',
    url: '/body',
    headers: { 'content-type': 'text/plain' },
    payload: 'x',
  })
  assert.equal(text.statusCode, 415)
})

test('a form is decoded as strictly as a query', async () => {
  const post = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/body',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })
  assert.deepEqual((await post('a=1+2&b=%C5%BE')).json(), { body: { a: '1 2', b: 'ž' } })
  for (const payload of ['a=%ff', 'a=%00']) assert.equal((await post(payload)).statusCode, 400, payload)
})

test('a POST from another site is refused if it has a session cookie, or if the route always checks the origin', async () => {
  const post = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url, headers })).statusCode
  const evil = { origin: 'https://evil.example' }
  assert.equal(await post('/body', evil), 200)
  assert.equal(await post('/body', { ...evil, cookie: 'session=x' }), 403)
  assert.equal(await post('/body', { origin: 'http://localhost:3000', cookie: 'session=x' }), 200)
  assert.equal(await post('/guarded', evil), 403)
  assert.equal(await post('/guarded', {}), 200)
})

test('a session cookie is HttpOnly and over https has the __Host- prefix; a request with two session cookies is refused', async () => {
  const cookiesOf = async (at: Http) => [(await at.inject('/cookie')).headers['set-cookie']].flat()
  assert.deepEqual(await cookiesOf(https), [
    '__Host-session=v; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-step-up=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
  ])
  assert.equal((await cookiesOf(app))[0], 'session=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
  const read = async (cookie: string) =>
    (await app.inject({ url: '/cookie', headers: { cookie } })).statusCode
  assert.deepEqual([await read('session=a'), await read('session=a; session=b')], [200, 400])
})

test('the first problem of each field is reported with one of our own codes, and the message contains the limit of the field', async () => {
  const errorsOf = async (payload: object) =>
    ((await app.inject({ method: 'POST', url: '/fields', payload })).json().errors ?? []).map(
      (one: { path: string; code: string; message: string }) => `${one.path}: ${one.code}`,
    )
  for (const [payload, errors] of [
    [{ name: '' }, ['name: required']],
    [{ long: 'abc' }, ['long: too_short']],
    [{ long: 'abcdefghi' }, ['long: too_long']],
    [{ count: 0 }, ['count: out_of_range']],
    [{ count: 10 ** 300 }, ['count: out_of_range']],
    [{ count: '1' }, ['count: wrong_type']],
    [{ kind: 'c' }, ['kind: not_one_of']],
    [{ other: 1, name: 'x' }, ['other: unknown_field']],
  ] as const)
    assert.deepEqual(await errorsOf(payload), errors, JSON.stringify(payload))
  const { errors } = (
    await app.inject({ method: 'POST', url: '/fields', payload: { count: 10 ** 300 } })
  ).json()
  assert.match(errors[0].message, /\b9\b/)
})
