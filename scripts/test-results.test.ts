import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { ROOT } from './test-files.ts'
import { collectResults } from './test-results.ts'

const toPath = (file: string) => path.join(ROOT, file)

test('toReasons names files that failed, have no test or did not finish', () => {
  const results = collectResults([
    ['a.test.ts', 'b.test.ts', 'broken.test.ts', 'empty.test.ts', 'never.test.ts'],
    ['alone.test.ts'],
    ['alone-empty.test.ts'],
  ])
  results.pass({ name: 'works', nesting: 1, file: toPath('a.test.ts') })
  results.pass({ name: 'a.test.ts', nesting: 0, file: '/tmp/group.mjs' })
  results.fail({ name: 'does not work', nesting: 1, file: toPath('b.test.ts') })
  results.fail({ name: 'b.test.ts', nesting: 0, file: '/tmp/group.mjs' })
  results.fail({ name: 'broken.test.ts', nesting: 0, file: '/tmp/group.mjs' })
  results.pass({ name: 'empty.test.ts', nesting: 0, file: '/tmp/group.mjs' })
  results.fail({ name: 'does not work', nesting: 0, file: toPath('alone.test.ts') })
  results.pass({ name: toPath('alone-empty.test.ts'), nesting: 0, file: toPath('alone-empty.test.ts') })
  assert.deepEqual(results.toReasons(), [
    'b.test.ts failed',
    'broken.test.ts failed',
    'alone.test.ts failed',
    'empty.test.ts has no test',
    'alone-empty.test.ts has no test',
    'never.test.ts did not finish',
  ])
  assert.equal(results.toFailed(), null)
})

test('toReasons is empty if every file has tests and passes', () => {
  const results = collectResults([['a.test.ts', 'b.test.ts'], ['alone.test.ts']])
  for (const file of ['a.test.ts', 'b.test.ts']) {
    results.pass({ name: 'works', nesting: 1, file: toPath(file) })
    results.pass({ name: file, nesting: 0, file: '/tmp/group.mjs' })
  }
  results.pass({ name: 'works', nesting: 0, file: toPath('alone.test.ts') })
  results.fail({ name: 'later', nesting: 0, file: toPath('alone.test.ts'), todo: 'not built' })
  assert.deepEqual(results.toReasons(), [])
  assert.deepEqual(results.toFailed(), [])
})

test('for a file that fails outside its tests, the exit and the last output are reported', () => {
  const results = collectResults(
    [['late.test.ts'], ['a.test.ts', 'b.test.ts']],
    [toPath('late.test.ts'), '/tmp/group.mjs'],
  )
  for (const program of [toPath('late.test.ts'), '/tmp/group.mjs']) {
    results.pass({ name: 'works', nesting: 0, file: program })
    results.output({ message: 'Error: the page is closed\n', file: program })
  }
  for (const name of ['a.test.ts', 'b.test.ts']) {
    results.pass({ name: 'works', nesting: 1, file: toPath(name) })
    results.pass({ name, nesting: 0, file: '/tmp/group.mjs' })
  }
  const ended = (end: object) => ({ error: Object.assign(new Error('test failed'), end) })
  results.fail({ name: toPath('late.test.ts'), nesting: 0, details: ended({ exitCode: 1, signal: null }) })
  results.fail({ name: '/tmp/group.mjs', nesting: 0, details: ended({ exitCode: null, signal: 'SIGKILL' }) })
  assert.deepEqual(results.toReasons(), [
    'late.test.ts failed outside its tests (exit code 1)\n  Error: the page is closed',
    'a.test.ts, b.test.ts failed outside its tests (SIGKILL)\n  Error: the page is closed',
  ])
  assert.deepEqual(results.toFailed(), ['late.test.ts', 'a.test.ts', 'b.test.ts'])
})

test('a test that is defined in another file belongs to the test file that node ran', () => {
  const results = collectResults([['journeys.test.ts']])
  const entryFile = toPath('journeys.test.ts')
  results.fail({ name: 'does not work', nesting: 0, file: toPath('journeys/account.ts'), entryFile })
  results.pass({ name: 'works', nesting: 0, file: entryFile, entryFile })
  assert.deepEqual(results.toReasons(), ['journeys.test.ts failed'])
  assert.deepEqual(results.toFailed(), ['journeys.test.ts'])
})
