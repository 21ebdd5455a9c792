import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { GOOD_URLS, REFUSED_URLS } from '../../test/url-corpus.ts'
import { parseCallbackUrl, parsePublicHttpsUrl, parseResultUrl } from './url-rules.ts'
import type { ParsedUrl } from './url-rules.ts'

const NO_HOSTS = new Set<string>()
const hrefOf = (parsed: ParsedUrl) => (parsed.problem === null ? parsed.href : parsed.problem)

test('every hostile callback URL is refused, each for its own reason', () => {
  for (const [text, problem] of REFUSED_URLS) {
    assert.equal(parseCallbackUrl(text, NO_HOSTS).problem, problem, JSON.stringify(text))
  }
})

test('every good callback URL is accepted, in its stored form', () => {
  assert.ok(GOOD_URLS.length >= 40)
  for (const [typed, stored] of GOOD_URLS)
    assert.equal(hrefOf(parseCallbackUrl(typed, NO_HOSTS)), stored, typed)
})

test('the stored form is accepted again and does not change', () => {
  for (const [, stored] of GOOD_URLS) assert.equal(hrefOf(parseCallbackUrl(stored, NO_HOSTS)), stored)
})

test('for any combination of parts, an accepted URL is in its stored form and has no userinfo or fragment', () => {
  const hosts = [...REFUSED_URLS, ...GOOD_URLS].map(([text]) => text.replace(/^https:\/\//, ''))
  const glue = fc.constantFrom(
    '',
    '@',
    ':',
    '/',
    '\\',
    '#',
    '?',
    '.',
    '%',
    ' ',
    '\t',
    '\u0000',
    '//',
    '[',
    ']',
    ':443',
  )
  const text = fc
    .tuple(fc.constantFrom(...hosts), glue, fc.constantFrom(...hosts))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (rest) => {
      const parsed = parseCallbackUrl(`https://${rest}`, NO_HOSTS)
      if (parsed.problem !== null) return
      const url = new URL(parsed.href)
      assert.equal(url.href, parsed.href)
      assert.equal(url.username + url.password + url.hash, '')
      assert.equal(url.hostname.replace(/^\[|\]$/g, ''), parsed.hostname)
      assert.match(parsed.href, /^https:\/\/[!-~]+$/)
      assert.equal(hrefOf(parseCallbackUrl(parsed.href, NO_HOSTS)), parsed.href)
    }),
    { numRuns: 5000, seed: 43 },
  )
})

test('the result for an accepted URL has the port, and the host without brackets', () => {
  const v6 = parseCallbackUrl('https://[2606:4700:4700:0::1111]:8443/x', NO_HOSTS)
  const href = 'https://[2606:4700:4700::1111]:8443/x'
  const common = { problem: null, isHttps: true, isExempt: false }
  assert.deepEqual(v6, { ...common, href, hostname: '2606:4700:4700::1111', port: 8443 })
  const name = parseCallbackUrl('https://shop.me/x', NO_HOSTS)
  assert.deepEqual(name, { ...common, href: 'https://shop.me/x', hostname: 'shop.me', port: 443 })
})

test('only an allowed pair of host and port may be plain http and private', () => {
  const allow = new Set(['localhost:4000', '127.0.0.1:80', '[::1]:4000', 'shop:443'])
  for (const url of [
    'http://localhost:4000/cb',
    'https://LOCALHOST:4000/cb',
    'http://127.0.0.1/cb',
    'http://127.1:80/',
  ]) {
    assert.equal(parseCallbackUrl(url, allow).problem, null, url)
  }
  assert.equal(parseCallbackUrl('http://[0::1]:4000/', allow).problem, null)
  assert.equal(parseCallbackUrl('https://shop/', allow).problem, null)
  assert.equal(parseCallbackUrl('http://localhost:4001/', allow).problem, 'scheme')
  assert.equal(parseCallbackUrl('https://localhost:4001/', allow).problem, 'host_name')
  assert.equal(parseCallbackUrl('http://127.0.0.1:4000/', allow).problem, 'scheme')
  assert.equal(parseCallbackUrl('https://127.0.0.1/', allow).problem, 'private_address')
})

