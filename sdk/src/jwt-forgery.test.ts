// Why this is long: one list of forgeries.
import assert from 'node:assert/strict'
import crypto, { createSign, generateKeyPairSync } from 'node:crypto'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { mock, test } from 'node:test'
import * as fc from 'fast-check'
import { jwtVerify } from 'jose'
import { countRounds } from '../../server/test/counts.ts'
import {
  encodeBase64url,
  forgeToken,
  LIVE_SECRET,
  NOW_SEC,
  listRespellings,
  signParts,
  TEST_SECRET,
} from '../test/forge.ts'
import { signJwt, verifyJwt } from './jwt.ts'
import { JWT_BYTES_MAX } from './limits.ts'

const verifyOptions = { nowSec: NOW_SEC }
const PAYLOAD = '{"projectId":"p","customId":"order-7"}'
const good = signJwt({ projectId: 'p', customId: 'order-7' }, TEST_SECRET)
const [goodHeader = '', goodPayload = '', goodSignature = ''] = good.split('.')

function outcome(token: string, maxBytes = JWT_BYTES_MAX): string {
  const result = verifyJwt(token, TEST_SECRET, { ...verifyOptions, maxBytes })
  return result.ok ? 'ok' : result.reason
}

test('the token that the forgeries below are made from is valid', () => {
  assert.equal(outcome(good), 'ok')
  assert.equal(outcome(signParts(goodHeader, goodPayload, TEST_SECRET)), 'ok')
})

const unsignedAlgorithms = ['none', 'None', 'NONE', 'nOnE', 'none ', ' none', 'null', '']
for (const alg of unsignedAlgorithms) {
  test(`alg ${JSON.stringify(alg)} is refused without a signature, with a stolen signature and with a correct signature`, () => {
    const header = encodeBase64url(JSON.stringify({ alg, typ: 'JWT' }))
    assert.equal(outcome(`${header}.${goodPayload}.`), 'unsupported_header')
    assert.equal(outcome(`${header}.${goodPayload}.${goodSignature}`), 'unsupported_header')
    assert.equal(outcome(signParts(header, goodPayload, TEST_SECRET)), 'unsupported_header')
  })
}

const algorithms: unknown[] = [
  'HS384',
  'HS512',
  'RS256',
  'ES256',
  'PS256',
  'EdDSA',
  'hs256',
  'HS256 ',
  'HS256\u0000',
]
algorithms.push(['HS256'], { HS256: true }, null, true, 256, 'dir')
for (const alg of algorithms) {
  test(`alg ${JSON.stringify(alg)} is refused although the HMAC is correct`, () => {
    assert.equal(outcome(forgeToken({ alg, typ: 'JWT' }, PAYLOAD, TEST_SECRET)), 'unsupported_header')
  })
}

