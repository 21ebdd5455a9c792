import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReview } from './parse-review.ts'

test('the filter "in review" lists only payments in review, and the filters "failed" and "expired" leave them out', () => {
  assert.equal(parseReview('in_review'), true)
  assert.deepEqual(['failed', 'expired'].map(parseReview), [false, false])
  assert.deepEqual(['succeeded', 'refunded', undefined].map(parseReview), [undefined, undefined, undefined])
})
