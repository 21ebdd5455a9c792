import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NoConnectionError } from '../src/db/connection.ts'
import { clear, closeReusable, lendConnections, openReusable } from './lent-database.ts'
import type { ReusableDatabase } from './lent-database.ts'

async function open(t: TestContext): Promise<ReusableDatabase> {
  const reusable = await openReusable()
  t.after(() => closeReusable(reusable))
  return reusable
}

const FILL = `insert into accounts (id, email, email_key, password_hash, locale)
    values ('0190a1b2-0000-7000-8000-000000000001', 'a@example.com', 'a@example.com', 'none', 'en');
  insert into feed_epochs default values;
  delete from erasure_progress`

async function readRows({ admin }: ReusableDatabase): Promise<unknown> {
  const tables = ['accounts', 'feed_epochs', 'erasure_progress', 'installation', 'schema_migrations']
  const contents: unknown[] = []
  for (const table of tables) contents.push((await admin.query(`select * from ${table} order by 1`)).rows)
  const next = `select pg_sequence_last_value(pg_get_serial_sequence('feed_epochs', 'number')) as number`
  return { contents, last: (await admin.query(next)).rows }
}

test('a cleared database has the rows and sequence numbers of a new database', async (t) => {
  const reusable = await open(t)
  const atFirst = await readRows(reusable)
  await reusable.admin.query(FILL)
  assert.notDeepEqual(await readRows(reusable), atFirst)
  assert.equal(await clear(reusable), true)
  assert.deepEqual(await readRows(reusable), atFirst)
})

const CHANGES = {
  'a new column': 'alter table accounts add column nickname text',
  'a column whose “not null” was dropped': 'alter table accounts alter column email drop not null',
  'a disabled trigger': 'alter table accounts disable trigger all',
  'a new index': 'create index on accounts (created_at)',
  'a setting of its own': `do $$ begin execute format('alter database %I set work_mem = %L', current_database(), '8MB'); end $$`,
  'statistics of a table': `${FILL}; analyze accounts`,
}
for (const [name, change] of Object.entries(CHANGES))
  test(`a database that has ${name} is not used again`, async (t) => {
    const reusable = await open(t)
    await reusable.admin.query(change)
    assert.equal(await clear(reusable), false)
  })

test('a database in which a trigger was disabled for a moment or a table was truncated is used again', async (t) => {
  const reusable = await open(t)
  await reusable.admin.query(
    'alter table accounts disable trigger all; alter table accounts enable trigger all; truncate accounts cascade',
  )
  assert.equal(await clear(reusable), true)
})

test('a test file that has called `close` gets no more connections, but the connections stay open for the next test file', async (t) => {
  const { connections } = await open(t)
  const first = lendConnections(connections)
  const connection = await first.acquire()
  first.release(connection)
  await first.close()
  await assert.rejects(first.acquire(), NoConnectionError)
  const second = lendConnections(connections)
  assert.equal(await second.acquire(), connection)
  second.release(connection)
})
