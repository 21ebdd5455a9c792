import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLongFiles, findLongFunctions } from './lengths.ts'
import { sourceFile } from './source-file.ts'

test('a file of 251 lines is found, and a file of 250 is not', () => {
  assert.deepEqual(findLongFiles([sourceFile('sdk/src/a.ts', 'a\n'.repeat(250))]), [])
  assert.deepEqual(findLongFiles([sourceFile('sdk/src/a.ts', 'a\n'.repeat(251))]), [
    { file: 'sdk/src/a.ts', line: 251, text: '251 lines' },
  ])
})

test('a function of 81 lines is found at its first line, and a function of 80 is not', () => {
  const heads = ['function a<T>(b: { c: T }): { d: T } | null {', 'const a = (b: string): string => {']
  for (const head of heads) {
    assert.deepEqual(findLongFunctions([sourceFile('sdk/src/a.ts', `${head}${'\n'.repeat(79)}}`)]), [], head)
    assert.deepEqual(
      findLongFunctions([sourceFile('sdk/src/a.ts', `\n${head}${'\n'.repeat(80)}}`)]),
      [{ file: 'sdk/src/a.ts', line: 2, text: 'a function of 81 lines' }],
      head,
    )
  }
})

test('a file or function that gives the reason for its length is allowed', () => {
  const reason = '// Why this is long: it is one list.\n'
  assert.deepEqual(findLongFiles([sourceFile('sdk/src/a.ts', reason + 'a\n'.repeat(251))]), [])
  const long = `const a = (b: string): string => {${'\n'.repeat(80)}}`
  assert.deepEqual(findLongFunctions([sourceFile('sdk/src/a.ts', reason + long)]), [])
  const farFromReason = sourceFile('sdk/src/a.ts', `${reason}${'\n'.repeat(9)}${long}`)
  assert.equal(findLongFunctions([farFromReason]).length, 1)
  const withoutReason = sourceFile('sdk/src/a.ts', `// Why this is long:\n${'a\n'.repeat(251)}`)
  assert.equal(findLongFiles([withoutReason]).length, 1)
})
