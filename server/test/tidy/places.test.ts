import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkClock, checkConsole, checkEnvironment, checkRoutes, checkSql } from './places.ts'
import { sourceFile } from './source-file.ts'
import type { Rule } from './source-file.ts'

function findLines(rule: Rule, path: string, text: string): number[] {
  return rule([sourceFile(path, text)]).map(({ line }) => line)
}

test('every kind of SQL statement is found outside a store, in lower and upper case', () => {
  const statements = [
    "'select id from project where owner_id = $1'",
    '`\n  SELECT ${columns} FROM payment`',
    "'Select count(*) from payment'",
    "'select 1'",
    '"insert into project (id) values ($1)"',
    '`update ${table} set state = $1`',
    "'delete from session where id = $1'",
    '`with due as (select 1) select * from due`',
    "'create unique index concurrently a on b (c)'",
    "'alter table a add column b int'",
    "'begin isolation level serializable'",
    "'set local lock_timeout = 100'",
    'sql`where id = ${id}`',
    "tx.query('commit')",
    "run('rollback')",
  ]
  for (const statement of statements)
    assert.deepEqual(findLines(checkSql, 'server/src/payments/settle.ts', `a\n${statement}`), [2], statement)
})

test('sentences that begin like SQL are allowed, and stores, db and tests may contain SQL', () => {
  const sentences = [
    "'Select a project from the list'",
    '`Select ${name}`',
    "'Select project'",
    "'Update your settings'",
    "'Delete project'",
    "'Create project'",
    "'With a test key'",
    "'commit'",
    "'begin'",
    "'Set session cookie'",
    '// select id from project',
  ]
  for (const sentence of sentences)
    assert.deepEqual(findLines(checkSql, 'words/src/en.ts', `a(${sentence}\n)`), [], sentence)
  assert.deepEqual(findLines(checkSql, 'server/src/a/watch-restore.ts', `\na('select 1')`), [2])
  for (const path of [
    'server/src/a/store.ts',
    'server/src/a/b-store.ts',
    'server/src/db/c.ts',
    'server/src/a.test.ts',
  ])
    assert.deepEqual(findLines(checkSql, path, `a('select 1')`), [], path)
})

test('a URL registered outside a routes file is found', () => {
  const calls = [
    `app.get('/pay', show)`,
    `app.post<{ Body: A<B> }>(path, confirm)`,
    `fastify.route({ url: '/pay' })`,
    `app.withTypeProvider<Zod>().post('/pay', confirm)`,
  ]
  for (const call of calls)
    assert.deepEqual(findLines(checkRoutes, 'server/src/checkout/confirm.ts', `\n${call}`), [2], call)
})

test('routes files may register URLs, and calls such as `seen.get(key)` do not count as registrations', () => {
  for (const path of ['server/src/a/routes.ts', 'server/src/a/portal-routes.ts', 'examples/shop/src/shop.ts'])
    assert.deepEqual(findLines(checkRoutes, path, `app.get('/a', b)`), [], path)
  assert.deepEqual(
    findLines(checkRoutes, 'server/src/a.ts', `seen.get(key); seen.delete('a'); all('/b')`),
    [],
  )
})

test('the environment may be read only in config, scripts, examples, the bench and some listed files', () => {
  const readings = [
    'process.env.PORT',
    `process['env']`,
    'const { env } = process',
    `import { env } from 'node:process'`,
    'import.meta.env.MODE',
  ]
  for (const reading of readings)
    assert.deepEqual(findLines(checkEnvironment, 'server/src/a.test.ts', `\n${reading}`), [2], reading)
  for (const path of [
    'server/src/config.ts',
    'server/test/counts.ts',
    'scripts/a.ts',
    'examples/shop/src/a.ts',
  ])
    assert.deepEqual(findLines(checkEnvironment, path, 'process.env.PORT'), [], path)
  assert.deepEqual(findLines(checkEnvironment, 'sdk/src/a.ts', `const { pid } = process // process.env`), [])
})

test('in the server and its packages, only lib/clock and tests may read the time or create a Date', () => {
  for (const clockRead of ['Date.now()', 'new Date()', 'new Date(ms)', 'Date()', 'const now = Date.now'])
    for (const path of ['server/src/a.ts', 'words/src/a.ts'])
      assert.deepEqual(findLines(checkClock, path, `\n${clockRead}`), [2], clockRead)
  assert.deepEqual(findLines(checkClock, 'server/src/lib/clock.ts', 'Date.now()'), [])
  assert.deepEqual(findLines(checkClock, 'server/src/a.test.ts', 'new Date(0)'), [])
  assert.deepEqual(
    findLines(checkClock, 'server/src/a.ts', 'function at(time: Date) { return Date.UTC(2026) }'),
    [],
  )
})

test('the SDK may read the time only in its own clock', () => {
  const clockRead = 'export const readNowSec = () => Math.floor(Date.now() / 1000)'
  assert.deepEqual(findLines(checkClock, 'sdk/src/clock.ts', clockRead), [])
  assert.deepEqual(findLines(checkClock, 'sdk/src/verify.ts', clockRead), [1])
})

test('only main, the commands, scripts, examples, the bench and tests may write to the console', () => {
  assert.deepEqual(findLines(checkConsole, 'server/src/http/a.ts', `\nconsole.log('a')`), [2])
  assert.deepEqual(findLines(checkConsole, 'sdk/src/a.ts', `console['error']('a')`), [1])
  for (const path of ['server/src/main.ts', 'server/src/cli/a.ts', 'scripts/a.ts', 'server/test/a.ts'])
    assert.deepEqual(findLines(checkConsole, path, `console.log('a')`), [], path)
  assert.deepEqual(findLines(checkConsole, 'server/src/a.ts', `page.on('console', show) // console.log`), [])
})
