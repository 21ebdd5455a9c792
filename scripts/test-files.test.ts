import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTestFiles, leaveOutProveOnly, ONLY_IN_PROVE, sortSlowFirst } from './test-files.ts'

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

test('a whole `npm test` leaves out the listed files and no others', () => {
  const all = findTestFiles()
  const listed = ONLY_IN_PROVE.map(([file]) => file)
  assert.deepEqual(
    listed.filter((file) => !all.includes(file)),
    [],
    'every listed file exists',
  )
  assert.equal(leaveOutProveOnly(all).length, all.length - listed.length)
})
