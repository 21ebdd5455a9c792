import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { EXCERPT_BYTES_MAX, toExcerpt, toSafeText } from './excerpt.ts'

/** Contains `+`, `/` and `=`, because some encodings below escape only these characters. */
const MAC = 'q+/X0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789+/='
const HASH = `eyJhbGciOiJIUzI1NiJ9.${'eyJldmVudCI6'.repeat(20)}.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ`
const SECRET = `sk_live_${'a1'.repeat(32)}`
const SENT_SIGNATURES = [SECRET, HASH, MAC]

const excerpt = (text: string | Buffer, isWhole = true) =>
  toExcerpt({ bytes: Buffer.from(text), isWhole }, SENT_SIGNATURES)

test('a response is stored unchanged, up to four kilobytes', () => {
  assert.equal(excerpt('ok'), 'ok')
  assert.equal(excerpt(''), null)
  assert.equal(excerpt('Narudžba plaćena\nhvala'), 'Narudžba plaćena\nhvala')
  assert.equal(excerpt('x'.repeat(9000))!.length, EXCERPT_BYTES_MAX)
})

type Encoder = (text: string) => string
const encodeEach = (write: (code: number, char: string) => string): Encoder => {
  return (text) => [...text].map((char) => write(char.charCodeAt(0), char)).join('')
}
const encodePunctuation = (write: (code: number) => string): Encoder => {
  return (text) => text.replaceAll(/[+/=]/g, (char) => write(char.charCodeAt(0)))
}
const hexOf = (code: number) => code.toString(16).padStart(2, '0')

/** Encodings in which the signature is cut out and the rest of the page is stored. */
const REMOVABLE_ENCODINGS: Readonly<Record<string, Encoder>> = {
  unchanged: (text) => text,
  'in JSON': (text) => JSON.stringify({ you: { sent: text } }),
  'in JSON as PHP writes it': (text) => JSON.stringify(text).replaceAll('/', String.raw`\/`),
  'in JSON as .NET writes it': encodePunctuation((code) => `\\u00${hexOf(code).toUpperCase()}`),
  'in a URL': (text) => `?sig=${encodeURIComponent(text)}`,
  'in a URL with lower-case digits': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  'in a URL twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in HTML as decimal entities': encodePunctuation((code) => `&#${code};`),
  'in HTML as hexadecimal entities': encodePunctuation((code) => `&#x${hexOf(code).toUpperCase()};`),
  'in HTML as named entities': (text) =>
    text.replaceAll('+', '&plus;').replaceAll('/', '&sol;').replaceAll('=', '&equals;'),
  'in HTML as Handlebars writes it': (text) => text.replaceAll('=', '&#x3D;'),
  'in HTML as Mustache writes it': (text) => text.replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;'),
}

