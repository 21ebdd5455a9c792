import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames } from './names.ts'
import { sourceFile } from './source-file.ts'

function check(path: string): string[] {
  return checkNames([sourceFile(path, '')]).map(({ text }) => text)
}

test('a file or folder name that is not kebab-case is found', () => {
  assert.deepEqual(check('server/src/payLinks/parse.ts'), ['"payLinks" is not in kebab-case'])
  assert.deepEqual(check('sdk/src/pay_link.ts'), ['"pay_link.ts" is not in kebab-case'])
})

test('vague names such as "utils" and "helpers" are found', () => {
  for (const path of [
    'server/src/utils/a.ts',
    'sdk/src/helpers.ts',
    'server/test/test-helpers.ts',
    'words/src/common.ts',
  ])
    assert.equal(check(path).length, 1, path)
})

test('kebab-case names and the naming conventions of other languages are allowed', () => {
  const paths = [
    'server/src/egress/public-fetch.test.ts',
    'server/src/accounts/common-passwords.ts',
    'server/migrations/0001_first_tables.sql',
    'scripts/preload.cjs',
    'examples/verify/VerifyCallback.java',
    'README.md',
  ]
  for (const path of paths) assert.deepEqual(check(path), [], path)
})
