import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countRounds } from '../../server/test/counts.ts'
import { LIVE_SECRET, PROJECT_ID, listRespellings, TEST_SECRET } from '../test/forge.ts'
import { PayLinkError, payLinkMessage, signPayLink, verifyPayLinkSig } from './pay-link.ts'
import type { PayLinkFields } from './pay-link.ts'
import { SecretError } from './secret.ts'

const sampleLink: PayLinkFields = { amount: '1500', project: PROJECT_ID, data: 'Narudžba 7', mode: 'test' }

test('the sample link of the contract has the documented message and signature', () => {
  assert.equal(
    payLinkMessage(sampleLink),
    '10:paylink.v1,4:test,24:tz4a98xxat96iws9zmbrgj3a,4:1500,11:Narudžba 7,-,-,',
  )
  assert.equal(signPayLink(sampleLink, TEST_SECRET), 'iLpWrJqSoOe3yUWOobQ_3N0L1Nd7yBtdS8g5jPNDTs0')
  assert.equal(verifyPayLinkSig(sampleLink, 'iLpWrJqSoOe3yUWOobQ_3N0L1Nd7yBtdS8g5jPNDTs0', TEST_SECRET), true)
})

test('the message has lengths in bytes, and a missing mode counts as "live"', () => {
  assert.equal(
    payLinkMessage({ amount: '7', project: 'p', data: '€😀', customId: 'č', exp: 1_900_000_000 }),
    '10:paylink.v1,4:live,1:p,1:7,7:€😀,2:č,10:1900000000,',
  )
})

test('missing data is signed as empty text, and a missing customId as absent', () => {
  const minimalLink = { amount: '7', project: 'p' }
  assert.equal(payLinkMessage(minimalLink), '10:paylink.v1,4:live,1:p,1:7,0:,-,-,')
  assert.equal(
    payLinkMessage({ ...minimalLink, data: '', customId: '' }),
    '10:paylink.v1,4:live,1:p,1:7,0:,0:,-,',
  )
})

test('the signature is the HMAC of the message and is valid only for its secret', () => {
  const fields: PayLinkFields = { amount: '200', project: PROJECT_ID, data: 'a&b=c', customId: '99' }
  const sig = createHmac('sha256', LIVE_SECRET).update(payLinkMessage(fields)).digest('base64url')
  assert.equal(signPayLink(fields, LIVE_SECRET), sig)
  assert.equal(verifyPayLinkSig(fields, sig, LIVE_SECRET), true)
  assert.equal(verifyPayLinkSig(fields, sig, TEST_SECRET), false)
})

const signed: PayLinkFields = {
  amount: '1500',
  project: PROJECT_ID,
  data: 'order 99',
  customId: '99',
  mode: 'live',
  exp: 1_900_000_000,
}
const mutations: PayLinkFields[] = [
  { ...signed, amount: '1' },
  { ...signed, amount: '15000' },
  { ...signed, amount: '1500 ' },
  { ...signed, project: 'tz4a98xxat96iws9zmbrgj3b' },
  { ...signed, project: PROJECT_ID.toUpperCase() },
  { ...signed, data: 'order 98' },
  { ...signed, data: '' },
  { ...signed, data: 'order 99 ' },
  { ...signed, data: 'order+99' },
  { ...signed, customId: '98' },
  { ...signed, customId: undefined },
  { ...signed, customId: '' },
  { ...signed, mode: 'test' },
  { ...signed, exp: undefined },
  { ...signed, exp: 1_900_000_001 },
  { ...signed, exp: '01900000000' },
]

test('each of 16 single-field changes of a signed link is refused', () => {
  const sig = signPayLink(signed, LIVE_SECRET)
  assert.equal(verifyPayLinkSig(signed, sig, LIVE_SECRET), true)
  assert.equal(mutations.length, 16)
  for (const fields of mutations) {
    assert.equal(verifyPayLinkSig(fields, sig, LIVE_SECRET), false, JSON.stringify(fields))
  }
})

test('a signature that is copied to another signed link is refused', () => {
  const otherLink = { ...signed, amount: '1', data: 'order 1', customId: '1' }
  assert.equal(verifyPayLinkSig(signed, signPayLink(otherLink, LIVE_SECRET), LIVE_SECRET), false)
  assert.equal(
    verifyPayLinkSig({ ...otherLink, amount: '1500' }, signPayLink(otherLink, LIVE_SECRET), LIVE_SECRET),
    false,
  )
})

