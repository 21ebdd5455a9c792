// Tests bodies and hashes, most of them invalid. The headers are valid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIVE_SECRET, NOW_SEC, TEST_SECRET } from '../test/forge.ts'
import { signTestCallback } from './callback-sample.ts'
import { verifyCallback } from './callback-verify.ts'
import { signJwt } from './jwt.ts'
import type { JsonObject } from './strict-json.ts'
import {
  ID,
  sampleOptions,
  valid,
  verifyOptions,
  verifyResigned,
  splitHash,
  rehash,
} from '../test/callback-outcomes.ts'

const { facts, hash } = splitHash(valid.body)
const malformed: [what: string, body: string | Uint8Array][] = [
  ['not JSON', 'amount=1500'],
  ['empty', ''],
  ['a list', `[${valid.body}]`],
  ['null', 'null'],
  ['cut off', valid.body.slice(0, -1)],
  [
    'not UTF-8',
    Buffer.concat([Buffer.from(valid.body.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]),
  ],
  ['after a byte order mark', `\ufeff${valid.body}`],
  ['naming a key twice', valid.body.replace('{', '{"amount":"1",')],
  ['naming a key twice, once escaped', valid.body.replace('{', '{"\\u0061mount":"1",')],
  ['with the key __proto__', valid.body.replace('{', '{"__proto__":{},')],
  ['nested too deeply', valid.body.replace('{', `{"x":${'['.repeat(9)}${']'.repeat(9)},`)],
  ['longer than any callback', valid.body.replace('{', `{"x":"${'x'.repeat(70_000)}",`)],
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
for (const [caseName, body] of malformed) {
  test(`a correctly signed body (${caseName}) is refused as malformed`, async () => {
    assert.equal(await verifyResigned(body), 'malformed')
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
  test(`a hash is refused if its "${name}" differs from the body's`, async () => {
    assert.equal(await verifyResigned(JSON.stringify({ ...facts, [name]: value, hash })), 'bad_signature')
    assert.equal(await verifyResigned(rehash(facts, { [name]: value })), 'bad_signature')
  })
}

test('a hash is refused if it has another message id, is signed with another secret, or has more or fewer claims', async () => {
  assert.equal(await verifyResigned(rehash(facts)), 'ok')
  assert.equal(await verifyResigned(rehash(facts, { jti: 'msg_other' })), 'bad_signature')
  assert.equal(await verifyResigned(rehash(facts, {}, LIVE_SECRET)), 'bad_signature')
  assert.equal(await verifyResigned(rehash(facts, { exp: NOW_SEC + 999 })), 'bad_signature')
  assert.equal(await verifyResigned(rehash(facts, { iat: 'now' })), 'bad_signature')
  for (const claims of [{ jti: ID }, { iat: NOW_SEC }, { iat: NOW_SEC, sub: ID }, {}]) {
    const body = JSON.stringify({ ...facts, hash: signJwt({ ...facts, ...claims }, TEST_SECRET) })
    assert.equal(await verifyResigned(body), 'bad_signature', JSON.stringify(claims))
  }
  const { data: _data, ...fewerFacts } = facts
  const body = JSON.stringify({
    ...facts,
    hash: signJwt({ ...fewerFacts, iat: NOW_SEC, jti: ID }, TEST_SECRET),
  })
  assert.equal(await verifyResigned(body), 'bad_signature')
  for (const claim of ['iat', 'jti']) {
    assert.equal(
      await verifyResigned(rehash({ ...facts, [claim]: claim === 'jti' ? ID : NOW_SEC })),
      'bad_signature',
    )
  }
  // The expected number of claims is the number of the body's fields (without `hash`) plus two. Here these two are iss and
  // sub, because the body itself has iat and jti.
  const shadowed = { ...facts, iat: NOW_SEC, jti: ID }
  assert.equal(await verifyResigned(rehash(shadowed, { iss: 'x', sub: 'y' })), 'bad_signature')
  for (const token of ['x', 'a.b.c', `${hash} `, hash.slice(0, -1), `${hash.split('.', 2).join('.')}.`]) {
    assert.equal(await verifyResigned(JSON.stringify({ ...facts, hash: token })), 'bad_signature', token)
  }
})

test('an unknown field is accepted if the hash covers it', async () => {
  const withNewField = rehash({ ...facts, fee: { amount: '15', parts: ['a', null] } })
  assert.equal(await verifyResigned(withNewField), 'ok')
  assert.equal(await verifyResigned(withNewField.replace('"15"', '"16"')), 'bad_signature')
})

test('a callback with the longest data and customId is accepted', async () => {
  const longest = { data: '\u0001'.repeat(2048), customId: '😀'.repeat(128), amount: '9'.repeat(12) }
  const { body, headers } = signTestCallback({ ...sampleOptions, ...longest })
  const callback = await verifyCallback(body, headers, { ...verifyOptions, expectedAmount: longest.amount })
  assert.equal(callback.data, longest.data)
})
