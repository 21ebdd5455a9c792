import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTestFiles, sortSlowFirst } from './test-files.ts'

test('browser tests and waiting tests alternate, short tests run last, and no test is left out', () => {
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
