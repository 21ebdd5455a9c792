import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from '../../test/cross-site-matrix.ts'
import { isAllowedOrigin } from './cross-site-guard.ts'

test('the list of same-site and cross-site requests has forty rows', () => {
  assert.equal(CROSS_SITE_MATRIX.length, 40)
})

for (const [index, row] of CROSS_SITE_MATRIX.entries()) {
  test(`row ${index + 1}: ${row.what} ${row.passes ? 'passes' : 'is refused'}`, () => {
    const { 'sec-fetch-site': fetchSite, origin, referer } = row.headers
    assert.equal(isAllowedOrigin({ fetchSite, origin, referer }, OWN_ORIGIN), row.passes)
  })
}
