import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { EXCERPT_BYTES_MAX, toExcerpt, toSafeText } from './excerpt.ts'

/** With every character of base64 that some format writes differently. */
const MAC = 'q+/X0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789+/='
const HASH = `eyJhbGciOiJIUzI1NiJ9.${'eyJldmVudCI6'.repeat(20)}.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ`
const SECRET = `sk_live_${'a1'.repeat(32)}`
const SENT = [SECRET, HASH, HASH.split('.')[2]!, `v1,${MAC}`, MAC]

const excerpt = (text: string | Buffer, isWhole = true) =>
  toExcerpt({ bytes: Buffer.from(text), isWhole }, SENT)

test('an answer is kept as it is, up to four kilobytes', () => {
  assert.equal(excerpt('ok'), 'ok')
  assert.equal(excerpt(''), null)
  assert.equal(excerpt('Narudžba plaćena\nhvala'), 'Narudžba plaćena\nhvala')
  assert.equal(excerpt('x'.repeat(9000))!.length, EXCERPT_BYTES_MAX)
})

for (const [where, echo] of Object.entries({
  'as it was': (text: string) => text,
  'in JSON': (text: string) => JSON.stringify({ you: { sent: text } }),
  'in JSON as PHP writes it': (text: string) => JSON.stringify(text).replaceAll('/', String.raw`\/`),
  'in a URL': (text: string) => `?sig=${encodeURIComponent(text)}`,
  'in a URL with small letters': (text: string) =>
    encodeURIComponent(text).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  'in HTML by number': (text: string) =>
    text.replaceAll('+', '&#43;').replaceAll('/', '&#47;').replaceAll('=', '&#61;'),
  'in HTML by hexadecimal number': (text: string) =>
    text.replaceAll('+', '&#x2B;').replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;'),
})) {
  test(`what we signed is taken out of an echo, written ${where}`, () => {
    for (const sent of SENT) {
      const kept = excerpt(`before ${echo(sent)} after`)!
      assert.match(kept, /before .*\[removed\].* after/s)
      assert.ok(!kept.includes(MAC.slice(4, 30)), kept)
      assert.ok(!kept.includes(HASH.slice(-40)), kept)
      assert.ok(!kept.includes(SECRET.slice(8, 40)), kept)
    }
  })
}

test('secrets of others and tokens are taken out too', () => {
  const others = [
    `sk_test_${'b2'.repeat(32)}`,
    'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.',
    `v1,${randomBytes(32).toString('base64')}`,
  ]
  for (const one of others) assert.equal(excerpt(`<p>${one}</p>`), '<p>[removed]</p>')
})

test('it is cleaned before it is cut: no half of a secret stays at the end', () => {
  for (let at = EXCERPT_BYTES_MAX - 100; at <= EXCERPT_BYTES_MAX; at += 7) {
    const kept = excerpt(`${'x'.repeat(at)}${SECRET}${MAC}`)!
    assert.doesNotMatch(kept, /sk_live|q\+\/X0/)
  }
})

test('half of a signature at the end of a cut-off answer is not kept', () => {
  for (const sent of SENT) {
    for (let length = 4; length < sent.length; length += 11) {
      const kept = excerpt(`${`${HASH} `.repeat(30)}they sent ${sent.slice(0, length)}`, false)!
      assert.match(kept, /they sent \[removed\]$/)
    }
  }
  assert.equal(excerpt('short and cut off', false), 'short and cut off')
})

test('nothing in it can forge a line, colour a terminal or turn the text round', () => {
  const kept = excerpt('a\r\nfake log line\u001B[31mred\u202Etxt\u0000\u2028x\u200B')!
  assert.equal(
    kept,
    String.raw`a\u000d` + '\n' + String.raw`fake log line\u001b[31mred\u202etxt\u0000\u2028x\u200b`,
  )
})

test('bytes that are no text stay within the bound and can be stored', () => {
  for (const bytes of [randomBytes(16_384), gzipSync(randomBytes(8192)), Buffer.alloc(16_384)]) {
    const kept = toExcerpt({ bytes, isWhole: true }, SENT)!
    assert.ok(Buffer.byteLength(kept) <= EXCERPT_BYTES_MAX)
    assert.ok(kept.isWellFormed() && !kept.includes('\u0000'))
  }
})

test('a character is not cut in two', () => {
  const kept = excerpt('č'.repeat(4000))!
  assert.equal(Buffer.byteLength(kept), EXCERPT_BYTES_MAX)
  assert.ok(!kept.includes('\uFFFD'))
})

test('short texts of strangers are cleaned and bounded', () => {
  assert.equal(
    toSafeText(`https://shop.me/?key=${SECRET}\r\nx`, 500),
    String.raw`https://shop.me/?key=[removed]\u000d` + '\nx',
  )
  assert.equal(toSafeText('y'.repeat(900), 500).length, 500)
})
