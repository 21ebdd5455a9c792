import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BAD_AMOUNTS, GOOD_AMOUNTS } from '../../test/amounts.ts'
import { parseQuery } from '../http/query.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink, requireNotExpired, toLinkKey, toPayPath } from './pay-link.ts'
import { requireSignature } from './require-signature.ts'
import type { PayLink } from './pay-link.ts'

const PROJECT = 'tz4a98xxat96iws9zmbrgj3a'
const VALID_QUERY = `amount=1500&project=${PROJECT}&data=Narud%C5%BEba+7`

function parse(query: string): PayLink {
  return parsePayLink(parseQuery(query))
}

function findFaults(query: string): Record<string, string> {
  try {
    parse(query)
    return {}
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    assert.equal(error.code, 'invalid_request')
    return Object.fromEntries(error.fields.map(({ path, code }) => [path, code]))
  }
}

test('the values of a link are percent-decoded, but their Unicode form is not changed', () => {
  assert.deepEqual(parse(VALID_QUERY), {
    projectId: PROJECT,
    amount: '1500',
    data: 'Narudžba 7',
    customId: null,
    mode: 'live',
    exp: null,
    sig: null,
  })
  const decomposed = parse(`${VALID_QUERY}&customId=z%CC%8C`)
  assert.equal(decomposed.customId, 'z\u030C')
})

test('a link with an empty data parameter is valid, and a link without the parameter is refused', () => {
  assert.equal(parse(`amount=1&project=${PROJECT}&data=`).data, '')
  assert.deepEqual(findFaults(`amount=1&project=${PROJECT}`), { data: 'required' })
})

test('an amount is in the smallest unit, with at most twelve digits and no leading zero; every other format is refused', (t) => {
  for (const amount of GOOD_AMOUNTS)
    assert.equal(parse(VALID_QUERY.replace('amount=1500', `amount=${amount}`)).amount, amount)
  assert.ok(BAD_AMOUNTS.length >= 60, String(BAD_AMOUNTS.length))
  t.diagnostic(`${BAD_AMOUNTS.length} bad amounts`)
  for (const amount of BAD_AMOUNTS) {
    assert.deepEqual(
      findFaults(VALID_QUERY.replace('amount=1500', `amount=${amount}`)),
      { amount: 'amount' },
      amount,
    )
  }
})

test('each known parameter is refused if it is repeated', () => {
  const all = `${VALID_QUERY}&customId=a&mode=live&lang=en&exp=1&sig=x`
  for (const name of ['amount', 'project', 'data', 'customId', 'mode', 'lang', 'exp', 'sig'])
    assert.deepEqual(findFaults(`${all}&${name}=1`), { [name]: 'duplicate_parameter' }, name)
})

test('a parameter name with brackets is an unknown parameter, and unknown parameters are ignored', () => {
  assert.deepEqual(findFaults(`amount[]=1&project=${PROJECT}&data=`), { amount: 'required' })
  assert.deepEqual(
    findFaults(`${VALID_QUERY}&amount[]=1&utm_source=x&utm_source=y&resultUrl=https://evil.example`),
    {},
  )
})

test('a customId has 1 to 128 code points, none of them invisible, and no spaces around it', () => {
  const validValues = ['1', 'order-7', 'Narudžba 7', '💶'.repeat(128), 'a b', '<b>', "'-alert(1)-'"]
  for (const one of validValues)
    assert.deepEqual(findFaults(`${VALID_QUERY}&customId=${encodeURIComponent(one)}`), {}, one)
  const bad = [
    '',
    ' a',
    'a ',
    'a'.repeat(129),
    'a\u202Eb',
    'a\u200Bb',
    'a\nb',
    'a\u0007',
    '\u2028',
    '\uFEFFa',
  ]
  for (const one of bad)
    assert.deepEqual(
      findFaults(`${VALID_QUERY}&customId=${encodeURIComponent(one)}`),
      { customId: 'invalid' },
      one,
    )
})

