import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBannedWords } from './banned-words.ts'
import { sourceFile } from './source-file.ts'

function check(path: string, text: string): string[] {
  return checkBannedWords([sourceFile(path, text)]).map(({ line, text }) => `${line} ${text}`)
}

test('a banned word is found in comments, identifiers, texts, docs and file names', () => {
  assert.deepEqual(check('server/src/a.ts', '\n// It starts anew.'), ['2 "anew": write again'])
  for (const [path, text] of [
    ['server/src/a.ts', 'interface StreamWish {}'],
    ['server/src/a.ts', 'const IS_WISHED = 1'],
    ['words/src/en/a.ts', "const a = 'Mend the first one first'"],
    ['docs/a.md', 'Whoever has the token reads them.'],
    ['server/test/a.test.ts', "test('a lane that healed', () => {})"],
    ['portal/src/wished.ts', ''],
    ['bench/a.ts', '// The nearest one at hand.'],
  ] as const)
    assert.equal(check(path, text).length, 1, text)
})

test('banned words are allowed in stored names, in landed migrations and as a part of longer words', () => {
  assert.deepEqual(check('server/src/a.ts', "'update lanes set healed_at = now()'"), [])
  assert.deepEqual(check('server/migrations/0010_a.sql', '-- Healed lanes are told anew.'), [])
  assert.deepEqual(check('server/src/a.ts', '// Recommended, commend, health, what handles it.'), [])
})
