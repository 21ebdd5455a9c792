import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/database.ts'
import { migrate, MigrationError, readMigrations } from './migrate.ts'

const database = await createTestDatabase()
after(() => database.drop())

async function run(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

async function emptyDatabase(): Promise<void> {
  await run('drop schema public cascade; create schema public')
}

test('replicas that start together migrate once', async () => {
  await emptyDatabase()
  const all = await readMigrations()
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.url)))
  assert.deepEqual(
    applied.toSorted((a, b) => b - a),
    [all.length, 0, 0, 0, 0, 0],
  )
  const { rows } = await run('select count(*)::int as n from schema_migrations')
  assert.equal(rows[0].n, all.length)
})

test('a database newer than the code is refused with a sentence that names both versions', async () => {
  await emptyDatabase()
  const all = await readMigrations()
  await migrate(database.url)
  const older = all.slice(0, -1)
  await assert.rejects(
    migrate(database.url, older),
    (error: unknown) =>
      error instanceof MigrationError &&
      error.message.includes(String(all.length)) &&
      error.message.includes(String(all.length - 1)),
  )
})

test('a migration that was edited after it had been applied is refused', async () => {
  await emptyDatabase()
  const all = await readMigrations()
  await migrate(database.url)
  const edited = all.map((one, index) => (index === 0 ? { ...one, checksum: 'another' } : one))
  await assert.rejects(migrate(database.url, edited), MigrationError)
})

test('a migration that fails leaves nothing behind, and the next start does it whole', async () => {
  await emptyDatabase()
  const all = await readMigrations()
  const broken = {
    version: all.length + 1,
    name: 'broken',
    checksum: 'x',
    sql: 'create table half (a int); select 1/0',
  }
  await assert.rejects(migrate(database.url, [...all, broken]), /division by zero/)
  const { rows } = await run(
    `select to_regclass('half') as half, max(version) as newest from schema_migrations`,
  )
  assert.deepEqual(rows[0], { half: null, newest: all.length })
  assert.equal(await migrate(database.url), 0)
})
