import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLiveTarget } from './live-target.ts'

test('the target is the live URL if there is no test URL, or if both URLs are the same', () => {
  const apiUrl = 'https://a.me/'
  for (const [testApiUrl, isLive] of [
    [null, true],
    [apiUrl, true],
    ['https://t.me/', false],
  ] as const)
    assert.equal(isLiveTarget({ apiUrl, testApiUrl }), isLive)
})
