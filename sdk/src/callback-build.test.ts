import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { Webhook } from 'standardwebhooks'
import { LIVE_SECRET, NOW_SEC, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { buildCallback, signCallback } from './callback-build.ts'
import type { CallbackFacts } from './callback-build.ts'
import { signTestCallback } from './callback-sample.ts'
import { verifyCallback } from './callback-verify.ts'
import { signJwt } from './jwt.ts'
import { SecretError } from './secret.ts'
import type { JsonObject } from './strict-json.ts'

const facts: CallbackFacts = {
  status: 'success',
  projectId: PROJECT_ID,
  transactionId: '0190a1b2-0000-7000-8000-000000000001',
  amount: '1500',
  currency: 'EUR',
  customId: 'order-7',
  data: 'Narudžba 7',
  mode: 'live',
  createdAt: '2026-09-21T14:13:20.000Z',
}
const options = { secret: LIVE_SECRET, id: 'msg_0190a1b2', iatSec: NOW_SEC }

function buildBody(bodyFacts: CallbackFacts): { hash: string } & Record<string, unknown> {
  return JSON.parse(buildCallback(bodyFacts, options).body) as { hash: string }
}

test('the body has the fields of the contract, in the order of the contract', () => {
  const { body } = buildCallback(facts, options)
  const { hash } = JSON.parse(body) as { hash: string }
  assert.equal(
    body,
    `{"event":"payment.result","status":"success","successful":true,"projectId":"${PROJECT_ID}",` +
      '"transactionId":"0190a1b2-0000-7000-8000-000000000001","amount":"1500","currency":"EUR",' +
      `"customId":"order-7","data":"Narudžba 7","mode":"live","createdAt":"2026-09-21T14:13:20.000Z","hash":"${hash}"}`,
  )
})

test('the hash is an HS256 JWT of every other field plus iat and jti, without exp', async () => {
  const { hash, ...rest } = buildBody(facts)
  const { payload, protectedHeader } = await jwtVerify(hash, Buffer.from(LIVE_SECRET))
  assert.deepEqual(payload, { ...rest, iat: NOW_SEC, jti: 'msg_0190a1b2' })
  assert.deepEqual(protectedHeader, { alg: 'HS256', typ: 'JWT' })
  assert.deepEqual(jsonwebtoken.verify(hash, LIVE_SECRET, { algorithms: ['HS256'] }), payload)
})

test('body and hash are well-formed even if data and customId have unusual characters', () => {
  for (const data of ['"', '\\', '\u2028 \ud83d\ude00', '\ud800', '\u0000', '}', ',"hash":"x"}']) {
    const { body, hash } = buildCallback({ ...facts, data, customId: data }, options)
    const { hash: _hash, ...fields } = JSON.parse(body) as { hash: string } & JsonObject
    assert.equal(body, JSON.stringify({ ...fields, hash }))
    assert.equal(hash, signJwt({ ...fields, iat: NOW_SEC, jti: options.id }, LIVE_SECRET))
  }
})

test('customId and data are absent from body and hash if the payment had none', () => {
  for (const none of [undefined, null, '']) {
    const { hash, ...rest } = buildBody({ ...facts, customId: none, data: none })
    assert.ok(!('customId' in rest) && !('data' in rest))
    const claims = jsonwebtoken.decode(hash, { json: true })
    assert.ok(claims !== null && !('customId' in claims) && !('data' in claims))
  }
})

test('the body of a failure has its failureCode, and the body of a success has none', () => {
  const failed = buildBody({ ...facts, status: 'fail', failureCode: 'declined' })
  assert.deepEqual(
    [failed['status'], failed['successful'], failed['failureCode']],
    ['fail', false, 'declined'],
  )
  assert.ok(!('failureCode' in buildBody({ ...facts, failureCode: 'declined' })))
})

test('the official library of Standard Webhooks accepts the body and headers of signCallback', () => {
  const nowSec = Math.floor(Date.now() / 1000)
  const { body, headers } = signCallback(facts, { secret: LIVE_SECRET, id: 'msg_1', nowSec })
  assert.deepEqual(new Webhook(LIVE_SECRET, { format: 'raw' }).verify(body, headers), JSON.parse(body))
  assert.equal(headers['webhook-id'], 'msg_1')
  assert.equal(headers['webhook-timestamp'], String(nowSec))
  assert.equal(body, buildCallback(facts, { secret: LIVE_SECRET, id: 'msg_1', iatSec: nowSec }).body)
})

test('a retry after a rotation has the same id and is signed with the new secret', async () => {
  const id = 'msg_retry'
  const firstAttempt = signCallback(facts, { secret: LIVE_SECRET, id, nowSec: NOW_SEC })
  const newSecret = LIVE_SECRET.replace('GFED', 'NEWS')
  const retry = signCallback(facts, { secret: newSecret, id, nowSec: NOW_SEC + 5 })
  assert.equal(retry.headers['webhook-id'], firstAttempt.headers['webhook-id'])
  const verifyOptions = { secret: newSecret, expectedAmount: '1500', nowSec: NOW_SEC + 5 }
  assert.equal((await verifyCallback(retry.body, retry.headers, verifyOptions)).customId, 'order-7')
  await assert.rejects(verifyCallback(firstAttempt.body, firstAttempt.headers, verifyOptions), {
    reason: 'bad_signature',
  })
})

test("buildCallback refuses the other mode's secret and a short secret", () => {
  assert.throws(() => buildCallback(facts, { ...options, secret: TEST_SECRET }), SecretError)
  assert.throws(() => buildCallback({ ...facts, mode: 'test' }, options), SecretError)
  assert.throws(() => buildCallback(facts, { ...options, secret: 'short' }), SecretError)
})

test('signTestCallback needs only a secret; the prefix sets the mode, and without a prefix the mode is "test"', async () => {
  for (const [secret, mode] of [
    [TEST_SECRET, 'test'],
    [LIVE_SECRET, 'live'],
    ['x'.repeat(40), 'test'],
  ] as const) {
    const { body, headers } = signTestCallback({ secret })
    const callback = await verifyCallback(body, headers, { secret, expectedAmount: '1500', mode })
    assert.equal(callback.mode, mode)
    assert.match(
      callback.transactionId,
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    assert.match(headers['webhook-id'], /^msg_[0-9a-f]{32}$/)
  }
})

test('signTestCallback uses the fields, the id and the time of its caller', async () => {
  const testOptions = {
    secret: TEST_SECRET,
    id: 'msg_7',
    nowSec: NOW_SEC,
    amount: '5',
    customId: 'c',
    status: 'fail',
  } as const
  const { body, headers } = signTestCallback(testOptions)
  const callback = await verifyCallback(body, headers, { ...testOptions, expectedAmount: '5' })
  assert.deepEqual([callback.status, callback.customId, callback.amount], ['fail', 'c', '5'])
  assert.equal(callback.successful ? null : callback.failureCode, 'declined')
  assert.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], ['msg_7', String(NOW_SEC)])
})
