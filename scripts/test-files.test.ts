import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findTestFiles, isAtOrBelow, ROOT, sortSlowFirst } from './test-files.ts'

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

test('every path in a command of docs/proof.md has tests', () => {
  const proof = readFileSync(path.join(ROOT, 'docs/proof.md'), 'utf8')
  const commands = [...proof.matchAll(/`npm (?:test|run prove) -- ([^`]+)`/g)].map(([, paths = '']) => paths)
  const paths = commands.flatMap((command) => command.split(' ')).filter((one) => /^[\w.]/.test(one))
  assert.ok(paths.length > 300, String(paths.length))
  const files = findTestFiles()
  const missing = paths.filter((one) => !files.some((file) => isAtOrBelow(file, path.join(ROOT, one))))
  assert.deepEqual(missing, [])
})
