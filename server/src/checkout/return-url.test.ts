import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toReturnUrl } from './return-url.ts'

const FACTS = { status: 'success', transactionId: 'tx-1', customId: 'order 7&x=1', mode: 'live' } as const

test('the status is added, and the merchant’s own query stays unchanged', () => {
  assert.equal(
    toReturnUrl('https://shop.example.com/hvala?a=1&b=%C5%BE+x', FACTS),
    'https://shop.example.com/hvala?a=1&b=%C5%BE+x&status=success&transactionId=tx-1&customId=order%207%26x%3D1',
  )
})

test('a parameter of the merchant’s URL is replaced if we add a parameter of the same name, and stays otherwise', () => {
  const merchantUrl =
    'https://shop.example.com/?route=pay&status=paid&mode=callback&customId=0&transactionId=9'
  const all = (facts: Parameters<typeof toReturnUrl>[1]) => [
    ...new URL(toReturnUrl(merchantUrl, facts)).searchParams,
  ]
  assert.deepEqual(all({ ...FACTS, mode: 'test' }), [
    ['route', 'pay'],
    ['status', 'success'],
    ['transactionId', 'tx-1'],
    ['customId', 'order 7&x=1'],
    ['mode', 'test'],
  ])
  assert.deepEqual(all({ status: 'cancel', customId: null, mode: 'live' }), [
    ['route', 'pay'],
    ['mode', 'callback'],
    ['customId', '0'],
    ['transactionId', '9'],
    ['status', 'cancel'],
  ])
})

test('missing values are left out, and test mode adds mode=test', () => {
  assert.equal(
    toReturnUrl('http://localhost:4000/return', { status: 'cancel', customId: null, mode: 'test' }),
    'http://localhost:4000/return?status=cancel&mode=test',
  )
})

test('a fragment stays after the query', () => {
  assert.equal(
    toReturnUrl('https://shop.example.com/#/paid', { status: 'fail', customId: null, mode: 'live' }),
    'https://shop.example.com/?status=fail#/paid',
  )
})

test('no value can add a parameter, a header line or another host', () => {
  const nasty = [
    '\r\nset-cookie: a=1',
    '&status=fail',
    '#',
    '//evil.example',
    '\u2028',
    '%0d%0a',
    '"><script>',
  ]
  for (const customId of nasty) {
    const url = new URL(toReturnUrl('https://shop.example.com/hvala', { ...FACTS, customId }))
    assert.equal(url.origin, 'https://shop.example.com')
    assert.equal(url.hash, '')
    assert.deepEqual([...url.searchParams.keys()], ['status', 'transactionId', 'customId'])
    assert.equal(url.searchParams.get('customId'), customId)
    assert.match(url.href, /^[\x21-\x7e]+$/)
  }
})