/** Encodings in which the signature is found but cannot be cut out, so nothing of the response is stored. */
const OPAQUE_ENCODINGS: Readonly<Record<string, Encoder>> = {
  'as base64': (text) => Buffer.from(text).toString('base64'),
  'in a body as base64': (text) => Buffer.from(`{"sig":"${text}"}`).toString('base64'),
  'as base64url behind other letters': (text) => `body${Buffer.from(`x=${text}`).toString('base64url')}`,
  'as base64 in lines': (text) =>
    Buffer.from(text)
      .toString('base64')
      .replaceAll(/.{20}/g, (line) => `${line}\r\n  `),
  'as base64 of base64': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'as base64 of a URL-encoded text': (text) => Buffer.from(encodeURIComponent(text)).toString('base64'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in hexadecimal, spaced': encodeEach((code) => `${hexOf(code).toUpperCase()} `),
  'in hexadecimal with colons': encodeEach((code) => `${hexOf(code)}:`),
  'in hexadecimal as C writes it': encodeEach((code) => `0x${hexOf(code)}, `),
  'as a list of bytes': (text) => JSON.stringify(Buffer.from(text)),
  'as a list of bytes, one per line': (text) => JSON.stringify(Buffer.from(text), null, 4),
  'in lines': (text) => text.replaceAll(/.{10}/g, (line) => `${line}\n`),
  'in lines of a JSON text': (text) => JSON.stringify(text.replaceAll(/.{10}/g, (line) => `${line}\r\n`)),
  'letter by letter': encodeEach((_code, char) => `${char} `),
  'letter by letter between other characters': encodeEach((_code, char) => `|.|${char}`),
  'with each letter as a decimal entity': encodeEach((code) => `&#${code};`),
  'with each letter as a hexadecimal entity': encodeEach((code) => `&#x00${hexOf(code)};`),
  'with each letter escaped for a URL': encodeEach((code) => `%${hexOf(code)}`),
  'with each letter escaped three times': encodeEach((code) => `%2525${hexOf(code)}`),
  'with each letter escaped for JavaScript': encodeEach((code) => `\\u00${hexOf(code)}`),
  'with each letter escaped for Python': encodeEach((code) => `\\x${hexOf(code)}`),
  'in quoted-printable': (text) => text.replaceAll('=', '=3D').replaceAll(/.{20}/g, (line) => `${line}=\r\n`),
  'in UTF-16': encodeEach((_code, char) => `${char}\u0000`),
  'in UTF-16, big-endian': encodeEach((_code, char) => `\u0000${char}`),
  'in HTML twice': encodeEach((code) => `&amp;#${code};`),
}

/** The signatures are random each time, because some encodings change only some characters. */
function newSignatures(): string[] {
  const header = Buffer.from('{"alg":"HS256"}').toString('base64url')
  return [
    `sk_live_${randomBytes(32).toString('hex')}`,
    `${header}.${randomBytes(90).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
    randomBytes(32).toString('base64'),
  ]
}

/** No 16 consecutive characters of the signature may be stored. In a JWT, only the last part is the signature. */
function assertNoneOf(signature: string, stored: string): void {
  const signatureEnd = signature.slice(signature.lastIndexOf('.') + 1)
  for (let start = 0; start + 16 <= signatureEnd.length; start += 1)
    assert.ok(
      !stored.includes(signatureEnd.slice(start, start + 16)),
      `${stored} has a part of ${signatureEnd}`,
    )
}

for (const [place, encode] of Object.entries(REMOVABLE_ENCODINGS)) {
  test(`a signature echoed ${place} is removed, and the rest is stored`, () => {
    for (let round = 0; round < 12; round += 1) {
      const sent = newSignatures()
      for (const one of [...sent, `v1,${sent[2]}`, MAC]) {
        const page = { bytes: Buffer.from(`before ${encode(one)} after`), isWhole: true }
        const stored = toExcerpt(page, [...sent, MAC])!
        assert.match(stored, /before .*\[removed\].* after/s)
        assertNoneOf(one, stored)
        const location = toSafeText(`https://shop.me/?from=${encode(one)}&x=1`, 500, [...sent, MAC])
        assert.match(location, /^https:\/\/shop\.me\/\?from=.*\[removed\]/)
        assertNoneOf(one, location)
      }
    }
  })
}

for (const [place, encode] of Object.entries(OPAQUE_ENCODINGS)) {
  test(`a response with a signature echoed ${place} is not stored`, () => {
    for (let round = 0; round < 12; round += 1) {
      const sent = newSignatures()
      for (const one of sent) {
        const page = `before ${encode(one)} after`
        assert.equal(toExcerpt({ bytes: Buffer.from(page), isWhole: true }, sent), '[removed]')
        assert.equal(toSafeText(page, 500, sent), '[removed]')
        // The same page is stored if none of the sent signatures is in it. `slice` leaves out the new secret, because it
        // begins with sk_live_ like the secret in the page.
        const others = newSignatures().slice(1)
        assert.notEqual(toExcerpt({ bytes: Buffer.from(page), isWhole: true }, others), '[removed]')
      }
    }
  })
}

test('an ordinary page with numbers, hashes and images is stored', () => {
  const page = `<h1>500</h1> ${'5f1c'.repeat(20)} data:image/png;base64,${Buffer.alloc(900, 'a picture ').toString('base64')}
    [${[...Buffer.alloc(60, 'numbers ')].join(', ')}] %C5%A1 &amp; \\u0161 0x1f`
  assert.equal(excerpt(page), page)
})

