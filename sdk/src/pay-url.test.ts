import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { LIVE_SECRET, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { PayLinkError, signPayLink, verifyPayLinkSig } from './pay-link.ts'
import { buildPayUrl } from './pay-url.ts'
import type { PayUrlFields } from './pay-url.ts'

const BASE = 'https://pay.example'
const minimalLink = { amount: '1500', project: PROJECT_ID }

test('the plain link has amount, project and data, even if data is empty', () => {
  assert.equal(buildPayUrl(BASE, minimalLink), `${BASE}/pay?amount=1500&project=${PROJECT_ID}&data=`)
  assert.equal(
    buildPayUrl(BASE, { ...minimalLink, data: 'o 7' }),
    `${BASE}/pay?amount=1500&project=${PROJECT_ID}&data=o%207`,
  )
})

test('the full link has its parameters in the documented order, and the signature of its values', () => {
  const fields = {
    ...minimalLink,
    data: 'Narudžba 7',
    customId: 'a/7',
    mode: 'test',
    exp: 1_900_000_000,
  } as const
  const sig = signPayLink(fields, TEST_SECRET)
  const expected =
    `${BASE}/pay?amount=1500&project=${PROJECT_ID}&data=Narud%C5%BEba%207&customId=a%2F7` +
    `&mode=test&exp=1900000000&sig=${sig}`
  assert.equal(buildPayUrl(BASE, { ...fields, secret: TEST_SECRET }), expected)
  assert.equal(buildPayUrl(BASE, { ...fields, sig }), expected)
  assert.equal(buildPayUrl(BASE, { ...fields, sig, lang: 'cnr' }), `${expected}&lang=cnr`)
})

test('the secret itself is not in the link', () => {
  assert.ok(!buildPayUrl(BASE, { ...minimalLink, secret: LIVE_SECRET }).includes('sk_'))
})

test('a live link has no mode parameter; the base URL keeps its path and loses its trailing slashes', () => {
  const url = buildPayUrl('http://localhost:3000/shop//', { ...minimalLink, mode: 'live' })
  assert.equal(url, `http://localhost:3000/shop/pay?amount=1500&project=${PROJECT_ID}&data=`)
})

test('data and customId can be read back from the link, and the signature is valid', () => {
  const data = fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => !text.includes('\0'))
  const customId = fc.stringMatching(/^[!-~]{1,30}$/)
  fc.assert(
    fc.property(data, customId, (data, customId) => {
      const url = buildPayUrl(BASE, { ...minimalLink, data, customId, secret: LIVE_SECRET })
      assert.match(url, /^[\w.~:/?&=%-]+$/)
      const params = new URL(url).searchParams
      assert.deepEqual([...params.keys()], ['amount', 'project', 'data', 'customId', 'sig'])
      const fields = {
        ...minimalLink,
        data: params.get('data') ?? '',
        customId: params.get('customId') ?? '',
      }
      assert.deepEqual(fields, { ...minimalLink, data, customId })
      assert.ok(verifyPayLinkSig(fields, params.get('sig') ?? '', LIVE_SECRET))
    }),
    { numRuns: 500 },
  )
})

const refusedChanges: [field: string, change: Partial<PayUrlFields>][] = [
  ...['0', '-1', '+5', '1.0', '1e3', '0x10', ' 5', '5 ', '५', '00012', 'NaN', '', '1'.repeat(13), '5\n'].map(
    (amount): [string, Partial<PayUrlFields>] => ['amount', { amount }],
  ),
  ['project', { project: '' }],
  ['project', { project: 'a&b' }],
  ['data', { data: 'x'.repeat(2049) }],
  ['data', { data: 'ž'.repeat(1025) }],
  ['data', { data: 'a\ud800' }],
  ['data', { data: 'a\0b' }],
  ['customId', { customId: '' }],
  ['customId', { customId: ' a' }],
  ['customId', { customId: 'a ' }],
  ['customId', { customId: 'a\nb' }],
  ['customId', { customId: 'a\u202eb' }],
  ['customId', { customId: 'a\u200bb' }],
  ['customId', { customId: '\ud800' }],
  ['customId', { customId: '😀'.repeat(129) }],
  ['exp', { exp: 1.5 }],
  ['exp', { exp: -1 }],
  ['exp', { exp: Number.NaN }],
  ['exp', { exp: 1e21 }],
  ['exp', { exp: '' }],
  ['sig', { sig: 'x', secret: LIVE_SECRET }],
  ['sig', { mode: 'test' }],
  ['lang', { lang: 'en&amount=1' }],
]
for (const [field, change] of refusedChanges) {
  test(`${inspect(change, { maxStringLength: 40 })} is refused, and the error names ${field}`, () => {
    assert.throws(
      () => buildPayUrl(BASE, { ...minimalLink, ...change }),
      (error) => error instanceof PayLinkError && error.field === field && error.message.startsWith(field),
    )
  })
}

test('an amount that is a number is refused, because money is text', () => {
  assert.throws(() => buildPayUrl(BASE, { ...minimalLink, amount: 1500 as never }), PayLinkError)
})

test('the longest amount, data and customId that the contract allows are accepted', () => {
  const longest = {
    ...minimalLink,
    data: 'x'.repeat(2048),
    customId: '😀'.repeat(128),
    amount: '9'.repeat(12),
  }
  assert.equal(new URL(buildPayUrl(BASE, longest)).searchParams.get('customId'), longest.customId)
})

for (const base of [
  '',
  'pay.example',
  'ftp://pay.example',
  'javascript:alert(1)',
  `${BASE}?a=1`,
  `${BASE}#x`,
  'https://',
]) {
  test(`the base ${JSON.stringify(base)} is refused`, () => {
    assert.throws(() => buildPayUrl(base, minimalLink), { name: 'PayLinkError', field: 'baseUrl' })
  })
}
