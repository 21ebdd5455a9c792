import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemo } from './memoize.ts'

test('a value is computed once, and computed again only after the cache was full and cleared', () => {
  const memo = createMemo<string>(2)
  const computedKeys: string[] = []
  const read = (key: string) =>
    memo(key, () => {
      computedKeys.push(key)
      return key.toUpperCase()
    })
  assert.deepEqual(['a', 'b', 'a', 'b'].map(read), ['A', 'B', 'A', 'B'])
  assert.deepEqual(computedKeys, ['a', 'b'])
  assert.equal(read('c'), 'C')
  assert.equal(read('a'), 'A')
  assert.deepEqual(computedKeys, ['a', 'b', 'c', 'a'])
})