test('composed and decomposed letters have different signatures', () => {
  const sig = signPayLink({ ...signed, data: 'Naruđžba\u0301' }, LIVE_SECRET)
  const composed = { ...signed, data: 'Naruđžba\u0301'.normalize('NFC') }
  assert.equal(verifyPayLinkSig(composed, sig, LIVE_SECRET), false)
})

test('a signature that is shortened, lengthened, respelled or missing is refused without throwing', () => {
  const sig = signPayLink(signed, LIVE_SECRET)
  const bytes = Buffer.from(sig, 'base64url')
  const invalidSignatures = [
    `${sig}=`,
    `${sig} `,
    ` ${sig}`,
    `${sig}A`,
    sig + sig,
    bytes.toString('base64'),
    bytes.toString('hex'),
  ]
  for (let length = 0; length < 32; length++)
    invalidSignatures.push(bytes.subarray(0, length).toString('base64url'))
  assert.equal(listRespellings(sig).length, 3)
  for (const text of [...invalidSignatures, ...listRespellings(sig)]) {
    assert.equal(verifyPayLinkSig(signed, text, LIVE_SECRET), false, text)
  }
  for (const missing of [undefined, null, 5, [sig]]) {
    assert.equal(verifyPayLinkSig(signed, missing as never, LIVE_SECRET), false)
  }
})

test('amount "1" with data "2x" and amount "12" with data "x" have different messages', () => {
  const first = payLinkMessage({ amount: '1', project: 'p', data: '2x' })
  assert.notEqual(first, payLinkMessage({ amount: '12', project: 'p', data: 'x' }))
})

// Texts with the message's own separators are the most likely to collide.
const text = fc.oneof(
  fc
    .array(fc.constantFrom('0', '1', '2', ':', ',', '-', 'x', 'ž'), { maxLength: 5 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const optionalText = fc.option(text, { nil: undefined })
const anyFields = fc.record({
  amount: text,
  project: text,
  data: text,
  customId: optionalText,
  exp: optionalText,
  mode: fc.constantFrom('live' as const, 'test' as const),
})

test('different random values give different messages', (t) => {
  const seen = new Map<string, string>()
  const toKey = (fields: PayLinkFields) =>
    JSON.stringify([
      fields.amount,
      fields.project,
      fields.data,
      fields.customId ?? 0,
      fields.exp ?? 0,
      fields.mode,
    ])
  fc.assert(
    fc.property(anyFields, (fields) => {
      const message = payLinkMessage(fields)
      assert.equal(seen.get(message) ?? toKey(fields), toKey(fields))
      seen.set(message, toKey(fields))
    }),
    { numRuns: countRounds('forgeries', t) },
  )
  assert.ok(seen.size > 1)
})

test('moving characters from one value to the next always changes the message', (t) => {
  fc.assert(
    fc.property(anyFields, fc.nat(4), fc.integer({ min: 1, max: 3 }), (fields, index, size) => {
      const names = ['project', 'amount', 'data', 'customId', 'exp'] as const
      const [left, right] = [names[index], names[index + 1]]
      if (left === undefined || right === undefined) return
      const moved = {
        ...fields,
        [left]: (fields[left] ?? '') + (fields[right] ?? '').slice(0, size),
        [right]: (fields[right] ?? '').slice(size),
      }
      if (names.every((name) => moved[name] === fields[name])) return
      fc.pre(!/\p{Surrogate}/u.test(Object.values(moved).join('\n')))
      assert.notEqual(payLinkMessage(moved), payLinkMessage(fields))
    }),
    { numRuns: countRounds('forgeries', t) },
  )
})

test('half a surrogate pair is refused when signing and when verifying', () => {
  const sig = signPayLink({ ...signed, data: '\ufffd' }, LIVE_SECRET)
  assert.throws(() => signPayLink({ ...signed, data: '\ud800' }, LIVE_SECRET), PayLinkError)
  assert.equal(verifyPayLinkSig({ ...signed, data: '\ud800' }, sig, LIVE_SECRET), false)
})

test("signing with the other mode's secret throws, and so does any use of a short or missing secret", () => {
  assert.throws(() => signPayLink({ ...signed, mode: 'test' }, LIVE_SECRET), /test call .* live secret/)
  assert.throws(() => signPayLink({ ...signed, mode: 'live' }, TEST_SECRET), /live call .* test secret/)
  assert.throws(() => signPayLink({ amount: '1', project: 'p' }, TEST_SECRET), SecretError)
  for (const secret of ['', 'x'.repeat(31), undefined]) {
    assert.throws(() => signPayLink(signed, secret as string), SecretError)
    assert.throws(() => verifyPayLinkSig(signed, 'x', secret as string), SecretError)
  }
})