test('data may have 2048 bytes of UTF-8, and no more', () => {
  const faultsOf = (data: string) =>
    findFaults(`amount=1&project=${PROJECT}&data=${encodeURIComponent(data)}`)
  assert.deepEqual(faultsOf('a'.repeat(2048)), {})
  assert.deepEqual(faultsOf('a'.repeat(2049)), { data: 'too_many_bytes' })
  assert.deepEqual(faultsOf('ž'.repeat(1024)), {})
  assert.deepEqual(faultsOf('ž'.repeat(1025)), { data: 'too_many_bytes' })
})

test('the error for an invalid mode, expiry or project id names the field', () => {
  assert.deepEqual(findFaults(`${VALID_QUERY}&mode=TEST`), { mode: 'invalid' })
  assert.deepEqual(findFaults(`${VALID_QUERY}&exp=1e9`), { exp: 'invalid' })
  assert.deepEqual(findFaults(`${VALID_QUERY}&exp=-1`), { exp: 'invalid' })
  assert.deepEqual(findFaults(VALID_QUERY.replace(PROJECT, '..%2Fetc')), { project: 'invalid' })
  assert.deepEqual(findFaults(''), { amount: 'required', project: 'required', data: 'required' })
})

const SECRET = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const SIGNED = `${VALID_QUERY}&mode=test&sig=iLpWrJqSoOe3yUWOobQ_3N0L1Nd7yBtdS8g5jPNDTs0`

test("the contract's test vector is a valid link", () => {
  assert.equal(requireSignature(parse(SIGNED), true, SECRET), true)
})

test('a test link always needs a signature, and a live link needs a signature only if the project requires signatures', () => {
  const refused = { code: 'invalid_signature' }
  assert.equal(requireSignature(parse(VALID_QUERY), false, SECRET), false)
  assert.throws(() => requireSignature(parse(VALID_QUERY), true, SECRET), refused)
  assert.throws(() => requireSignature(parse(`${VALID_QUERY}&mode=test`), false, SECRET), refused)
  // An empty signature counts as wrong, not as missing.
  assert.throws(() => requireSignature(parse(`${VALID_QUERY}&sig=`), false, SECRET), refused)
})

test('a link is accepted before its expiry time, and refused from that second on', () => {
  assert.doesNotThrow(() => requireNotExpired(parse(`${VALID_QUERY}&exp=101`), 100))
  assert.throws(() => requireNotExpired(parse(`${VALID_QUERY}&exp=100`), 100), { code: 'link_expired' })
})

test('a link that is written as a path and parsed again is the same link', () => {
  for (const query of [VALID_QUERY, SIGNED, `${VALID_QUERY}&customId=%26%3D%2B%20%25%C5%BE&exp=99`]) {
    const link = parse(query)
    assert.deepEqual(parse(toPayPath(link, 'cnr').slice('/pay?'.length)), link)
  }
  assert.equal(
    toPayPath(parse(VALID_QUERY), null),
    `/pay?amount=1500&project=${PROJECT}&data=Narud%C5%BEba%207`,
  )
})

test('the key of a link depends on every value except the expiry and the signature', () => {
  const key = toLinkKey(parse(`${VALID_QUERY}&customId=a`))
  assert.match(key, /^[\w-]{16}$/)
  assert.equal(toLinkKey(parse(`${VALID_QUERY}&customId=a&exp=99&sig=x`)), key)
  const others = [
    `${VALID_QUERY}&customId=b`,
    VALID_QUERY,
    `${VALID_QUERY.replace('1500', '1501')}&customId=a`,
    `${VALID_QUERY}1&customId=a`,
    `${VALID_QUERY}&customId=a&mode=test`,
    `${VALID_QUERY.replace('tz4a', 'tz4b')}&customId=a`,
  ]
  assert.equal(new Set([key, ...others.map((one) => toLinkKey(parse(one)))]).size, others.length + 1)
})

test('a signature of 200 characters is read, and a longer signature is refused', () => {
  assert.deepEqual(findFaults(`${VALID_QUERY}&sig=${'x'.repeat(200)}`), {})
  assert.deepEqual(findFaults(`${VALID_QUERY}&sig=${'x'.repeat(201)}`), { sig: 'invalid' })
})
