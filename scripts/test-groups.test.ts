import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { findTestFiles } from './test-files.ts'
import { toGroups, writePrograms } from './test-groups.ts'

test('every test file is in exactly one group, and some files run alone', () => {
  const files = findTestFiles()
  const groups = toGroups(files)
  assert.deepEqual(groups.flat().toSorted(), files)
  const alone = groups.filter(({ length }) => length === 1).flat()
  assert.ok(alone.includes('server/test/portal/journeys.test.ts'))
  assert.ok(alone.includes('examples/upstream/src/upstream.test.ts'))
  assert.ok(groups.length < files.length / 4)
})

test('a group runs its files one after the other and reports each under its own name', () => {
  const programs = writePrograms([['sdk/src/adapters.test.ts', 'scripts/test-files.test.ts']])
  try {
    const [program = ''] = programs.paths
    // With NODE_TEST_CONTEXT, node would report to the outer run and print nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const output = execFileSync(process.execPath, [program], { env, encoding: 'utf8' })
    assert.match(output, /✔ sdk\/src\/adapters\.test\.ts .*[^]*✔ scripts\/test-files\.test\.ts /)
  } finally {
    programs.remove()
  }
})
