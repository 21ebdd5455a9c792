import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCodeTokens } from './code-tokens.ts'

test('code is divided into tokens without losing a character', () => {
  const code = `const amount = '15' + 7 // cents`
  const tokens = toCodeTokens(code, 'typescript')
  assert.deepEqual(
    tokens.map(({ kind, text }) => `${kind ?? '-'}:${text}`),
    ['k:const', '-: amount = ', `s:'15'`, '-: + ', 'n:7', '-: ', 'c:// cents'],
  )
  assert.equal(tokens.map(({ text }) => text).join(''), code)
})

test('code in an unknown language is one token', () => {
  assert.deepEqual(toCodeTokens('const a', 'cobol'), [{ kind: null, text: 'const a' }])
})
