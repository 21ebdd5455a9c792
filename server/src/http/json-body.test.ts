import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../lib/service-error.ts'
import { parseJsonBody } from './json-body.ts'

const REFUSED_BODIES: [what: string, body: string | Buffer, code: string][] = [
  ['no JSON', 'hello', 'malformed'],
  ['trailing text', '{} x', 'malformed'],
  ['a comment', '{/**/}', 'malformed'],
  ['a repeated key', '{"a":1,"a":2}', 'duplicate_key'],
  ['a key repeated with an escape', '{"a":1,"\\u0061":2}', 'duplicate_key'],
  ['__proto__', '{"__proto__":{"x":1}}', 'forbidden_key'],
  ['17 levels', '['.repeat(17) + ']'.repeat(17), 'too_deep'],
  ['10,000 levels', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), 'too_deep'],
  ['NUL in a text', '{"name":"a\\u0000b"}', 'invalid_text'],
  ['half a surrogate pair', '{"name":"\\ud800"}', 'invalid_text'],
  ['NUL in a key', '{"a\\u0000":1}', 'invalid_text'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'not_utf8'],
]

for (const [caseName, body, code] of REFUSED_BODIES) {
  test(`a body with ${caseName} is refused as ${code}`, () => {
    assert.throws(
      () => parseJsonBody(Buffer.from(body as string)),
      (error: unknown) =>
        error instanceof ServiceError && error.code === 'invalid_request' && error.fields[0]?.code === code,
    )
  })
}

test('the error has the path of the invalid text', () => {
  assert.throws(
    () => parseJsonBody(Buffer.from('{"a":{"b":["ok","\\u0000"]}}')),
    (error: unknown) => error instanceof ServiceError && error.fields[0]?.path === 'a.b.1',
  )
})

test('the value of a valid body is returned unchanged', () => {
  assert.deepEqual(parseJsonBody(Buffer.from('{"a":[1,"š €",null,{"b":true}]}')), {
    a: [1, 'š €', null, { b: true }],
  })
})

test('an empty body counts as an empty object', () => {
  assert.deepEqual(parseJsonBody(Buffer.alloc(0)), {})
})
