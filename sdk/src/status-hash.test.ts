import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { SignJWT } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { countRounds } from '../../server/test/counts.ts'
import { forgeToken, LIVE_SECRET, NOW_SEC, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { signTestCallback } from './callback-sample.ts'
import { signJwt } from './jwt.ts'
import { signPayLink } from './pay-link.ts'
import { SecretError } from './secret.ts'
import { signStatusHash, verifyStatusHash } from './status-hash.ts'
import type { StatusQuestion } from './status-hash.ts'
import { signWebhook } from './webhook.ts'

const question = { projectId: PROJECT_ID, customId: 'order-7' }

function isAccepted(token: string, body: StatusQuestion = question, secret = LIVE_SECRET): boolean {
  return verifyStatusHash(token, body, secret, NOW_SEC)
}
function forgeHash(payload: object): string {
  return forgeToken({ alg: 'HS256', typ: 'JWT' }, JSON.stringify(payload), LIVE_SECRET)
}

test('the payload contains projectId, customId and, if given, amount, and nothing else', () => {
  assert.deepEqual(jsonwebtoken.verify(signStatusHash(question, LIVE_SECRET), LIVE_SECRET), question)
  const questionWithAmount = { ...question, amount: '1500' }
  assert.deepEqual(
    jsonwebtoken.verify(signStatusHash(questionWithAmount, LIVE_SECRET), LIVE_SECRET),
    questionWithAmount,
  )
  assert.equal(isAccepted(signStatusHash(question, LIVE_SECRET)), true)
  assert.equal(isAccepted(signStatusHash(questionWithAmount, LIVE_SECRET), questionWithAmount), true)
})

test('a hash made with jose or jsonwebtoken is accepted, even with the claims that these libraries can add', async () => {
  const key = new TextEncoder().encode(LIVE_SECRET)
  const signer = new SignJWT(question).setProtectedHeader({ alg: 'HS256' })
  const everyClaim = signer.setIssuer('shop').setSubject('s').setAudience(['pay']).setJti('1')
  everyClaim
    .setIssuedAt(NOW_SEC)
    .setNotBefore(NOW_SEC)
    .setExpirationTime(NOW_SEC + 60)
  assert.equal(isAccepted(await everyClaim.sign(key)), true)
  assert.equal(isAccepted(jsonwebtoken.sign(question, LIVE_SECRET)), true)
})

test("a hash is refused if its project or customId differs from the body's", () => {
  const token = signStatusHash(question, LIVE_SECRET)
  assert.equal(isAccepted(token, { ...question, customId: 'order-8' }), false)
  assert.equal(isAccepted(token, { ...question, projectId: 'tz4a98xxat96iws9zmbrgj3b' }), false)
  assert.equal(isAccepted(token, { ...question, customId: 'ORDER-7' }), false)
  assert.equal(isAccepted(forgeHash({ projectId: 'order-7', customId: PROJECT_ID })), false)
})

test('a request is refused if only its body or only its hash has an amount, or if the amounts differ or are invalid', () => {
  const questionWithAmount = { ...question, amount: '1500' }
  assert.equal(isAccepted(signStatusHash(question, LIVE_SECRET), questionWithAmount), false)
  assert.equal(isAccepted(signStatusHash(questionWithAmount, LIVE_SECRET), question), false)
  assert.equal(
    isAccepted(signStatusHash(questionWithAmount, LIVE_SECRET), { ...question, amount: '1501' }),
    false,
  )
  assert.equal(isAccepted(forgeHash({ ...question, amount: 1500 }), questionWithAmount), true)
  for (const amount of [
    1500.5,
    '1500.0',
    '01500',
    ' 1500',
    ['1500'],
    { v: '1500' },
    true,
    null,
    '',
    0,
    1e21,
  ]) {
    assert.equal(
      isAccepted(forgeHash({ ...question, amount }), questionWithAmount),
      false,
      JSON.stringify(amount),
    )
    assert.equal(isAccepted(forgeHash({ ...question, amount }), question), false, JSON.stringify(amount))
  }
  assert.equal(
    isAccepted(forgeHash({ ...question, amount: '01500' }), { ...question, amount: '01500' }),
    false,
  )
})

test('a payload with more or fewer fields than the request, or with a customId that is not text, is refused', () => {
  for (const extra of [
    { data: 'x' },
    { event: 'payment.result' },
    { mode: 'live' },
    { project: PROJECT_ID },
  ]) {
    assert.equal(isAccepted(forgeHash({ ...question, ...extra })), false, JSON.stringify(extra))
  }
  for (const payload of [{}, { projectId: PROJECT_ID }, { customId: 'order-7' }, { question }, [question]]) {
    assert.equal(isAccepted(forgeHash(payload)), false, JSON.stringify(payload))
  }
  for (const customId of [['order-7'], { toString: 'order-7' }, 7, null, true]) {
    assert.equal(isAccepted(forgeHash({ ...question, customId })), false, JSON.stringify(customId))
  }
})

test('a body without a required field does not match a hash without that field', () => {
  assert.equal(
    isAccepted(forgeHash({ projectId: PROJECT_ID }), { projectId: PROJECT_ID } as StatusQuestion),
    false,
  )
  assert.equal(isAccepted(forgeHash({}), {} as StatusQuestion), false)
})

test('a hash that has expired, is not valid yet or has invalid times is refused', () => {
  assert.equal(isAccepted(forgeHash({ ...question, exp: NOW_SEC - 61 })), false)
  assert.equal(isAccepted(forgeHash({ ...question, nbf: NOW_SEC + 61 })), false)
  assert.equal(isAccepted(forgeHash({ ...question, exp: String(NOW_SEC + 999) })), false)
  assert.equal(isAccepted(forgeHash(question)), true)
})

test('tokens made for other purposes with the same secret are refused', () => {
  const callback = signTestCallback({ secret: LIVE_SECRET, customId: 'order-7', nowSec: NOW_SEC })
  const { hash, ...facts } = JSON.parse(callback.body) as { hash: string; amount: string }
  const sig = signPayLink({ amount: '1500', project: PROJECT_ID, customId: 'order-7' }, LIVE_SECRET)
  const headers = signWebhook({ id: 'msg_1', timestampSec: NOW_SEC, body: '{}', secret: LIVE_SECRET })
  const otherTokens = [
    hash,
    sig,
    headers['webhook-signature'],
    `${hash.split('.', 2).join('.')}.${sig}`,
    callback.body,
  ]
  otherTokens.push(
    signJwt({ ...facts }, LIVE_SECRET),
    signJwt({ sub: PROJECT_ID, jti: 'order-7' }, LIVE_SECRET),
  )
  for (const token of otherTokens) {
    assert.equal(isAccepted(token), false, token)
    assert.equal(isAccepted(token, { ...question, amount: facts.amount }), false, token)
  }
})

test('a hash is refused with the secret of the other mode', () => {
  assert.equal(isAccepted(signStatusHash(question, TEST_SECRET)), false)
  assert.equal(isAccepted(signStatusHash(question, LIVE_SECRET), question, TEST_SECRET), false)
})

test('a hash over 4 KiB is refused although it is valid', () => {
  const longPayload = { ...question, jti: 'x'.repeat(4000) }
  assert.equal(isAccepted(forgeHash(longPayload)), false)
  assert.equal(isAccepted(forgeHash({ ...question, jti: 'x'.repeat(1000) })), true)
})

test('an empty secret is refused', () => {
  assert.throws(() => signStatusHash(question, ''), SecretError)
  assert.throws(() => verifyStatusHash('x', question, '', NOW_SEC), SecretError)
})

test('a hash is accepted only for its own request', (t) => {
  const word = fc.constantFrom('a', 'b', 'ab', '1', '11', '-')
  const amount = fc.constantFrom(undefined, '1', '11')
  const anyQuestion = fc.record({ projectId: word, customId: word, amount })
  let matches = 0
  fc.assert(
    fc.property(anyQuestion, anyQuestion, (requested, signed) => {
      const isSame = JSON.stringify(requested) === JSON.stringify(signed)
      matches += isSame ? 1 : 0
      assert.equal(isAccepted(signStatusHash(signed, LIVE_SECRET), requested), isSame)
    }),
    { numRuns: countRounds('forgeries', t) },
  )
  assert.ok(matches > 0)
})
