import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTestFiles, sortSlowFirst } from './test-files.ts'

test('sortSlowFirst alternates browser tests and waiting tests, and puts short tests last', () => {
  const sorted = sortSlowFirst([
    'sdk/src/a.test.ts',
    'server/test/a.test.ts',
    'server/test/faults/a.test.ts',
    'server/test/portal/a.test.ts',
    'server/test/portal/b.test.ts',
  ])
  assert.deepEqual(sorted, [
    'server/test/portal/a.test.ts',
    'server/test/faults/a.test.ts',
    'server/test/portal/b.test.ts',
    'server/test/a.test.ts',
    'sdk/src/a.test.ts',
  ])
  const all = findTestFiles()
  assert.deepEqual(sortSlowFirst(all).toSorted(), all)
})
