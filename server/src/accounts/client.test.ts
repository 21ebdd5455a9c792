import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStoredUserAgent } from './client.ts'

test('a stored user agent is cut to 200 characters, and has no control or format characters', () => {
  assert.equal(toStoredUserAgent(undefined), '')
  assert.equal(toStoredUserAgent('Testko/1.0\r\nBcc: x\u202Ecod\u0000'), 'Testko/1.0Bcc: xcod')
  assert.equal(toStoredUserAgent('x'.repeat(300)).length, 200)
})
