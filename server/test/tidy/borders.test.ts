import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBorders, checkCycles } from './borders.ts'
import { sourceFile } from './source-file.ts'

const packages = [
  sourceFile('package.json', JSON.stringify({ name: 'pazar' })),
  sourceFile('server/package.json', JSON.stringify({ name: '@pazar/server' })),
  sourceFile('words/package.json', JSON.stringify({ name: '@pazar/words', exports: './src/index.ts' })),
  sourceFile(
    'sdk/package.json',
    JSON.stringify({
      name: '@pazar/sdk',
      exports: { '.': { default: './src/index.ts' }, './link': './src/link.ts' },
    }),
  ),
]

test('an import cycle is found once, at the import that closes it', () => {
  const files = [
    sourceFile('server/src/lib/a.ts', `import { b } from './b.ts'`),
    sourceFile('server/src/lib/b.ts', `import { c } from './c.ts'`),
    sourceFile('server/src/lib/c.ts', `\nimport type { A } from './a.ts'`),
    sourceFile('server/src/lib/d.ts', `import { a } from './a.ts'`),
  ]
  assert.deepEqual(checkCycles(files), [
    {
      file: 'server/src/lib/c.ts',
      line: 2,
      text: 'these imports form a cycle: server/src/lib/a.ts → server/src/lib/b.ts → server/src/lib/c.ts → server/src/lib/a.ts',
    },
  ])
})

test('an import cycle through package names and their subpaths is found', () => {
  const files = [
    ...packages,
    sourceFile('words/src/index.ts', `import { link } from '@pazar/sdk/link'`),
    sourceFile('sdk/src/link.ts', `import { sign } from '@pazar/sdk'`),
    sourceFile('sdk/src/index.ts', `import { w } from '@pazar/words'`),
  ]
  assert.equal(checkCycles(files).length, 1)
})

test('two import paths to the same file are not a cycle', () => {
  const files = [
    sourceFile('sdk/src/a.ts', `import './b.ts'\nimport './c.ts'`),
    sourceFile('sdk/src/b.ts', `import './c.ts'`),
    sourceFile('sdk/src/c.ts', ''),
  ]
  assert.deepEqual(checkCycles(files), [])
})

test('an import path that leaves its package is found, except in tests and in the scripts of the root', () => {
  const leaving = `import { w } from '../../words/src/index.ts'`
  const [finding, ...rest] = checkBorders([...packages, sourceFile('server/src/a.ts', `\n${leaving}`)])
  assert.deepEqual([finding?.line, rest], [2, []])
  assert.match(finding?.text ?? '', /leaves server\/: import the other package by its name/)
  const allowed = [
    sourceFile('server/src/a.ts', `import '@pazar/words'\nimport './lib/b.ts'\nimport '../package.json'`),
    sourceFile('server/src/a.test.ts', leaving),
    sourceFile('scripts/a.ts', `import '../server/src/b.ts'`),
  ]
  assert.deepEqual(checkBorders([...packages, ...allowed]), [])
})
