import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPortalLayers } from './portal-layers.ts'
import { sourceFile } from './source-file.ts'

const packages = ['contract', 'words', 'sdk'].map((name) =>
  sourceFile(`${name}/package.json`, JSON.stringify({ name: `@pazar/${name}`, exports: './src/index.ts' })),
)

function check(path: string, text: string): string[] {
  return checkPortalLayers([...packages, sourceFile(path, text)]).map(({ line, text }) => `${line} ${text}`)
}

test('a layer may import from itself and from the layers after it (app → pages → parts → api → ui)', () => {
  assert.deepEqual(check('portal/src/main.tsx', `import './styles.css'\nimport './app/router.tsx'`), [])
  assert.deepEqual(check('portal/src/app/router.tsx', `const a = import('../pages/keys/page.tsx')`), [])
  assert.deepEqual(
    check('portal/src/pages/keys/page.tsx', `import './card.tsx'\nimport '../../parts/a.tsx'`),
    [],
  )
  assert.deepEqual(check('portal/src/parts/a/b.tsx', `import '../../api/c.ts'\nimport '../d.ts'`), [])
  assert.deepEqual(check('portal/src/api/c.ts', `import '../ui/language.ts'`), [])
})

test('a layer may not import from a layer before it, not even a type', () => {
  assert.deepEqual(check('portal/src/pages/keys/page.tsx', `import '../../app/frame.tsx'`), [
    '1 pages may not import from app (../../app/frame.tsx)',
  ])
  assert.equal(check('portal/src/parts/a.tsx', `import type { A } from '../pages/keys/page.tsx'`).length, 1)
  assert.equal(check('portal/src/api/a.ts', `import '../parts/b.tsx'`).length, 1)
  assert.equal(check('portal/src/ui/a.tsx', `import '../api/call.ts'`).length, 1)
  assert.equal(check('portal/src/pages/keys/page.tsx', `import '../../main.tsx'`).length, 1)
})

test('a page may not import another page', () => {
  assert.deepEqual(check('portal/src/pages/keys/page.tsx', `\nimport '../link/qr.ts'`), [
    '2 the page keys may not import from the page link (../link/qr.ts)',
  ])
})

test('of our packages, `ui` may import only `words`', () => {
  assert.deepEqual(check('portal/src/ui/a.tsx', `import { a } from '@pazar/words'\nimport 'react'`), [])
  assert.equal(check('portal/src/ui/a.tsx', `import type { A } from '@pazar/contract'`).length, 1)
  assert.deepEqual(check('portal/src/api/a.ts', `import type { A } from '@pazar/contract'`), [])
})

test('a file outside the layers is found', () => {
  assert.match(check('portal/src/common/a.ts', '')[0] ?? '', /common is not one of the layers app → pages/)
})
