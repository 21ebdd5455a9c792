import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(`${import.meta.dirname}/${name}`, 'utf8') }))

const SIGNATURE_WORDS = new Set(['sig', 'signature', 'signatures', 'mac', 'hmac', 'digest', 'hash', 'token'])
/** A comparison with undefined, null or a type reveals nothing. */
const HARMLESS = /(typeof )?[\w$.]+ [!=]==? (undefined|null|'string'|'function')/g
/** Calls that compare. */
const CALL = /\.equals\(|\bcompare\(|Object\.is\(|localeCompare|isDeepStrictEqual/

/** Finds calls that compare, and comparisons in which one side is named like a signature, such as givenMac. */
function findPlainCompare(text: string): string | null {
  const code = text
    .replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(HARMLESS, '')
  const call = CALL.exec(code)
  if (call) return call[0]
  for (const [compare, left = '', right = ''] of code.matchAll(/(\S+) [!=]==? (?=(\S+))/g)) {
    const words = `${left} ${right}`.match(/[A-Z]?[a-z]+/g) ?? []
    if (words.some((word) => SIGNATURE_WORDS.has(word.toLowerCase()))) return compare + right
  }
  return null
}

test('signatures are compared only with timingSafeEqual', () => {
  assert.ok(files.length > 10)
  for (const { name, text } of files) assert.equal(findPlainCompare(text), null, name)
})

const planted = [
  'if (sig === expected) return true',
  'return expected === sig',
  'if (givenMac !== wanted) return false',
  "return headers['webhook-signature'] === made",
  'return callback.hash == made',
  'return made != token',
  "if (hmac.digest('hex') === given) return true",
  'return expected.equals(given)',
  'return Buffer.compare(a, b) === 0',
  'return (\n    expected ===\n    givenSignature\n  )',
]
for (const line of planted) {
  test(`the search finds the planted line: ${line.replaceAll(/\s+/g, ' ')}`, () => {
    assert.notEqual(findPlainCompare(`const a = 1\n${line}\n`), null)
  })
}

test('HMACs are computed and compared in one file', () => {
  for (const word of ['createHmac', 'timingSafeEqual']) {
    assert.deepEqual(
      files.filter(({ text }) => new RegExp(`^[^/]*\\b${word}\\(`, 'm').test(text)).map(({ name }) => name),
      ['mac.ts'],
    )
  }
})

test('the SDK imports nothing but its own files, node:buffer and node:crypto', () => {
  for (const { name, text } of files) {
    for (const [, source = ''] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
      assert.match(source, /^(\.\/[\w-]+\.ts|node:(buffer|crypto))$/, name)
    }
  }
})

test('the machine’s clock is read in one file', () => {
  const readers = files.filter(({ text }) => /Date\.now\(|new Date\(/.test(text)).map(({ name }) => name)
  assert.deepEqual(readers, ['clock.ts'])
})
