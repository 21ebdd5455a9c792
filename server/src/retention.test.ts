import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { startPayments } from '../test/payments.ts'
import { STALE } from './accounts/cleanup-store.ts'
import { STALE_TABLES } from './accounts/cleanup.ts'
import { DELETE_OLD, DELETE_OLD_TESTS } from './callbacks/retention-store.ts'
import { statement } from './db/pool.ts'
import { DELETE_OLD_FILES } from './portal/files-store.ts'
import { RETENTION } from './retention.ts'

const { deps } = await startPayments()

test('the list of retention times has every table of the database, and no other', async () => {
  const tables = await rows<{ name: string }>(
    deps.db,
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  assert.deepEqual(
    tables.map(({ name }) => name).toSorted(),
    Object.keys(RETENTION).toSorted(),
    'server/src/retention.ts and docs/data.md must list each table with its retention time or a reason',
  )
})

test('docs/data.md has one row for each table, and the row names the retention time if the list has one', async () => {
  const text = await readFile(path.join(import.meta.dirname, '../../docs/data.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1])
  assert.deepEqual(documented.toSorted(), Object.keys(RETENTION).toSorted())
  for (const [table, retention] of Object.entries(RETENTION)) {
    if (!('age' in retention)) continue
    const row = text.split('\n').find((line) => line.startsWith(`| \`${table}\` |`))
    assert.ok(row?.includes(retention.age), `${table}: ${retention.age}`)
  }
})

test('accounts/cleanup cleans up exactly the tables whose entry in the list names accounts/cleanup', () => {
  const tables = Object.entries(RETENTION).flatMap(([table, retention]) =>
    'age' in retention && retention.by === 'accounts/cleanup' ? [table] : [],
  )
  assert.deepEqual(tables.toSorted(), STALE_TABLES.toSorted())
})

test('the cleanup statements of accounts, callbacks and portal files use an index', async () => {
  for (const { name, text } of [...Object.values(STALE), DELETE_OLD, DELETE_OLD_TESTS, DELETE_OLD_FILES]) {
    // The number of days does not matter here.
    const values = text.includes('$1') ? [90] : []
    const plan = await deps.db.query<{ 'QUERY PLAN': string }>(
      statement(`test.explain.${name}`, `explain (costs off) ${text}`),
      values,
    )
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(lines, /Index Cond: \(+(?!id = )/, `${name}\n${lines}`)
    assert.doesNotMatch(lines, /Seq Scan on (?!projects)/, `${name}\n${lines}`)
  }
})
