import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDirection } from './direction.ts'
import { sourceFile } from './source-file.ts'

const packages = ['contract', 'words', 'theme', 'sdk', 'server'].map((name) => {
  const exports = {
    '.': './src/index.ts',
    './limits': './src/limits.ts',
    './exam-requests': './src/exam-requests.ts',
    './order-verdict': './src/order-verdict.ts',
  }
  return sourceFile(`${name}/package.json`, JSON.stringify({ name: `@pazar/${name}`, exports }))
})

function check(path: string, text: string): string[] {
  return checkDirection([...packages, sourceFile(path, text)]).map(({ line, text }) => `${line} ${text}`)
}

test('a folder may import from itself and from folders that come later in the order', () => {
  const text = `
    import { settle } from './settle.ts'
    import { claim } from '../callbacks/claim.ts'
    import type { Money } from '../lib/money.ts'
    import { sign } from '@pazar/sdk'
    import { z } from 'zod'`
  assert.deepEqual(check('server/src/payments/confirm.ts', text), [])
})

test('a folder may not import from folders that come earlier in the order, not even a type', () => {
  assert.deepEqual(
    check('server/src/callbacks/claim.ts', `\nimport type { P } from '../payments/payment.ts'`),
    ['2 server/src/callbacks may not import from server/src/payments (../payments/payment.ts)'],
  )
  assert.equal(check('server/src/lib/id.ts', `export { a } from '../db/pool.ts'`).length, 1)
  assert.equal(check('server/src/http/problem.ts', `const a = await import('../../src/app.ts')`).length, 1)
  assert.equal(check('contract/src/a.ts', `import { w } from '@pazar/words'`).length, 1)
})

test('folders in the same row of the order may not import each other, except for the pairs in WITHIN_A_GROUP', () => {
  assert.equal(check('server/src/backends/a.ts', `import '../http/b.ts'`).length, 1)
  assert.equal(check('server/src/lib/a.ts', `import '../config.ts'`).length, 1)
  assert.equal(check('server/src/demo/a.ts', `import '../main.ts'`).length, 1)
  assert.equal(check('theme/src/a.ts', `import '@pazar/words'`).length, 1)
  assert.equal(check('server/src/wire.ts', `import './app.ts'`).length, 1)
  assert.deepEqual(check('server/src/app.ts', `import './wire.ts'`), [])
  assert.deepEqual(check('server/src/config.ts', `import './lib/a.ts'`), [])
  assert.deepEqual(check('server/src/main.ts', `import './demo/a.ts'`), [])
  assert.deepEqual(check('server/src/cli/a.ts', `import '../demo/b.ts'`), [])
  assert.deepEqual(check('server/src/demo/a.ts', `import '../wire.ts'`), [])
})

test('a folder that is not in the order is found', () => {
  const [finding] = check('server/src/invoices/a.ts', '')
  assert.match(finding ?? '', /server\/src\/invoices is not in the order: add it to SERVER_ORDER/)
})

test('the server may not import from its tests, and tests may import from anywhere', () => {
  assert.equal(check('server/src/wire.ts', `import '../test/harness.ts'`).length, 1)
  assert.deepEqual(check('server/src/lib/id.test.ts', `import '../wire.ts'`), [])
})

test('`cli` may import `words` and the types of `contract`, but no values from the index of `contract` and nothing from `server`', () => {
  assert.deepEqual(
    check('cli/src/a.ts', `import '@pazar/words'\nimport type { A } from '@pazar/contract'`),
    [],
  )
  assert.equal(check('cli/src/a.ts', `import { a } from '@pazar/contract'`).length, 1)
  assert.equal(check('cli/src/a.ts', `import { a } from '@pazar/server'`).length, 1)
})

test('`portal` and `cli` may import values from the small files of `contract`, but `sdk` may not', () => {
  for (const part of ['limits', 'exam-requests', 'order-verdict']) {
    for (const path of ['portal/src/a.ts', 'cli/src/a.ts'])
      assert.deepEqual(check(path, `import { A } from '@pazar/contract/${part}'`), [], path)
    assert.equal(check('sdk/src/a.ts', `import { A } from '@pazar/contract/${part}'`).length, 1)
  }
})

test('the SDK may import only types from the contract', () => {
  assert.deepEqual(check('sdk/src/a.ts', `import type { A } from '@pazar/contract'`), [])
  assert.deepEqual(check('sdk/src/a.ts', `import { type A } from '@pazar/contract'`), [
    '1 sdk may import only types from contract: write "import type"',
  ])
})
