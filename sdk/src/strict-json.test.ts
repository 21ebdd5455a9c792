import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countRounds } from '../../server/test/counts.ts'
import { findJsonObject, parseStrictJson, StrictJsonError } from './strict-json.ts'
import type { JsonPath, StrictJsonProblem } from './strict-json.ts'

function findRefusal(text: string, maxDepth = 8): { problem: StrictJsonProblem; path: JsonPath } | null {
  try {
    parseStrictJson(text, { maxDepth })
    return null
  } catch (error) {
    assert.ok(error instanceof StrictJsonError, `${String(error)} is not a StrictJsonError`)
    return { problem: error.problem, path: error.path }
  }
}

test('ordinary JSON is parsed exactly as by JSON.parse', () => {
  const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })
  fc.assert(
    fc.property(value, (json) => {
      const text = JSON.stringify(json, null, 1)
      fc.pre(!/__proto__|prototype/.test(text))
      assert.deepEqual(parseStrictJson(text, { maxDepth: 16 }), JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

test('random text is parsed or refused as by JSON.parse, except for duplicate keys', (t) => {
  const tokens = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"b"',
    '1',
    'null',
    ' ',
    '\\"',
    '\\u0061',
    '-',
  ]
  const randomText = fc.array(fc.constantFrom(...tokens), { maxLength: 12 }).map((parts) => parts.join(''))
  let validCount = 0
  fc.assert(
    fc.property(randomText, (text) => {
      const outcome = findRefusal(text)
      try {
        const plain: unknown = JSON.parse(text)
        if (outcome === null) assert.deepEqual(parseStrictJson(text, { maxDepth: 8 }), plain)
        else assert.equal(outcome.problem, 'duplicate_key')
        validCount += 1
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
        assert.ok(outcome !== null, `accepted ${text}`)
      }
    }),
    { numRuns: countRounds('forgeries', t) },
  )
  assert.ok(validCount > 0, 'no text of the run was valid JSON')
})

const duplicates: [text: string, path: JsonPath][] = [
  ['{"customId":"a","customId":"b"}', ['customId']],
  ['{"a":1,"b":2,"a":1}', ['a']],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['{"":1,"":2}', ['']],
  ['[0,{"x":{"y":1,"y":2}}]', [1, 'x', 'y']],
  ['{"a":[{},{"k":"{\\"k\\":1}","k":2}]}', ['a', 1, 'k']],
  ['{"a":{"b":1},"a":{}}', ['a']],
  ['{"constructor":1,"constructor":2}', ['constructor']],
  ['{"\\"":1,"\\u0022":2}', ['"']],
]
for (const [text, path] of duplicates) {
  test(`the repeated key in ${text} is refused with its path`, () => {
    assert.deepEqual(findRefusal(text), { problem: 'duplicate_key', path })
  })
}

test('equal keys of different objects, and strings that look like keys, are not duplicates', () => {
  for (const text of [
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}}}',
    '{"a":"a","b":"a"}',
    '{"a":"\\",\\"a\\":"}',
  ]) {
    assert.equal(findRefusal(text), null, text)
  }
})

const prototypeKeys: [text: string, path: JsonPath][] = [
  ['{"__proto__":{"admin":true}}', ['__proto__']],
  ['{"a":[{"__proto__":1}]}', ['a', 0, '__proto__']],
  ['{"\\u005f_proto__":1}', ['__proto__']],
  ['{"constructor":{"prototype":{"admin":true}}}', ['constructor', 'prototype']],
  ['{"x":{"constructor":{"y":1,"prototyp\\u0065":1}}}', ['x', 'constructor', 'prototype']],
]
for (const [text, path] of prototypeKeys) {
  test(`the prototype key in ${text} is refused`, () => {
    assert.deepEqual(findRefusal(text), { problem: 'forbidden_key', path })
  })
}

test('"prototype" and "constructor" alone are ordinary keys', () => {
  for (const text of ['{"prototype":1}', '{"constructor":"a"}', '{"constructor":[{"prototype":1}]}']) {
    assert.equal(findRefusal(text), null, text)
  }
})

test('JSON with one level more than the limit is too_deep', () => {
  assert.equal(findRefusal('1', 0), null)
  assert.deepEqual(findRefusal('{}', 0), { problem: 'too_deep', path: [] })
  assert.equal(findRefusal('{"a":[[]]}', 3), null)
  assert.deepEqual(findRefusal('{"a":[5,[]]}', 2), { problem: 'too_deep', path: ['a', 1] })
  assert.equal(findRefusal('[[],[],[]]', 2), null)
  assert.equal(findRefusal('"[[[[["', 0), null)
})

test('an object is refused if the depth limit is not a number', () => {
  assert.equal(findRefusal('{}', Number.NaN)?.problem, 'too_deep')
})

test('a million brackets are refused without a stack overflow', () => {
  const brackets = '['.repeat(1_000_000)
  assert.equal(findRefusal(brackets)?.problem, 'too_deep')
  assert.equal(findRefusal('{"a":'.repeat(200_000))?.problem, 'too_deep')
  assert.equal(findRefusal(brackets, Number.MAX_SAFE_INTEGER)?.problem, 'malformed')
})

const malformedTexts = [
  '',
  ' ',
  '{',
  '{"a"',
  '{"a":}',
  '{"a":1,}',
  '[1,]',
  '"',
  '"\\',
  '"\\x"',
  '01',
  'NaN',
  '\ufeff{}',
]
malformedTexts.push(
  "{'a':1}",
  '{"a":1}}',
  '{"a":1]',
  '{"\\q":1}',
  '1 2',
  '"\u0001"',
  ']',
  ',',
  '{,}',
  'undefined',
)
for (const text of malformedTexts) {
  test(`${JSON.stringify(text)} is malformed`, () => {
    assert.equal(findRefusal(text)?.problem, 'malformed')
  })
}

test('an error does not quote the text', () => {
  assert.throws(
    () => parseStrictJson('{"password":"hunter2" oops', { maxDepth: 4 }),
    (error: Error) => !`${error.message} ${error.stack} ${JSON.stringify(error)}`.includes('hunter2'),
  )
})

test('findJsonObject refuses bytes that are not UTF-8 or begin with a byte order mark, and JSON that is not an object or repeats a key', () => {
  const find = (bytes: Uint8Array) => findJsonObject(bytes, { maxDepth: 4 })
  assert.deepEqual(find(Buffer.from('{"a":"ž"}')), { a: 'ž' })
  assert.equal(find(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), null)
  assert.equal(find(Buffer.from('\ufeff{}')), null)
  for (const text of ['[]', 'null', '"{}"', '1', '{"a":1,"a":2}']) assert.equal(find(Buffer.from(text)), null)
})
