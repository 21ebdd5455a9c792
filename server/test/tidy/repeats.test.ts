import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRepeats } from './repeats.ts'
import { sourceFile } from './source-file.ts'

const makeLines = (count: number, name = 'line') => Array.from({ length: count }, (_, n) => `${name}(${n})`)

function check(...files: [path: string, lines: string[]][]): string[] {
  const found = checkRepeats(files.map(([path, text]) => sourceFile(path, text.join('\n'))))
  return found.map(({ file, line, text }) => `${file}:${line} ${text}`)
}

test('ten lines in a row are found if two files contain them, and nine lines are not found', () => {
  assert.deepEqual(check(['cli/src/a.ts', makeLines(9)], ['cli/src/b.ts', makeLines(9)]), [])
  assert.deepEqual(
    check(['cli/src/a.ts', ['', ...makeLines(10)]], ['cli/src/b.ts', ['a()', 'b()', ...makeLines(10)]]),
    ['cli/src/b.ts:3 these lines are also at cli/src/a.ts:2'],
  )
})

test('each block of repeated lines is one finding, however long the block is', () => {
  const [first, second] = [makeLines(25), makeLines(10, 'other')]
  assert.deepEqual(
    check(['sdk/src/a.ts', [...first, 'a()', ...second]], ['server/src/b.sql', [...second, 'b()', ...first]]),
    [
      'server/src/b.sql:1 these lines are also at sdk/src/a.ts:27',
      'server/src/b.sql:12 these lines are also at sdk/src/a.ts:1',
    ],
  )
})

test('repeated lines are found even if indentation, blank lines or closing brackets differ', () => {
  const changed = makeLines(10).flatMap((line) => [`    ${line}`, '', '  })'])
  assert.equal(check(['bench/a.ts', makeLines(10)], ['scripts/b.ts', changed]).length, 1)
})

test('ten repeated lines are found within one file, but one line that is repeated many times is not', () => {
  assert.equal(check(['bench/a.ts', [...makeLines(10), ...makeLines(10)]]).length, 1)
  assert.deepEqual(check(['bench/a.ts', Array.from({ length: 15 }, () => 'same()')]), [])
})

test('repeated imports and re-exports are allowed', () => {
  const imports = [
    ...makeLines(12).map((_, n) => `import { a${n} } from './a${n}.ts'`),
    "import './side-effect.ts'",
    "import type * as all from './all.ts'",
    "export * as portal from './portal.ts'",
    'export {',
    ...makeLines(12).map((_, n) => `  b${n},`),
    "} from './b.ts'",
  ]
  assert.deepEqual(check(['portal/src/a.ts', imports], ['portal/src/b.ts', imports]), [])
  const after = [...imports, ...makeLines(10)]
  assert.deepEqual(check(['portal/src/a.ts', after], ['portal/src/b.ts', after]), [
    'portal/src/b.ts:30 these lines are also at portal/src/a.ts:30',
  ])
})

test('migrations, samples and prose may repeat lines', () => {
  for (const [one, other] of [
    ['server/migrations/0001_a.sql', 'server/migrations/0002_b.sql'],
    ['examples/verify/shell/check.sh', 'examples/verify/shell/sign.sh'],
    ['docs/a.md', 'docs/b.md'],
  ] as const)
    assert.deepEqual(check([one, makeLines(20)], [other, makeLines(20)]), [], one)
})
