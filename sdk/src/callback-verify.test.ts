import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { count } from '../../server/test/counts.ts'
import { LIVE_SECRET, NOW_SEC, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { signTestCallback } from './callback-sample.ts'
import { CallbackVerificationError, safeVerifyCallback, verifyCallback } from './callback-verify.ts'
import type { VerifyCallbackOptions } from './callback-verify.ts'
import { signJwt } from './jwt.ts'
import { SecretError } from './secret.ts'
import type { JsonObject } from './strict-json.ts'
import { signWebhook } from './webhook.ts'

const ID = 'msg_0190a1b2'
const made = { secret: TEST_SECRET, id: ID, nowSec: NOW_SEC, customId: 'order-7', data: 'Narudžba 7' }
const good = signTestCallback(made)
const reader: VerifyCallbackOptions = { secret: TEST_SECRET, expectedAmount: '1500', nowSec: NOW_SEC }

async function outcome(
  body: string | Uint8Array,
  change: Partial<VerifyCallbackOptions> = {},
  headers = good.headers,
) {
  const result = await safeVerifyCallback(body, headers, { ...reader, ...change })
  return result.ok ? 'ok' : result.reason
}

/** An invalid body under valid headers, so that only the later checks can refuse it. */
async function sealedOutcome(body: string | Uint8Array, secret = TEST_SECRET): Promise<string> {
  return outcome(body, { secret }, signWebhook({ id: ID, timestampSec: NOW_SEC, body, secret }))
}
function factsOf(body: string): { facts: JsonObject; hash: string } {
  const { hash, ...facts } = JSON.parse(body) as JsonObject & { hash: string }
  return { facts, hash }
}
function rehash(facts: JsonObject, claims: JsonObject = {}, secret = TEST_SECRET): string {
  return JSON.stringify({ ...facts, hash: signJwt({ ...facts, iat: NOW_SEC, jti: ID, ...claims }, secret) })
}

test('a genuine callback is returned as its parsed body, from text or bytes, with a record or a Headers object', async () => {
  const expected: unknown = JSON.parse(good.body)
  assert.deepEqual(await verifyCallback(good.body, good.headers, reader), expected)
  assert.deepEqual(await verifyCallback(Buffer.from(good.body), new Headers(good.headers), reader), expected)
  const shouted = Object.fromEntries(
    Object.entries(good.headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  assert.deepEqual(await verifyCallback(new TextEncoder().encode(good.body), shouted, reader), expected)
})

test('a callback that satisfies every option is accepted', async () => {
  assert.equal(await outcome(good.body, { projectId: PROJECT_ID, mode: 'test', toleranceSec: 0 }), 'ok')
})

test('a forged, altered or unsigned callback is bad_signature', async () => {
  assert.equal(await outcome(good.body.replace('"1500"', '"2500"')), 'bad_signature')
  assert.equal(await outcome(`${good.body}\n`), 'bad_signature')
  assert.equal(await outcome(JSON.stringify(JSON.parse(good.body), null, 2)), 'bad_signature')
  assert.equal(await outcome(good.body, { secret: TEST_SECRET.replace('0123', '3210') }), 'bad_signature')
  const unsigned = await safeVerifyCallback(good.body, {}, reader)
  assert.equal(unsigned.ok ? 'ok' : unsigned.reason, 'bad_signature')
  for (const missing of ['v1,', 'v1', '']) {
    const headers = { ...good.headers, 'webhook-signature': missing }
    assert.equal(await outcome(good.body, {}, headers), 'bad_signature')
  }
})

test('the same bytes ten minutes later, or ten early, are expired; the tolerance is the caller’s', async () => {
  assert.equal(await outcome(good.body, { nowSec: NOW_SEC + 300 }), 'ok')
  assert.equal(await outcome(good.body, { nowSec: NOW_SEC + 600 }), 'expired')
  assert.equal(await outcome(good.body, { nowSec: NOW_SEC - 600 }), 'expired')
  assert.equal(await outcome(good.body, { nowSec: NOW_SEC + 600, toleranceSec: 600 }), 'ok')
})

test('without nowSec the real clock decides', async () => {
  const { nowSec: _nowSec, ...options } = reader
  const fresh = signTestCallback({ secret: TEST_SECRET })
  assert.equal((await verifyCallback(fresh.body, fresh.headers, options)).amount, '1500')
  const old = signTestCallback({ secret: TEST_SECRET, nowSec: 1_000_000_000 })
  await assert.rejects(verifyCallback(old.body, old.headers, options), { reason: 'expired' })
})

test('another project’s callback is wrong_project', async () => {
  assert.equal(await outcome(good.body, { projectId: 'tz4a98xxat96iws9zmbrgj3b' }), 'wrong_project')
})

test('an amount other than the expected one is amount_mismatch, given as text or found by a function', async () => {
  assert.equal(await outcome(good.body, { expectedAmount: '2000' }), 'amount_mismatch')
  assert.equal(await outcome(good.body, { expectedAmount: '' }), 'amount_mismatch')
  assert.equal(await outcome(good.body, { expectedAmount: '1500.0' }), 'amount_mismatch')
  assert.equal(await outcome(good.body, { expectedAmount: () => '2000' }), 'amount_mismatch')
  assert.equal(
    await outcome(good.body, { expectedAmount: async (callback) => prices[callback.customId ?? ''] ?? '' }),
    'ok',
  )
  for (const unknown of [undefined, null]) {
    assert.equal(await outcome(good.body, { expectedAmount: () => unknown as never }), 'amount_mismatch')
  }
})

test('an amount that is not text throws, instead of a refusal on every callback', async () => {
  for (const odd of [1500, 1500n, ['1500'], true]) {
    for (const given of [odd, () => odd, async () => odd]) {
      const options = { ...reader, expectedAmount: given as never }
      const sentence = {
        name: 'TypeError',
        message: /^expectedAmount must be text such as '1500', not \w+\.$/,
      }
      await assert.rejects(verifyCallback(good.body, good.headers, options), sentence)
      await assert.rejects(safeVerifyCallback(good.body, good.headers, options), sentence)
    }
  }
})

const prices: Record<string, string> = { 'order-7': '1500' }

test('expectedAmount is mandatory, and is called only for a genuine callback', async () => {
  for (const missing of [undefined, null]) {
    const options = { ...reader, expectedAmount: missing as never }
    await assert.rejects(verifyCallback(good.body, good.headers, options), /expectedAmount is missing/)
    await assert.rejects(safeVerifyCallback(good.body, good.headers, options), TypeError)
  }
  let asked = 0
  const expectedAmount = () => String((asked += 1))
  await outcome(`${good.body} `, { expectedAmount })
  await outcome(good.body, { expectedAmount, projectId: 'other' })
  assert.equal(asked, 0)
  await outcome(good.body, { expectedAmount })
  assert.equal(asked, 1)
})

test('an error thrown by expectedAmount is passed on, so that a database fault is not a refusal', async () => {
  const fault = new Error('database is down')
  const expectedAmount = () => Promise.reject(fault)
  await assert.rejects(verifyCallback(good.body, good.headers, { ...reader, expectedAmount }), fault)
  await assert.rejects(safeVerifyCallback(good.body, good.headers, { ...reader, expectedAmount }), fault)
})

test('a test secret where live is expected, and the reverse, is wrong_mode with an explanation', async () => {
  const asLive = verifyCallback(good.body, good.headers, { ...reader, mode: 'live' })
  await assert.rejects(asLive, { reason: 'wrong_mode', message: /live call .* test secret/ })
  const live = signTestCallback({ ...made, secret: LIVE_SECRET })
  const asTest = verifyCallback(live.body, live.headers, { ...reader, secret: LIVE_SECRET, mode: 'test' })
  await assert.rejects(asTest, { reason: 'wrong_mode', message: /test call .* live secret/ })
})

test('a live-mode body signed with the test secret, and the reverse, is wrong_mode', async () => {
  const { facts } = factsOf(good.body)
  assert.equal(await sealedOutcome(rehash({ ...facts, mode: 'live' })), 'wrong_mode')
  assert.equal(
    await sealedOutcome(rehash({ ...facts, mode: 'test' }, {}, LIVE_SECRET), LIVE_SECRET),
    'wrong_mode',
  )
  const plain = 'k'.repeat(40)
  const test = signTestCallback({ ...made, secret: plain })
  assert.equal(await outcome(test.body, { secret: plain, mode: 'live' }, test.headers), 'wrong_mode')
  assert.equal(await outcome(test.body, { secret: plain, mode: 'test' }, test.headers), 'ok')
})

test('a live callback verified with the test secret is bad_signature, and the message says which secret to use', async () => {
  const live = signTestCallback({ ...made, secret: LIVE_SECRET })
  await assert.rejects(verifyCallback(live.body, live.headers, reader), {
    reason: 'bad_signature',
    message: /does not match the raw body\. This is a live call .* use the live secret/,
  })
  await assert.rejects(verifyCallback(good.body, good.headers, { ...reader, secret: LIVE_SECRET }), {
    reason: 'bad_signature',
    message: /use the test secret/,
  })
})

test('a parsed object instead of the raw body is malformed, and the error says what to pass', async () => {
  const parsed = JSON.parse(good.body) as string
  await assert.rejects(verifyCallback(parsed, good.headers, reader), {
    reason: 'malformed',
    message: /raw body/,
  })
})

const { facts, hash } = factsOf(good.body)
const malformed: [what: string, body: string | Uint8Array][] = [
  ['no JSON', 'amount=1500'],
  ['empty', ''],
  ['a list', `[${good.body}]`],
  ['null', 'null'],
  ['cut off', good.body.slice(0, -1)],
  ['not UTF-8', Buffer.concat([Buffer.from(good.body.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')])],
  ['behind a byte order mark', `\ufeff${good.body}`],
  ['naming a key twice', good.body.replace('{', '{"amount":"1",')],
  ['naming a key twice, once escaped', good.body.replace('{', '{"\\u0061mount":"1",')],
  ['with a poisoned prototype', good.body.replace('{', '{"__proto__":{},')],
  ['nested too deeply', good.body.replace('{', `{"x":${'['.repeat(9)}${']'.repeat(9)},`)],
  ['longer than any callback', good.body.replace('{', `{"x":"${'x'.repeat(70_000)}",`)],
  ['without a hash', JSON.stringify(facts)],
  ['with a hash that is not a string', JSON.stringify({ ...facts, hash: [hash] })],
  ...Object.entries({
    event: 'payment.other',
    status: 'paid',
    successful: false,
    projectId: '',
    transactionId: null,
    amount: 1500,
    currency: 978,
    customId: 7,
    data: '',
    mode: 'demo',
    createdAt: null,
    failureCode: 'declined',
  }).map(([name, value]): [string, string] => [
    `with ${name} ${JSON.stringify(value)}`,
    rehash({ ...facts, [name]: value }),
  ]),
  ...[
    'event',
    'status',
    'successful',
    'projectId',
    'transactionId',
    'amount',
    'currency',
    'mode',
    'createdAt',
  ].map((name): [string, string] => {
    const { [name]: _left, ...rest } = facts
    return [`without ${name}`, rehash(rest)]
  }),
]
for (const [what, body] of malformed) {
  test(`a correctly signed body that is ${what} is malformed`, async () => {
    assert.equal(await sealedOutcome(body), 'malformed')
  })
}

const changes: JsonObject = {
  amount: '2500',
  data: 'other',
  customId: 'order-8',
  transactionId: 'other',
  currency: 'USD',
}
for (const [name, value] of Object.entries({
  ...changes,
  projectId: 'other',
  createdAt: 'other',
  extra: 'x',
})) {
  test(`a hash of other facts than the body (${name}) is refused although the headers are valid`, async () => {
    assert.equal(await sealedOutcome(JSON.stringify({ ...facts, [name]: value, hash })), 'bad_signature')
    assert.equal(await sealedOutcome(rehash(facts, { [name]: value })), 'bad_signature')
  })
}

test('a hash that is replayed, of another secret, unsigned, or with claims more or less is refused', async () => {
  assert.equal(await sealedOutcome(rehash(facts)), 'ok')
  assert.equal(await sealedOutcome(rehash(facts, { jti: 'msg_other' })), 'bad_signature')
  assert.equal(await sealedOutcome(rehash(facts, {}, LIVE_SECRET)), 'bad_signature')
  assert.equal(await sealedOutcome(rehash(facts, { exp: NOW_SEC + 999 })), 'bad_signature')
  assert.equal(await sealedOutcome(rehash(facts, { iat: 'now' })), 'bad_signature')
  for (const claims of [{ jti: ID }, { iat: NOW_SEC }, { iat: NOW_SEC, sub: ID }, {}]) {
    const body = JSON.stringify({ ...facts, hash: signJwt({ ...facts, ...claims }, TEST_SECRET) })
    assert.equal(await sealedOutcome(body), 'bad_signature', JSON.stringify(claims))
  }
  const { data: _data, ...fewer } = facts
  const body = JSON.stringify({ ...facts, hash: signJwt({ ...fewer, iat: NOW_SEC, jti: ID }, TEST_SECRET) })
  assert.equal(await sealedOutcome(body), 'bad_signature')
  for (const claim of ['iat', 'jti']) {
    assert.equal(
      await sealedOutcome(rehash({ ...facts, [claim]: claim === 'jti' ? ID : NOW_SEC })),
      'bad_signature',
    )
  }
  // Two additional claims, hidden by a body that has iat and jti itself.
  const shadowed = { ...facts, iat: NOW_SEC, jti: ID }
  assert.equal(await sealedOutcome(rehash(shadowed, { iss: 'x', sub: 'y' })), 'bad_signature')
  for (const token of ['x', 'a.b.c', `${hash} `, hash.slice(0, -1), `${hash.split('.', 2).join('.')}.`]) {
    assert.equal(await sealedOutcome(JSON.stringify({ ...facts, hash: token })), 'bad_signature', token)
  }
})

test('fields this version does not know are kept, as long as the hash covers them', async () => {
  const grown = rehash({ ...facts, fee: { amount: '15', parts: ['a', null] } })
  assert.equal(await sealedOutcome(grown), 'ok')
  assert.equal(await sealedOutcome(grown.replace('"15"', '"16"')), 'bad_signature')
})

test('the longest data and customId of a link still verify, also when JSON needs six bytes for one', async () => {
  const longest = { data: '\u0001'.repeat(2048), customId: '😀'.repeat(128), amount: '9'.repeat(12) }
  const { body, headers } = signTestCallback({ ...made, ...longest })
  const callback = await verifyCallback(body, headers, { ...reader, expectedAmount: longest.amount })
  assert.equal(callback.data, longest.data)
})

test('a missing or short secret throws a SecretError, also from safeVerifyCallback', async () => {
  for (const secret of ['', 'x'.repeat(31), undefined]) {
    const options = { ...reader, secret: secret as string }
    await assert.rejects(verifyCallback(good.body, good.headers, options), SecretError)
    await assert.rejects(safeVerifyCallback(good.body, good.headers, options), SecretError)
  }
})

test('safeVerifyCallback returns the callback, or the reason and its error', async () => {
  const passed = await safeVerifyCallback(good.body, good.headers, reader)
  assert.equal(passed.ok && passed.callback.customId, 'order-7')
  const refused = await safeVerifyCallback(good.body, good.headers, { ...reader, expectedAmount: '1' })
  assert.ok(
    !refused.ok && refused.reason === 'amount_mismatch' && refused.error instanceof CallbackVerificationError,
  )
})

test('no random change of a genuine callback is accepted', async (t) => {
  const change = fc.record({
    from: fc.nat(good.body.length),
    drop: fc.nat(4),
    put: fc.string({ unit: 'binary-ascii', maxLength: 3 }),
  })
  let behindHeaders = 0
  await fc.assert(
    fc.asyncProperty(change, fc.boolean(), async ({ from, drop, put }, isResealed) => {
      const body = good.body.slice(0, from) + put + good.body.slice(from + drop)
      // White space or escapes change the bytes but not the meaning, once the headers match again.
      if (body === good.body) return
      const result = isResealed ? await sealedOutcome(body) : await outcome(body)
      if (isResealed && result === 'ok') assert.deepEqual(JSON.parse(body), JSON.parse(good.body))
      else assert.match(result, /^(bad_signature|malformed)$/)
      if (isResealed) behindHeaders += 1
    }),
    { numRuns: count('forgeries', t) },
  )
  assert.ok(behindHeaders > 0)
})
