import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReview } from './parse-review.ts'

test('a payment in review is listed by its own choice and not as failed or expired', () => {
  assert.equal(parseReview('in_review'), true)
  assert.deepEqual(['failed', 'expired'].map(parseReview), [false, false])
  assert.deepEqual(['succeeded', 'refunded', undefined].map(parseReview), [undefined, undefined, undefined])
})
