import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReadable, sourceFile } from './source-file.ts'
import { findClosingIndex, matchesAt, tokenize } from './tokens.ts'

function toTexts(source: string): string[] {
  return tokenize(source).map(({ kind, text }) => `${kind} ${text}`)
}

test('quotes inside comments and comments inside quotes are not split', () => {
  assert.deepEqual(toTexts(`a // it's\n'b // c' /* "d" */ "it's"`), [
    'word a',
    "comment // it's",
    'string b // c',
    'comment /* "d" */',
    "string it's",
  ])
})

test('a slash after a name is a division, and a slash after `=` or `return` starts a regular expression', () => {
  assert.deepEqual(toTexts(`a / b / 'c'`), ['word a', 'punct /', 'word b', 'punct /', 'string c'])
  assert.deepEqual(toTexts(`= /['"/]\\/[/]/g`), ['punct =', `regex /['"/]\\/[/]/g`])
  assert.deepEqual(toTexts(`return /'/`), ['word return', `regex /'/`])
})

test('the text of a template comes first, then the tokens of its substitutions', () => {
  assert.deepEqual(toTexts('`a ${{ b: `c` }} d` / e'), [
    'template a ${} d',
    'punct ${',
    'punct {',
    'word b',
    'punct :',
    'template c',
    'punct }',
    'punct }',
    'punct /',
    'word e',
  ])
})

test('line breaks inside templates, comments and strings are counted', () => {
  const last = tokenize("/*\n\n*/ `a\n${\nb}` 'c\\\nd'\ne").at(-1)
  assert.deepEqual({ text: last?.text, line: last?.line }, { text: 'e', line: 7 })
})

test('the closing bracket is found even after nested brackets and substitutions', () => {
  const tokens = tokenize('{ a: `${b}`, c: { d } } e')
  assert.equal(tokens[findClosingIndex(tokens, 0) + 1]?.text, 'e')
})

test('a text in quotes does not match the same text as code', () => {
  assert.equal(matchesAt(tokenize('a.b'), 0, 'a', '.', 'b'), true)
  assert.equal(matchesAt(tokenize(`a.'b'`), 0, 'a', '.', 'b'), false)
})

test('a file that cannot be tokenized is reported with its line', () => {
  assert.deepEqual(checkReadable([sourceFile('server/src/lib/a.ts', 'const a = `b`\n')]), [])
  const planted = [
    sourceFile('sdk/src/a.ts', `\nconst a = 'b\n`),
    sourceFile('portal/src/b.tsx', `<p>it's</p>`),
  ]
  assert.deepEqual(
    checkReadable(planted).map(({ file, line }) => `${file}:${line}`),
    ['sdk/src/a.ts:2', 'portal/src/b.tsx:1'],
  )
  assert.equal(checkReadable([sourceFile('sdk/src/a.ts', 'a\n`b ${c')]).length, 1)
})
