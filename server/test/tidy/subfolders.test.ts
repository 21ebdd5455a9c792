import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from './source-file.ts'
import { checkSubfolders } from './subfolders.ts'

const signIn = sourceFile('server/src/accounts/sign-in.ts', `import { queue } from './mail/queue.ts'`)
const signUp = sourceFile('server/src/accounts/sign-up.ts', `import { queue } from './mail/queue.ts'`)

test('if a folder and a folder inside it import each other, the direction with fewer imports is found', () => {
  const worker = sourceFile('server/src/accounts/mail/worker.ts', `\nimport type { Deps } from '../deps.ts'`)
  assert.deepEqual(checkSubfolders([signIn, signUp, worker]), [
    {
      file: 'server/src/accounts/mail/worker.ts',
      line: 2,
      text: 'server/src/accounts/mail and server/src/accounts import each other: remove this import (../deps.ts)',
    },
  ])
})

test('imports in one direction only, imports in tests, imports between unrelated folders, and imports from or to a file directly in src are allowed', () => {
  const routes = sourceFile('server/src/accounts/tokens/routes.ts', `import { guard } from '../guards.ts'`)
  const worker = sourceFile('server/src/accounts/mail/worker.ts', `import { Db } from '../../db/pool.ts'`)
  const inTest = sourceFile('server/src/accounts/mail/worker.test.ts', `import { Deps } from '../deps.ts'`)
  const app = sourceFile('server/src/app.ts', `import { routes } from './accounts/tokens/routes.ts'`)
  const lib = sourceFile('server/src/lib/a.ts', `import type { Config } from '../config.ts'`)
  assert.deepEqual(checkSubfolders([signIn, routes, worker, inTest, app, lib]), [])
})