test('a page full of text that looks encoded is decoded in a limited time', () => {
  // If decoding had no limits, the test would not finish.
  const nested = Buffer.from(Buffer.from('QUFB'.repeat(2_000)).toString('base64')).toString('base64')
  const pages = [
    nested,
    '%25'.repeat(6_000),
    '&amp;'.repeat(4_000),
    'a1'.repeat(8_000),
    '11,'.repeat(6_000),
  ].concat([
    '=3D3D'.repeat(4_000),
    '11 '.repeat(6_000),
    '\\u0025'.repeat(3_000),
    'eyJ-'.repeat(4_000),
    '- '.repeat(8_000),
  ])
  for (const page of pages)
    for (let time = 0; time < 20; time += 1) assert.ok(excerpt(page)!.length <= EXCERPT_BYTES_MAX)
})

test('secrets and tokens that were not sent with the callback are removed too', () => {
  const others = [
    `sk_test_${'b2'.repeat(32)}`,
    'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.',
    `v1,${randomBytes(32).toString('base64')}`,
  ]
  for (const one of others) assert.equal(excerpt(`<p>${one}</p>`), '<p>[removed]</p>')
})

test('a text that is cut does not end with the beginning of a secret', () => {
  for (let position = EXCERPT_BYTES_MAX - 100; position <= EXCERPT_BYTES_MAX; position += 7) {
    const stored = excerpt(`${'x'.repeat(position)}${SECRET}${MAC}`)!
    assert.doesNotMatch(stored, /sk_live|q\+\/X0/)
  }
})

test('the beginning of a signature at the end of a cut-off response is not stored', () => {
  const others = [`sk_test_${'b2'.repeat(32)}`, `v1,${randomBytes(32).toString('base64')}`]
  for (const sent of [...SENT_SIGNATURES, ...others]) {
    for (let length = 16; length < sent.length; length += 11) {
      const stored = excerpt(`${`${HASH} `.repeat(20)}they sent ${sent.slice(0, length)}`, false)!
      assert.match(stored, /they sent \S*\[removed\]$/)
      for (const one of SENT_SIGNATURES.slice(1)) assertNoneOf(one, stored)
    }
  }
  assert.equal(excerpt('short and cut off', false), 'short and cut off')
})

test('a token of which only the beginning was read is not stored', () => {
  const token = 'b2_'.repeat(15).slice(0, 43)
  for (let offset = 0; offset < token.length; offset += 3) {
    // The whole tokens are removed. This shortens the text that was read, so its end fits into the excerpt.
    const stored = excerpt(`${'x'.repeat(offset)} ${`${token} `.repeat(300)}`)!
    assert.doesNotMatch(stored, /(?:b2_){6}/)
  }
})

test('control characters of a response except line feeds are escaped, so that no response colours a terminal or reverses text', () => {
  const stored = excerpt('a\r\nfake log line\u001B[31mred\u202Etxt\u0000\u2028x\u200B')!
  assert.equal(
    stored,
    String.raw`a\u000d` + '\n' + String.raw`fake log line\u001b[31mred\u202etxt\u0000\u2028x\u200b`,
  )
})

test('bytes that are not text stay within the limit and can be stored', () => {
  for (const bytes of [randomBytes(16_384), gzipSync(randomBytes(8192)), Buffer.alloc(16_384)]) {
    const stored = toExcerpt({ bytes, isWhole: true }, SENT_SIGNATURES)!
    assert.ok(Buffer.byteLength(stored) <= EXCERPT_BYTES_MAX)
    assert.ok(stored.isWellFormed() && !stored.includes('\u0000'))
  }
})

test('a character is not cut in two', () => {
  const stored = excerpt('č'.repeat(4000))!
  assert.equal(Buffer.byteLength(stored), EXCERPT_BYTES_MAX)
  assert.ok(!stored.includes('\uFFFD'))
})

test('toSafeText cleans a short text, such as the target of a redirect, and cuts it to the given length', () => {
  assert.equal(
    toSafeText(`https://shop.me/?key=${SECRET}\r\nx`, 500),
    String.raw`https://shop.me/?key=[removed]\u000d` + '\nx',
  )
  assert.equal(toSafeText('y'.repeat(900), 500).length, 500)
})
