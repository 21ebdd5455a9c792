import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFieldErrors } from './field-errors.ts'

type Issue = Parameters<typeof toFieldErrors>[0][number]

const toIssue = (
  keyword: string,
  path: string,
  params: Record<string, unknown> = {},
  message = '',
): Issue => ({
  keyword,
  instancePath: path,
  schemaPath: '',
  params,
  message,
})

test('if an integer breaks our own rule and the library’s limit, our rule is reported, whichever is found first', () => {
  const libraryIssue = toIssue('too_big', '/amount', { origin: 'int', maximum: Number.MAX_SAFE_INTEGER })
  const ownIssue = toIssue('too_big', '/amount', { origin: 'number', maximum: 100 })
  const expected = [{ path: 'amount', code: 'out_of_range', params: { max: 100 } }]
  for (const issues of [
    [libraryIssue, ownIssue],
    [ownIssue, libraryIssue],
  ])
    assert.deepEqual(toFieldErrors(issues), expected)
})

test('each field is reported once, with its first problem, in the order in which the problems were found', () => {
  const issues = [
    toIssue('too_small', '/name', { origin: 'string', minimum: 3 }),
    toIssue('custom', '/name', { params: { code: 'later' } }),
    toIssue('custom', '/items/0/url', { params: { code: 'not_https', host: 'a' } }),
  ]
  assert.deepEqual(toFieldErrors(issues), [
    { path: 'name', code: 'too_short', params: { min: 3 } },
    { path: 'items.0.url', code: 'not_https', params: { host: 'a' } },
  ])
})

for (const [caseName, one, expected] of [
  ['a missing field', toIssue('invalid_type', '/a', {}, 'received undefined'), { code: 'required' }],
  [
    'a missing field that may have one of several types',
    toIssue('invalid_union', '/a', {
      errors: [
        [{ code: 'invalid_type', message: 'expected string, received undefined' }],
        [{ code: 'invalid_type', message: 'expected number, received undefined' }],
      ],
    }),
    { code: 'required' },
  ],
  [
    'a value that has none of the allowed types',
    toIssue('invalid_union', '/a', { errors: [[{ code: 'invalid_type', message: 'received boolean' }]] }),
    { code: 'invalid' },
  ],
  ['a value of the wrong type', toIssue('invalid_type', '/a', {}, 'received number'), { code: 'wrong_type' }],
  ['an empty text', toIssue('too_small', '/a', { origin: 'string', minimum: 1 }), { code: 'required' }],
  [
    'a number that is too small',
    toIssue('too_small', '/a', { origin: 'number', minimum: 1 }),
    { code: 'out_of_range', params: { min: 1 } },
  ],
  [
    'a text that is too long',
    toIssue('too_big', '/a', { origin: 'string', maximum: 5 }),
    { code: 'too_long', params: { max: 5 } },
  ],
  [
    'a value that is not in the list',
    toIssue('invalid_value', '/a', { values: ['x', 'y'] }),
    { code: 'not_one_of', params: { values: 'x, y' } },
  ],
  ['a broken rule that names no code', toIssue('custom', '/a'), { code: 'invalid' }],
  ['a broken rule of an unknown kind', toIssue('other', '/a'), { code: 'invalid' }],
] as const)
  test(`${caseName} is reported as ${expected.code}`, () => {
    assert.deepEqual(toFieldErrors([one]), [{ path: 'a', ...expected }])
  })

test('very many unknown fields are reported in linear time', () => {
  // If each field were compared with all fields before it, this test would exceed the run's time limit.
  const keys = Array.from({ length: 400_000 }, (_, n) => `key-${n}`)
  assert.equal(toFieldErrors([toIssue('unrecognized_keys', '', { keys })]).length, keys.length)
})

test('every unknown field is reported, even inside another field', () => {
  const issues = [
    toIssue('unrecognized_keys', '', { keys: ['x', 'y'] }),
    toIssue('unrecognized_keys', '/in', { keys: ['z'] }),
  ]
  assert.deepEqual(
    toFieldErrors(issues).map(({ path, code }) => `${path} ${code}`),
    ['x unknown_field', 'y unknown_field', 'in.z unknown_field'],
  )
})
