import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shorten } from './shorten.ts'

test('a text of more than 120 characters loses its middle, and one of 120 is not changed', () => {
  const longest = 'a'.repeat(120)
  assert.equal(shorten(longest), longest)
  assert.equal(shorten(`${'a'.repeat(100)}${'b'.repeat(100)}`), `${'a'.repeat(60)}…${'b'.repeat(60)}`)
})
