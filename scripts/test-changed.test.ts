import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from '../server/test/tidy/source-file.ts'
import { selectAffected, selectDatabaseTests } from './test-changed.ts'

const FILES: Readonly<Record<string, string>> = {
  'words/package.json': '{ "name": "@pazar/words", "exports": "./src/index.ts" }',
  'words/src/index.ts': `export * from './money.ts'`,
  'words/src/money.ts': '',
  'server/src/pay.ts': `import { money } from '@pazar/words'`,
  'server/src/types.ts': `import type { Pay } from './pay.ts'`,
  'server/src/main.ts': `import './pay.ts'`,
  'server/test/process.ts': `const main = join(import.meta.dirname, '../src/main.ts')`,
  'server/test/database.ts': '',
  'server/test/tidy.test.ts': '',
  'server/test/start.test.ts': `import './process.ts'`,
  'server/src/pay.test.ts': `import './pay.ts'`,
  'server/src/types.test.ts': `import './types.ts'`,
  'server/src/rows.test.ts': `import '../test/database.ts'`,
  'server/test/browser.ts': '',
  'server/test/page.test.ts': `import './browser.ts'\nimport './database.ts'`,
}

const files = Object.entries(FILES).map(([path, text]) => sourceFile(path, text))
const tests = Object.keys(FILES).filter((path) => path.endsWith('.test.ts'))
const affectedBy = (...changed: string[]) => selectAffected(tests, changed, files).toSorted()

test('a changed file affects the tests that import it, also through a package or a started program', () => {
  assert.deepEqual(affectedBy('words/src/money.ts'), [
    'server/src/pay.test.ts',
    'server/test/start.test.ts',
    'server/test/tidy.test.ts',
  ])
})

test('a changed file does not affect tests that import only its types', () => {
  assert.ok(!affectedBy('server/src/pay.ts').includes('server/src/types.test.ts'))
})

test('a changed test affects itself', () => {
  assert.deepEqual(affectedBy('server/src/types.test.ts'), [
    'server/src/types.test.ts',
    'server/test/tidy.test.ts',
  ])
})

test('a migration affects every test that has a database', () => {
  assert.deepEqual(affectedBy('server/migrations/0099_x.sql'), [
    'server/src/rows.test.ts',
    'server/test/page.test.ts',
    'server/test/tidy.test.ts',
  ])
})

test('a change of the packages or of the runner affects every test, and without a change no test is affected', () => {
  for (const file of ['package-lock.json', 'scripts/test-run.ts'])
    assert.deepEqual(affectedBy(file), tests.toSorted(), file)
  assert.deepEqual(affectedBy(), [])
})

test('selectDatabaseTests chooses the tests that use a database and no browser', () => {
  assert.deepEqual(selectDatabaseTests(tests, files), ['server/src/rows.test.ts'])
})
