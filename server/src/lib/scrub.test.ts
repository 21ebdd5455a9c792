import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { signJwt, signWebhook } from '@pazar/sdk'
import { issueSecret } from '../secrets/issue.ts'
import { createLogger } from './logger.ts'
import { newToken } from './id.ts'
import { scrubSecrets } from './scrub.ts'

const secret = issueSecret('live')
const SECRETS: [what: string, text: string][] = [
  ['a live secret', secret],
  ['a test secret', issueSecret('test')],
  ['a restricted Stripe key', `rk_live_${randomBytes(16).toString('hex')}`],
  ['a Stripe webhook secret', `whsec_${randomBytes(16).toString('hex')}`],
  ['a session token', newToken()],
  ['a JWT', signJwt({ a: 1 }, secret)],
  [
    'a webhook signature',
    signWebhook({ id: 'msg_1', timestampSec: 1, body: 'x', secret })['webhook-signature'],
  ],
  ['an API token', `pat_${randomBytes(24).toString('base64url')}`],
  ['a password hash', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA'],
]

const ESCAPES = [
  ...['\\n', '\\t', '\\\\n', '\\u000a', '\\u001B', '\\x0a', '%3D', '%20', '%22', '%253d', '%u000a'],
  ...['\u001B[31m', '\\u001b[m', '\\u001b[1;31m'],
]

for (const [caseName, text] of SECRETS) {
  test(`${caseName} is removed from any text`, () => {
    for (const surrounded of [
      text,
      `"${text}"`,
      `secret=${text}&x=1`,
      `before ${text}, after`,
      `\n${text}\n`,
    ]) {
      assert.equal(scrubSecrets(surrounded).includes(text), false, surrounded)
    }
  })
  test(`${caseName} is removed after an escape, and the escape stays`, () => {
    for (const escape of ESCAPES) assert.equal(scrubSecrets(`a${escape}${text}`), `a${escape}[removed]`)
  })
  test(`${caseName} is removed from every field of a log line`, () => {
    const lines: string[] = []
    const log = createLogger('debug', { out: { write: (line) => lines.push(line) } })
    const error = Object.assign(new Error(`broken near ${text}`), { detail: `Key (x)=(${text}) exists` })
    log.info({ value: text, nested: { deep: [text] } }, `message ${text}`)
    log.error({ err: error }, 'failed')
    log.info({ value: `:\n${text}` }, `settings:\n\t${text}`)
    log.error({ err: new Error(`bad setting\n${text}`) })
    assert.equal(lines.length, 4)
    assert.equal(lines.join('').includes(text), false)
    const logged = { value: ':\n[removed]', msg: 'settings:\n\t[removed]' }
    assert.partialDeepStrictEqual(JSON.parse(lines[2]!), logged)
  })
}

const TOKEN_CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-']
const tokenRun = fc.integer({ min: 34, max: 46 }).chain((length) => {
  const character = fc.constantFrom(...TOKEN_CHARACTERS)
  return fc
    .array(character, { minLength: length, maxLength: length })
    .map((characters) => characters.join(''))
})
/**
 * Each secret in a generated text stands between two of these characters. A log line contains many of them as escapes. An
 * escape such as \n ends with a letter, which then stands directly before the secret.
 */
const DELIMITERS = [...' \n\r\t\b\f\0\u0001\u000e\u001f"\\:,<é\u2028', '\ud83d']
const delimiter = fc.constantFrom(...DELIMITERS)
const PIECES = [
  ...DELIMITERS,
  '\\n',
  '\\u00',
  '\\\\',
  'n',
  'u000e',
  '%3D',
  '\u001B[31m',
  'eyJ',
  'yJ',
  '.a.b',
  'k_live_abcdefgh',
]
const piece = fc.oneof(
  fc.constantFrom(...PIECES, 'rk_live_abcdefgh', '$argon2id$x', 'v1,', JSON.stringify('a"\\\n')),
  tokenRun,
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const token = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))
const text = fc
  .array(
    fc.oneof(
      piece.map((plain) => ({ plain, secret: '' })),
      fc.record({
        plain: delimiter,
        secret: fc.oneof(token, fc.constantFrom(...SECRETS.map(([, one]) => one))),
        end: delimiter,
      }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => ({
    whole: parts.map((part) => part.plain + part.secret + ('end' in part ? part.end : '')).join(''),
    secrets: parts.map((part) => part.secret).filter((one) => one !== ''),
  }))

test('a log line with any texts and secrets is valid JSON, and neither the line nor its values have a secret', () => {
  fc.assert(
    fc.property(text, text, ({ whole, secrets }, other) => {
      const lines: string[] = []
      createLogger('info', { out: { write: (line) => lines.push(line) } }).info({ value: whole }, other.whole)
      const { value, msg } = JSON.parse(lines[0]!) as { value: string; msg?: string }
      for (const secret of [...secrets, ...other.secrets])
        for (const scrubbed of [lines[0]!, value, msg ?? '', scrubSecrets(whole)])
          assert.ok(!scrubbed.includes(secret), secret)
    }),
    { numRuns: 3_000 },
  )
})

test('in a log line, an escape stays whole even if its letters look like the beginning of a secret', () => {
  const run = 'x'.repeat(42)
  for (const [value, logged] of [
    [`:\n${run}`, ':\n[removed]'],
    [`:\u000e${run.slice(4)}`, ':\u000e[removed]'],
    [':\rk_live_abcdefgh', ':\r[removed]'],
    [':\u000eyJ.a.b', ':\u000e[removed]'],
    ['a "$argon2id$v=19$abc"', 'a "[removed]"'],
    // Here, a backslash and the letter n follow the colon. They are no escape, so the n is removed with the token.
    [`:\\n${run}`, ':\\[removed]'],
  ] as const) {
    const lines: string[] = []
    createLogger('info', { out: { write: (line) => lines.push(line) } }).info({ value }, 'x')
    assert.equal((JSON.parse(lines[0]!) as { value: string }).value, logged)
  }
  assert.equal(scrubSecrets(`:\\n${run}`), ':\\n[removed]')
})

test('a password hash is removed whole, also if its slashes are escaped', () => {
  for (const slash of ['\\/', '\\\\/', '\\u002f'])
    assert.equal(scrubSecrets(`{"a":"$argon2id$v=19$ab${slash}cd$ef${slash}gh"}`), '{"a":"[removed]"}')
})

test('ordinary text is not changed', () => {
  const text =
    'Narudžba 7 · msg_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f · 0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f · https://shop.example.com/x'
  assert.equal(scrubSecrets(text), text)
  for (const word of ['compat_version_2', 'task_test_results', 'a%3Dcompat_version_2', '\\ncompat_version_2'])
    assert.equal(scrubSecrets(word), word)
})

test('a JWT is removed at any position, even after an escape, and other text with dots is not changed', () => {
  const jwt = signJwt({ a: 1 }, secret)
  for (const prefix of ['%3D', 'a.b.', '-', '_x', 'token='])
    assert.equal(scrubSecrets(prefix + jwt).includes(jwt.slice(3)), false, prefix)
  assert.equal(scrubSecrets('eyJ.one-dot only'), 'eyJ.one-dot only')
})

test('a text with many possible JWT starts is scanned in linear time', () => {
  // If each of the 200,000 beginnings were scanned to the end, this test would exceed the run's time limit.
  const text = `${'eyJ-'.repeat(100_000)}.${'eyJ-'.repeat(100_000)}`
  assert.equal(scrubSecrets(text), text)
})

test('a text with many escapes is scanned in linear time', () => {
  for (const part of ['%25', '\\n', '\\u000a', '\\x0a', '252525', '[31m', '[1;1;1;', 'a', '-'])
    assert.equal(scrubSecrets(part.repeat(200_000)), part.repeat(200_000))
})
