import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, PayLinkError, SecretError, verifyPayLinkSig } from './index.ts'
import type { ClientOptions } from './index.ts'
import { TEST_SECRET } from '../test/forge.ts'

const LIVE_SECRET = TEST_SECRET.replace('sk_test_', 'sk_live_')
const PROJECT = 'tz4a98xxat96iws9zmbrgj3a'
const SETTINGS = { projectId: PROJECT, secret: TEST_SECRET, baseUrl: 'https://pay.example.me' }

test('a pay link is signed in the mode of the secret, without a request', () => {
  const fetch = () => assert.fail('a request was sent')
  for (const [secret, mode] of [
    [TEST_SECRET, 'test'],
    [LIVE_SECRET, 'live'],
  ] as const) {
    const pazar = new Client({ ...SETTINGS, secret, fetch })
    const url = new URL(
      pazar.payUrl({ amount: '1500', data: 'Narudžba 7', customId: 'order-7', exp: 1_900_000_000 }),
    )
    assert.equal(url.origin + url.pathname, 'https://pay.example.me/pay')
    assert.equal(url.searchParams.get('mode'), mode === 'test' ? 'test' : null)
    const link = {
      amount: '1500',
      project: PROJECT,
      data: 'Narudžba 7',
      customId: 'order-7',
      exp: 1_900_000_000,
      mode,
    }
    assert.ok(verifyPayLinkSig(link, url.searchParams.get('sig') ?? '', secret))
    assert.equal(pazar.mode, mode)
  }
})

test('a client whose secret has no prefix creates live links, unless its mode is "test"', () => {
  const secret = 'an old secret that has no prefix at all'
  assert.equal(new Client({ ...SETTINGS, secret }).mode, 'live')
  assert.match(new Client({ ...SETTINGS, secret, mode: 'test' }).payUrl({ amount: '1' }), /&mode=test&sig=/)
})

test('a client in live mode refuses a test secret, and a client in test mode refuses a live secret', () => {
  assert.throws(
    () => new Client({ ...SETTINGS, mode: 'live' }),
    (error: SecretError) =>
      error.code === 'invalid_secret' &&
      /live call and the secret given is a test secret/.test(error.message),
  )
  assert.throws(() => new Client({ ...SETTINGS, secret: LIVE_SECRET, mode: 'test' }), SecretError)
})

test('wrong settings throw when the client is created', () => {
  const invalidSettings: [Partial<ClientOptions>, typeof SecretError | typeof PayLinkError][] = [
    [{ secret: 'sk_test_short' }, SecretError],
    [{ secret: '' }, SecretError],
    [{ projectId: 'Not An Id' }, PayLinkError],
    [{ baseUrl: 'pay.example.me' }, PayLinkError],
    [{ baseUrl: 'https://pay.example.me/?a=b' }, PayLinkError],
    [{ baseUrl: 'https://user:pass@pay.example.me' }, PayLinkError],
    [{ baseUrl: 'https://user@pay.example.me/eu' }, PayLinkError],
  ]
  for (const [change, errorClass] of invalidSettings)
    assert.throws(() => new Client({ ...SETTINGS, ...change }), errorClass)
  for (const timeoutMs of [NaN, -1, 0, 1.5, Infinity, 2 ** 31, 'x', '5000', null]) {
    const make = () => Reflect.construct(Client, [{ ...SETTINGS, timeoutMs }])
    assert.throws(make, { name: 'TypeError', message: /^timeoutMs must be/ }, String(timeoutMs))
  }
  assert.doesNotThrow(() => new Client({ ...SETTINGS, baseUrl: 'https://pay.example.me/@eu', timeoutMs: 1 }))
  for (const name of ['secret', 'projectId', 'baseUrl']) {
    assert.throws(() => Reflect.construct(Client, [{ ...SETTINGS, [name]: undefined }]), name)
  }
})
