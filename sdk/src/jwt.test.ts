import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { jwtVerify, SignJWT } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { forgeToken, NOW_SEC, TEST_SECRET } from '../test/forge.ts'
import { signJwt, verifyJwt } from './jwt.ts'
import { SecretError } from './secret.ts'

const key = new TextEncoder().encode(TEST_SECRET)
const verifyOptions = { nowSec: NOW_SEC }
// jsonwebtoken fails if a claim is named like a property of Object.prototype.
const claims = fc.dictionary(
  fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((name) => !/^(exp|nbf|iat|aud|iss|sub|jti)$/.test(name) && !(name in {})),
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.integer(), fc.constant(null)),
  { noNullPrototype: true },
)

test('a token is identical to one signed with openssl', () => {
  // Computed by openssl: printf '%s' "<header>.<payload>" | openssl dgst -sha256 -hmac "$secret" -binary | basenc --base64url
  assert.equal(
    signJwt({ projectId: 'p', customId: 'c' }, TEST_SECRET),
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwcm9qZWN0SWQiOiJwIiwiY3VzdG9tSWQiOiJjIn0.vs51oOqzytOYA5jyiCLm21fZOV3v5gYW-DME9SNp6GU',
  )
})

test('jose and jsonwebtoken accept our tokens, with the same payload', async () => {
  await fc.assert(
    fc.asyncProperty(claims, async (payload) => {
      const token = signJwt(payload, TEST_SECRET)
      const theirs = await jwtVerify(token, key, { algorithms: ['HS256'], typ: 'JWT' })
      assert.deepEqual(theirs.payload, payload)
      assert.deepEqual(jsonwebtoken.verify(token, TEST_SECRET, { algorithms: ['HS256'] }), payload)
    }),
    { numRuns: 200 },
  )
})

test('we accept tokens of jose and jsonwebtoken, with the same payload', async () => {
  await fc.assert(
    fc.asyncProperty(claims, async (payload) => {
      const expected = { ok: true, payload }
      const withoutTyp = await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(key)
      assert.deepEqual(verifyJwt(withoutTyp, TEST_SECRET, verifyOptions), expected)
      const withTyp = jsonwebtoken.sign(payload, TEST_SECRET, { algorithm: 'HS256', noTimestamp: true })
      assert.deepEqual(verifyJwt(withTyp, TEST_SECRET, verifyOptions), expected)
      const header = { alg: 'HS256', typ: 'jwt' } as const
      const withLowerCaseTyp = jsonwebtoken.sign(payload, TEST_SECRET, { header, noTimestamp: true })
      assert.deepEqual(verifyJwt(withLowerCaseTyp, TEST_SECRET, verifyOptions), expected)
    }),
    { numRuns: 200 },
  )
})

test('a non-ASCII secret is used as its UTF-8 bytes, as in jose', async () => {
  const secret = 'tajna-šđčćž-'.repeat(4)
  const token = signJwt({ a: 1 }, secret)
  await jwtVerify(token, new TextEncoder().encode(secret))
  assert.equal(verifyJwt(token, secret, verifyOptions).ok, true)
})

test('a key under 32 bytes, an empty key or no key is refused for signing and for verifying', () => {
  const token = signJwt({ a: 1 }, TEST_SECRET)
  for (const secret of ['', 'short', 'x'.repeat(31), 'ž'.repeat(15), undefined, null, 5]) {
    assert.throws(() => signJwt({ a: 1 }, secret as string), SecretError)
    assert.throws(() => verifyJwt(token, secret as string, verifyOptions), SecretError)
  }
  assert.equal(verifyJwt(signJwt({}, 'x'.repeat(32)), 'x'.repeat(32), verifyOptions).ok, true)
  assert.equal(verifyJwt(signJwt({}, 'ž'.repeat(16)), 'ž'.repeat(16), verifyOptions).ok, true)
})

const times: [claims: string, outcome: string][] = [
  [`{"exp":${NOW_SEC + 1}}`, 'ok'],
  [`{"exp":${NOW_SEC - 59}}`, 'ok'],
  [`{"exp":${NOW_SEC - 60}}`, 'expired'],
  [`{"exp":${NOW_SEC - 59.5}}`, 'ok'],
  ['{"exp":0}', 'expired'],
  ['{"exp":-1}', 'expired'],
  [`{"exp":"${NOW_SEC + 999}"}`, 'bad_claims'],
  ['{"exp":1e400}', 'bad_claims'],
  ['{"exp":-1e400}', 'bad_claims'],
  ['{"exp":null}', 'bad_claims'],
  ['{"exp":true}', 'bad_claims'],
  [`{"exp":[${NOW_SEC + 999}]}`, 'bad_claims'],
  ['{"exp":{}}', 'bad_claims'],
  [`{"nbf":${NOW_SEC + 60}}`, 'ok'],
  [`{"nbf":${NOW_SEC + 61}}`, 'not_yet_valid'],
  ['{"nbf":"0"}', 'bad_claims'],
  ['{"nbf":1e400}', 'bad_claims'],
  ['{"nbf":null}', 'bad_claims'],
  [`{"iat":${NOW_SEC + 3600}}`, 'ok'],
  ['{"iat":"now"}', 'bad_claims'],
  ['{}', 'ok'],
]
for (const [payload, outcome] of times) {
  test(`with the clock at ${NOW_SEC} the payload ${payload} is ${outcome}`, () => {
    const result = verifyJwt(forgeToken({ alg: 'HS256' }, payload, TEST_SECRET), TEST_SECRET, verifyOptions)
    assert.equal(result.ok ? 'ok' : result.reason, outcome)
  })
}

test('if the clock is not a number, a token with a time limit is never valid', () => {
  for (const payload of [{ exp: NOW_SEC + 999 }, { nbf: 0 }]) {
    const token = signJwt(payload, TEST_SECRET)
    assert.equal(verifyJwt(token, TEST_SECRET, { nowSec: Number.NaN }).ok, false)
  }
})
