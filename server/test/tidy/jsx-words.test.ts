import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDirection } from './direction.ts'
import { checkJsxWords } from './jsx-words.ts'
import { checkReadable, sourceFile } from './source-file.ts'

function check(text: string): string[] {
  return checkJsxWords([sourceFile('portal/src/pages/x/page.tsx', text)]).map(
    ({ line, text }) => `${line} ${text}`,
  )
}

test('text between tags is found if it is alone, before a value, or spread over lines', () => {
  assert.equal(check('<p>Hello</p>').length, 1)
  assert.equal(check('<p>{count} payments</p>').length, 0) // Known gap: text after a value is not found.
  assert.deepEqual(check('<div>\n  <p>\n    Your payment\n  </p>\n</div>'), [
    '2 these words belong in the catalogue: Your payment',
  ])
  assert.equal(check('<h1>Payments {n}</h1>').length, 1)
})

test('words in attributes that are shown or read aloud are found', () => {
  assert.equal(check('<button aria-label="Close" />').length, 1)
  assert.equal(check('<Field label="Name" />').length, 1)
})

test('words from the catalogue, code, types, symbols and comments are allowed', () => {
  const page = `// Say <b>nothing</b> here.
    const [open, setOpen] = useState<Map<string, number>>(new Map())
    const list = useQuery<string>({ queryKey })
    return <ul className="grid gap-2">{items.map((one) => <li key={one.id}>{one.name} · {words.until} →</li>)}</ul>`
  assert.deepEqual(check(page), [])
})

test('in JSX a closing tag is not read as the start of a regular expression', () => {
  const file = sourceFile('portal/src/x.tsx', "const a = <p><b>{x}</b></p>\nconst b = 'it' / 2")
  assert.deepEqual(checkReadable([file]), [])
  assert.ok(file.tokens.some(({ kind, text }) => kind === 'string' && text === 'it'))
})

test('`portal` may import `words` and the types of `contract`, but no values from the index of `contract` and nothing from `server`', () => {
  const files = [
    sourceFile('package.json', '{"name":"root"}'),
    sourceFile('contract/package.json', '{"name":"@pazar/contract","exports":"./src/index.ts"}'),
    sourceFile('words/package.json', '{"name":"@pazar/words","exports":"./src/index.ts"}'),
    sourceFile(
      'portal/src/x.tsx',
      `import { formatMoney } from '@pazar/words'\nimport type { A } from '@pazar/contract'\n` +
        `import { b } from '@pazar/contract'\nimport { c } from '../../server/src/lib/id.ts'`,
    ),
  ]
  assert.deepEqual(
    checkDirection(files).map(({ line }) => line),
    [3, 4],
  )
})