test('a token signed with HS384, HS512 or RS256 is refused, even if its header says HS256', () => {
  for (const [alg, algorithm] of [
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ] as const) {
    const trueHeader = encodeBase64url(JSON.stringify({ alg }))
    assert.equal(outcome(signParts(trueHeader, goodPayload, TEST_SECRET, algorithm)), 'unsupported_header')
    assert.equal(outcome(signParts(goodHeader, goodPayload, TEST_SECRET, algorithm)), 'bad_signature')
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signature = createSign('sha256').update(`${goodHeader}.${goodPayload}`).sign(privateKey, 'base64url')
  assert.equal(outcome(`${goodHeader}.${goodPayload}.${signature}`), 'bad_signature')
})

test('a header is refused if it has no alg, has another typ, or is not an object', () => {
  assert.equal(outcome(forgeToken({ typ: 'JWT' }, PAYLOAD, TEST_SECRET)), 'unsupported_header')
  assert.equal(outcome(forgeToken({}, PAYLOAD, TEST_SECRET)), 'unsupported_header')
  for (const typ of ['JOSE', 'JWE', 'at+jwt', null, ['JWT'], '']) {
    assert.equal(outcome(forgeToken({ alg: 'HS256', typ }, PAYLOAD, TEST_SECRET)), 'unsupported_header')
  }
  for (const header of [['HS256'], 'HS256', null, 1]) {
    assert.equal(outcome(forgeToken(header, PAYLOAD, TEST_SECRET)), 'malformed')
  }
})

for (const extra of [
  { crit: ['exp'] },
  { crit: [] },
  { crit: null },
  { b64: false },
  { b64: true },
  { zip: 'DEF' },
]) {
  test(`a header with ${JSON.stringify(extra)} is refused`, () => {
    assert.equal(outcome(forgeToken({ alg: 'HS256', ...extra }, PAYLOAD, TEST_SECRET)), 'unsupported_header')
  })
}

test('headers that refer to keys are ignored and cause no network access', () => {
  const connect = mock.method(net.Socket.prototype, 'connect')
  const lookup = mock.method(dns, 'lookup')
  syncBuiltinESMExports()
  try {
    const k = encodeBase64url(LIVE_SECRET)
    const pointers = [
      { kid: '../../../../dev/null' },
      { kid: "x' UNION SELECT 'key" },
      { jku: 'https://evil.example/keys.json' },
      { jwk: { kty: 'oct', k, oth: [{ r: 'x' }] } },
      { x5u: 'https://evil.example/cert.pem' },
      { x5c: ['MIIB'] },
    ]
    for (const extra of pointers) {
      assert.equal(outcome(forgeToken({ alg: 'HS256', ...extra }, PAYLOAD, TEST_SECRET)), 'ok')
      for (const secret of [LIVE_SECRET, '', k]) {
        assert.equal(outcome(forgeToken({ alg: 'HS256', ...extra }, PAYLOAD, secret)), 'bad_signature')
      }
    }
    assert.equal(connect.mock.callCount() + lookup.mock.callCount(), 0)
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
})

test('a signature of less or more than 32 bytes is refused', () => {
  const bytes = Buffer.from(goodSignature, 'base64url')
  for (let length = 0; length <= 31; length++) {
    const cut = encodeBase64url(bytes.subarray(0, length))
    assert.equal(outcome(`${goodHeader}.${goodPayload}.${cut}`), 'bad_signature', `${length} bytes`)
  }
  assert.equal(outcome(`${goodHeader}.${goodPayload}.${encodeBase64url(bytes)}`), 'ok')
  assert.equal(
    outcome(`${goodHeader}.${goodPayload}.${encodeBase64url(Buffer.concat([bytes, bytes]))}`),
    'bad_signature',
  )
  assert.equal(outcome(`${goodHeader}.${goodPayload}.${goodSignature}A`), 'bad_signature')
})

test('other base64 spellings of the same signature are refused', () => {
  const otherSpellings = listRespellings(goodSignature)
  assert.equal(otherSpellings.length, 3)
  otherSpellings.push(`${goodSignature}=`, `${goodSignature} `, `${goodSignature}\n`, ` ${goodSignature}`)
  otherSpellings.push(
    goodSignature.replace(/(.{20})/, '$1\n'),
    Buffer.from(goodSignature, 'base64url').toString('base64'),
  )
  for (const spelling of otherSpellings)
    assert.equal(outcome(`${goodHeader}.${goodPayload}.${spelling}`), 'bad_signature')
})

test('a header or payload in another base64 spelling is refused although it is signed', () => {
  const verifyParts = (header: string, payload: string) => outcome(signParts(header, payload, TEST_SECRET))
  const header = encodeBase64url('{"alg":"HS256"}  ')
  const payload = encodeBase64url(`${PAYLOAD}  `.slice(0, 40))
  assert.equal(verifyParts(header, payload), 'ok')
  assert.ok(listRespellings(header).length > 0 && listRespellings(payload).length > 0)
  for (const spelling of listRespellings(header)) assert.equal(verifyParts(spelling, payload), 'malformed')
  for (const spelling of listRespellings(payload)) assert.equal(verifyParts(header, spelling), 'malformed')
  for (const character of ['=', ' ', '\n', '\t', '\r\n', '+', '/', 'é', '\u0000']) {
    assert.equal(verifyParts(header + character, payload), 'malformed')
    assert.equal(verifyParts(header, payload + character), 'malformed')
    assert.equal(verifyParts(header, character + payload), 'malformed')
  }
})

const shapes = ['', '.', '..', '...', 'a', 'a.b', 'a.b.c.d', `.${goodPayload}.${goodSignature}`]
shapes.push(
  `${goodHeader}..${goodSignature}`,
  `${good}.`,
  `.${good}`,
  `${good}.${goodSignature}`,
  '.'.repeat(4000),
)
shapes.push(
  `${good} `,
  ` ${good}`,
  `Bearer ${good}`,
  JSON.stringify({ protected: goodHeader, payload: goodPayload }),
)
for (const token of shapes) {
  test(`a text of the form ${token.replaceAll(/[\w-]{4,}/g, 'x').slice(0, 40)} is refused`, () => {
    assert.notEqual(outcome(token), 'ok')
  })
}

test('a token that is not a string is refused as malformed, without an exception', () => {
  for (const token of [undefined, null, 5, {}, [good], Buffer.from(good)]) {
    assert.equal(outcome(token as string), 'malformed')
  }
})

const payloads = ['[]', 'null', '"a"', '1', 'true', '', '{', `${PAYLOAD}x`, '\ufeff{}', `{"a":"\u0001"}`]
payloads.push(
  '{"customId":"a","customId":"b"}',
  '{"customId":"a","customI\\u0064":"b"}',
  '{"__proto__":{"x":1}}',
)
payloads.push('{"constructor":{"prototype":{}}}', '{"a":'.repeat(9) + '1' + '}'.repeat(9), '['.repeat(2000))
for (const payload of payloads) {
  test(`the correctly signed payload ${JSON.stringify(payload).slice(0, 60)} is refused`, () => {
    assert.equal(outcome(forgeToken({ alg: 'HS256' }, payload, TEST_SECRET)), 'malformed')
  })
}

test('a payload that is not UTF-8, and a header with a repeated key, are refused although they are signed', () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
  assert.equal(outcome(forgeToken({ alg: 'HS256' }, bytes, TEST_SECRET)), 'malformed')
  const headerWithTwoAlgs = encodeBase64url('{"alg":"none","alg":"HS256"}')
  assert.equal(outcome(signParts(headerWithTwoAlgs, goodPayload, TEST_SECRET)), 'malformed')
})

test('a token that is too long, or has a wrong form or header, is refused without computing an HMAC', () => {
  const longestToken = forgeToken({ alg: 'HS256' }, JSON.stringify({ a: 'x'.repeat(2996) }), TEST_SECRET)
  const tooLong = forgeToken({ alg: 'HS256' }, JSON.stringify({ a: 'x'.repeat(3020) }), TEST_SECRET)
  assert.ok(longestToken.length <= JWT_BYTES_MAX && tooLong.length > JWT_BYTES_MAX)
  const algNone = forgeToken({ alg: 'none' }, PAYLOAD, TEST_SECRET)
  const createHmac = mock.method(crypto, 'createHmac')
  syncBuiltinESMExports()
  try {
    for (const token of [
      tooLong,
      'a'.repeat(1_000_000),
      '.'.repeat(10_000),
      `${good}${'A'.repeat(1_000_000)}`,
    ]) {
      assert.equal(outcome(token), 'too_large')
    }
    assert.equal(outcome(algNone), 'unsupported_header')
    assert.equal(outcome('.'.repeat(4000)), 'malformed')
    assert.equal(outcome(`${goodHeader}.${goodPayload}.${goodPayload}.${goodSignature}`), 'malformed')
    assert.equal(createHmac.mock.callCount(), 0)
    assert.equal(outcome(longestToken), 'ok')
    assert.equal(createHmac.mock.callCount(), 1)
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  assert.equal(outcome(tooLong, 16 * 1024), 'ok')
})

test('a randomly changed token is refused, unless it is signed again and jose accepts it too', async (t) => {
  const pieces = ['.', '=', ' ', '\n', '+', '/', '-', '_', 'A', 'B', 'e', 'z', '0', '9', 'é', '\u0000']
  const change = fc.record({
    from: fc.nat(good.length),
    drop: fc.nat(3),
    put: fc.array(fc.constantFrom(...pieces), { maxLength: 3 }).map((parts) => parts.join('')),
  })
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  let checkedCount = 0
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), async (list, isSignedAgain) => {
      let token = list.reduce(
        (text, { from, drop, put }) => text.slice(0, from) + put + text.slice(from + drop),
        good,
      )
      // A new signature lets the token reach the checks after the signature check.
      const [header = '', payload = ''] = token.split('.')
      if (isSignedAgain) token = signParts(header, payload, TEST_SECRET)
      if (token === good) return
      checkedCount += 1
      const isAccepted = outcome(token) === 'ok'
      if (!isSignedAgain) assert.equal(isAccepted, false, token)
      if (isAccepted)
        await jwtVerify(token, Buffer.from(TEST_SECRET), { currentDate: new Date(NOW_SEC * 1000) })
    }),
    { numRuns: countRounds('forgeries', t) },
  )
  assert.ok(checkedCount > 0)
})