test('an allowed host and port is still refused with userinfo, a malformed URL, another scheme or a fragment', () => {
  const allow = new Set(['localhost:4000'])
  assert.equal(parseCallbackUrl('http://a@localhost:4000/', allow).problem, 'userinfo')
  assert.equal(parseCallbackUrl('http:/localhost:4000/', allow).problem, 'malformed')
  assert.equal(parseCallbackUrl('ftp://localhost:4000/', allow).problem, 'scheme')
  assert.equal(parseCallbackUrl('http://localhost:4000/#x', allow).problem, 'fragment')
})

test('a result URL keeps its fragment, in a new project and in an update', () => {
  const spa = 'https://shop.me/#/paid'
  assert.equal(hrefOf(parseResultUrl(spa)), spa)
  assert.equal(hrefOf(parsePublicHttpsUrl(spa, NO_HOSTS)), spa)
})

test('the result URL of a new project may be plain http and on localhost', () => {
  for (const url of [
    'http://localhost:3000/paid',
    'http://127.0.0.1/',
    'https://shop.test/x',
    'http://shop.me:81/?a=b',
  ]) {
    assert.equal(hrefOf(parseResultUrl(url)), url)
  }
})

test('the result URL of a new project is refused for its length, form, scheme, userinfo or characters', () => {
  const stillRefused = new Set(['too_long', 'whitespace', 'malformed', 'userinfo', 'host_characters'])
  let checkedCount = 0
  for (const [text, problem] of REFUSED_URLS) {
    const isWebScheme = /^https?:/i.test(text)
    if (!stillRefused.has(problem) && (problem !== 'scheme' || isWebScheme)) continue
    checkedCount++
    assert.equal(parseResultUrl(text).problem, problem, JSON.stringify(text))
  }
  assert.ok(checkedCount >= 40, `only ${checkedCount} inputs`)
})

test('a host and port without a scheme is malformed, not an unknown scheme', () => {
  for (const text of ['localhost:3000/hvala', 'shop.example.com:8080', '127.0.0.1:80/x']) {
    assert.equal(parseResultUrl(text).problem, 'malformed', text)
    assert.equal(parseCallbackUrl(text, NO_HOSTS).problem, 'malformed', text)
  }
})

test('if an update changes the result URL, the new URL must be public https', () => {
  for (const [text, problem] of REFUSED_URLS) {
    if (problem === 'fragment') continue
    assert.equal(parsePublicHttpsUrl(text, NO_HOSTS).problem, problem, JSON.stringify(text))
  }
})

test('the host of a result URL or callback URL may have DNS characters only; all other characters are refused, even in percent-encoding', () => {
  const refused = [...'!"$&\'()*+,;=`{}~'].flatMap((sign) => [sign, encodeURIComponent(sign)])
  const hosts = [...refused.map((sign) => `shop${sign}x.me`), '*.shop.me', 'shop.me;', '%3Bshop.me', "a';b"]
  for (const host of hosts) {
    assert.equal(parseResultUrl(`http://${host}/`).problem, 'host_characters', host)
    assert.equal(parsePublicHttpsUrl(`https://${host}/`, NO_HOSTS).problem, 'host_characters', host)
    assert.equal(parseCallbackUrl(`https://${host}/`, NO_HOSTS).problem, 'host_characters', host)
  }
})

test('a host name with letters outside ASCII is stored as punycode, and an underscore in a host name is accepted', () => {
  assert.equal(hrefOf(parseResultUrl('http://šljiva.me/')), 'http://xn--ljiva-udb.me/')
  assert.equal(hrefOf(parseResultUrl('http://my_shop:8080/')), 'http://my_shop:8080/')
  assert.equal(hrefOf(parseResultUrl('http://[0::1]:8080/')), 'http://[::1]:8080/')
  // The same characters outside the host are accepted.
  assert.equal(hrefOf(parseResultUrl("https://shop.me/;,'*?a=(b)")), "https://shop.me/;,'*?a=(b)")
})
