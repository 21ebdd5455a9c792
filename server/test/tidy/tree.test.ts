import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readTree } from './tree.ts'

test('without git, the folders are read, and files that .gitignore names are left out', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'pazar-tidy-'))
  t.after(() => rmSync(root, { recursive: true }))
  const written = {
    '.gitignore': 'node_modules/\n*.log\n.env\n',
    '.env': '',
    'a.log': '',
    'node_modules/b.ts': '',
    'server/node_modules/c.ts': '',
    'server/src/d.ts': 'const d = 1\n',
  }
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const files = readTree(root)
  assert.deepEqual(
    files.map((file) => file.path),
    ['.gitignore', 'server/src/d.ts'],
  )
  assert.equal(files[1]?.tokens.length, 4)
})
