// Runs the style rules over the files of this repository. Each rule has its own test in tidy/, which shows that the
// rule finds violations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULES } from './tidy/rules.ts'
import type { Finding } from './tidy/source-file.ts'
import { readTree } from './tidy/tree.ts'

const files = readTree()

test('the list of files contains the source files and package files of workspaces, but nothing from node_modules', () => {
  const paths = files.map((file) => file.path)
  for (const path of [
    'package.json',
    'server/src/lib/clock.ts',
    'server/test/tidy.test.ts',
    'sdk/package.json',
  ])
    assert.ok(paths.includes(path), `${path} is missing from the list of files`)
  assert.ok(
    !paths.some((path) => path.includes('node_modules/')),
    'installed packages are in the list of files',
  )
})

for (const { promise, check } of RULES) {
  test(promise, () => {
    const findings = check(files)
    if (findings.length > 0) assert.fail([`${promise}:`, ...findings.map(toLine)].join('\n'))
  })
}

function toLine({ file, line, text }: Finding): string {
  return `${file}:${line} ${text}`
}
