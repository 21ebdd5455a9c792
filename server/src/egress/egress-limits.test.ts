import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from 'undici'
import { toFault, toLogText, FetchFailure } from './fetch-outcome.ts'
import { FETCH_LIMITS } from './public-fetch.ts'
import { hasDnsCharacters, isCallbackPort, isOwnMachine, isPublicHostName } from './url-hosts.ts'

test('a callback has limits of time and size', () => {
  assert.deepEqual(FETCH_LIMITS, {
    totalTimeoutMs: 15_000,
    connectTimeoutMs: 5_000,
    bodyBytesMax: 16_384,
    headerBytesMax: 16_384,
    idleTimeoutMs: 4_000,
    connectionAgeMsMax: 60_000,
    idlePerOriginMax: 96,
  })
})

test('names that are known only in a local network or on one machine are not public', () => {
  const endings = 'arpa corp internal intranet invalid lan local localdomain localhost onion test'.split(' ')
  for (const ending of endings) {
    assert.equal(isPublicHostName(`shop.${ending}`), false, ending)
    assert.equal(isPublicHostName(`${ending}.me`), true, ending)
  }
  for (const name of ['shop.me', 'a.b.c.example.com', '_dmarc.shop.me', 'xn--ber-goa.de', 's1.me'])
    assert.equal(isPublicHostName(name), true, name)
  for (const name of ['shop', '', '.me', 'shop..me', '-a.me', 'a-.me', `${'a'.repeat(64)}.me`, 'sh op.me'])
    assert.equal(isPublicHostName(name), false, name)
})

test('a host name has at most 253 characters, and each of its labels at most 63', () => {
  const label = 'a'.repeat(63)
  const longest = `${label}.${label}.${label}.${'a'.repeat(58)}.me`
  assert.equal(longest.length, 253)
  assert.equal(isPublicHostName(longest), true)
  assert.equal(isPublicHostName(`a${longest.slice(0, -3)}a.me`), false)
  assert.equal(isPublicHostName(`${label}.${label}.${label}.${'a'.repeat(59)}.me`), false)
})

test('callbacks go to port 443 or to a high port, but not to high ports of other services, such as databases', () => {
  for (const port of [443, 1024, 3000, 4000, 8080, 8443, 9443, 65_535])
    assert.equal(isCallbackPort(port), true, String(port))
  const lowPorts = [0, 21, 22, 25, 80, 110, 139, 389, 444, 445, 465, 587, 636, 993, 1023]
  const fetchStandard = [
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6669, 6697, 10080,
  ]
  const services = [
    ...[1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 6379, 6380],
    ...[8086, 9042, 9092, 9200, 9300, 10250, 11211, 26379, 27017],
  ]
  for (const port of [...lowPorts, ...fetchStandard, ...services])
    assert.equal(isCallbackPort(port), false, String(port))
})

test("addresses of a developer's own machine or local network are recognised", () => {
  for (const host of [
    'localhost',
    'shop.localhost',
    'localhost.',
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '[::1]',
  ])
    assert.equal(isOwnMachine(host), true, host)
  for (const host of ['172.16.0.1', '172.20.0.1', '172.31.255.1'])
    assert.equal(isOwnMachine(host), true, host)
  for (const host of [
    '172.15.0.1',
    '172.32.0.1',
    'localhost.me',
    '110.0.0.1',
    '192.169.0.1',
    '[::2]',
    'shop.me',
    '10.shop.me',
    '192.168.shop.me',
    '172.16.shop.me',
  ])
    assert.equal(isOwnMachine(host), false, host)
})

test('a host has DNS characters only', () => {
  for (const host of ['a-b_c.me', '[2001:db8::1]', '127.0.0.1'])
    assert.equal(hasDnsCharacters(host), true, host)
  for (const host of ['a;b.me', 'a,b.me', "a'b", 'a*b', '', '[a b]', 'a(b)'])
    assert.equal(hasDnsCharacters(host), false)
})

test('an error in the log is one line of at most 500 characters, and a timeout does not replace an outcome that is already known', () => {
  assert.equal(toLogText('a\nb\u0000c\u001B[31m'), 'a b c [31m')
  assert.equal(toLogText('x'.repeat(501)).length, 500)
  const refused = new FetchFailure('blocked_address', 'no\n', { isEgressFault: true })
  assert.deepEqual(toFault(refused, true), { outcome: 'blocked_address', error: 'no ', isEgressFault: true })
  assert.deepEqual(toFault(new Error('x'), true), {
    outcome: 'timeout',
    error: 'no answer in time',
    isEgressFault: false,
  })
  const reset = Object.assign(new Error('secret detail'), { code: 'ECONNRESET' })
  assert.equal(toFault(reset, false).error, 'connection lost before an answer: ECONNRESET')
  assert.equal(toFault(reset, false).outcome, 'connect')
  assert.equal(toFault(reset, false).isEgressFault, false)
  for (const [error, text] of [
    [new TypeError('secret detail'), 'TypeError'],
    [Object.assign(new Error('secret detail'), { code: 7 }), 'Error'],
    ['secret detail', 'unknown error'],
  ] as const)
    assert.equal(toFault(error, false).error, `connection lost before an answer: ${text}`)
  assert.equal(new FetchFailure('dns', 'x').isEgressFault, false)
})

test('headers above the limit and invalid HTTP are faults of the response, unless the time limit passed first', () => {
  const overflow = new errors.HeadersOverflowError()
  const invalid = new errors.HTTPParserError('Invalid header')
  assert.deepEqual(toFault(overflow, false), {
    outcome: 'too_large',
    error: 'the answer has too many or too long headers',
    isEgressFault: false,
  })
  assert.deepEqual(toFault(invalid, false), {
    outcome: 'http_error',
    error: 'the answer is not valid HTTP',
    isEgressFault: false,
  })
  for (const error of [overflow, invalid]) assert.equal(toFault(error, true).outcome, 'timeout')
})
