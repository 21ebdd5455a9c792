import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKept } from './kept.ts'

test('an answer is made once, and again only after more than the bound were asked for', () => {
  const kept = createKept<string>(2)
  const made: string[] = []
  const ask = (key: string) =>
    kept(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  assert.deepEqual(['a', 'b', 'a', 'b'].map(ask), ['A', 'B', 'A', 'B'])
  assert.deepEqual(made, ['a', 'b'])
  assert.equal(ask('c'), 'C')
  assert.equal(ask('a'), 'A')
  assert.deepEqual(made, ['a', 'b', 'c', 'a'])
})
