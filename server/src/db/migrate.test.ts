// Why this is long: all scenarios of migrations use the same database.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { migrate, MigrationError, readMigrations } from './migrate.ts'
import type { Migration } from './migration-file.ts'

let database = await createTestDatabase()
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

/** A copy of the migrated template is faster than migrating an empty database. */
async function useMigratedDatabase(): Promise<void> {
  await database.drop()
  database = await createTestDatabase()
}

test('replicas that start at the same time migrate once', async () => {
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

function toMigration(version: number, sql: string, kind: Partial<Migration> = {}): Migration {
  const name = `${String(version).padStart(4, '0')}_test`
  return { version, name, sql, checksum: sql, additive: true, inTransaction: true, ...kind }
}

async function readMigrationsAnd(...more: [sql: string, kind?: Partial<Migration>][]): Promise<Migration[]> {
  const all = await readMigrations()
  return [...all, ...more.map(([sql, kind], index) => toMigration(all.length + 1 + index, sql, kind))]
}

test('a migration ignores the statement timeout and the planner settings of its role', async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c statement_timeout=5000 -c enable_seqscan=off')
  const sql = `create table seen as select current_setting('statement_timeout') as timeout, current_setting('enable_seqscan') as scans`
  await migrate(url.href, { migrations: await readMigrationsAnd([sql]) })
  const { rows } = await run('select * from seen')
  assert.deepEqual(rows, [{ timeout: '0', scans: 'on' }])
})

test('a database with a newer migration that is not additive is refused, and the error names both versions', async () => {
  await useMigratedDatabase()
  const known = (await readMigrations()).length
  const newer: [string, Partial<Migration>?][] = [
    ['create table more (a int)'],
    ['alter table more rename a to b', { additive: false }],
    ['create table most (a int)'],
  ]
  await migrate(database.url, { migrations: await readMigrationsAnd(...newer) })
  const sentence = new RegExp(`schema version ${known + 2} and this code knows only ${known};`)
  await assert.rejects(migrate(database.url), (error: unknown) => {
    assert.ok(error instanceof MigrationError)
    assert.match(error.message, sentence)
    return true
  })
})

test('a database with newer additive migrations is accepted, and their number is logged', async () => {
  await useMigratedDatabase()
  await migrate(database.url, {
    migrations: await readMigrationsAnd(['create table more (a int)'], ['create table most (a int)']),
  })
  const lines: string[] = []
  assert.equal(await migrate(database.url, { log: (line) => lines.push(line) }), 0)
  assert.deepEqual(lines, [
    'the schema is newer than this release; additive migrations that it does not know: 2',
  ])
})

test('schema_migrations stores whether each migration is additive; rows that an older release stored have null', async () => {
  await emptyDatabase()
  const all = await readMigrations()
  const older = all.slice(0, 5)
  await migrate(database.url, { migrations: older })
  await run('alter table schema_migrations drop column additive')
  await migrate(database.url, {
    migrations: [...older, toMigration(6, 'select 1'), toMigration(7, 'select 1', { additive: false })],
  })
  const { rows } = await run('select additive from schema_migrations order by version')
  assert.deepEqual(
    rows.map((row) => row.additive),
    [null, null, null, null, null, true, false],
  )
  // A newer migration with null counts as not additive.
  await assert.rejects(migrate(database.url, { migrations: older.slice(0, 4) }), /schema version 5/)
})

test('a migration that was edited after it had been applied is refused', async () => {
  await useMigratedDatabase()
  const all = await readMigrations()
  const edited = all.map((one, index) => (index === 0 ? { ...one, checksum: 'another' } : one))
  await assert.rejects(migrate(database.url, { migrations: edited }), MigrationError)
})

test('a migration that fails changes nothing, and a release without that migration still starts', async () => {
  await useMigratedDatabase()
  const all = await readMigrations()
  const broken = toMigration(all.length + 1, 'create table half (a int); select 1/0')
  await assert.rejects(migrate(database.url, { migrations: [...all, broken] }), /division by zero/)
  const { rows } = await run(
    `select to_regclass('half') as half, max(version) as newest from schema_migrations`,
  )
  assert.deepEqual(rows[0], { half: null, newest: all.length })
  assert.equal(await migrate(database.url), 0)
})

const INDEX = `-- Why; and how.
-- additive, without a transaction
create index concurrently if not exists first_index on bulk (a);
create unique index concurrently if not exists second_index on bulk (a);`

async function waitForBuild(index: string): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event = 'virtualxid' and query like '%${index}%'`
  await until(async () => (await run(waiting)).rowCount === 1, `${index} waits for the open transaction`)
}

test('an index left invalid by an interrupted run is built again without blocking writers', async () => {
  await useMigratedDatabase()
  await run('create table bulk (a int); insert into bulk values (1), (1)')
  const migrations = await readMigrationsAnd([INDEX, { inTransaction: false }])
  await assert.rejects(migrate(database.url, { migrations }), /second_index/)
  const states =
    'select indexrelid::regclass::text as name, indisvalid from pg_index where indrelid = $$bulk$$::regclass'
  assert.deepEqual((await run(`${states} order by 1`)).rows, [
    { name: 'first_index', indisvalid: true },
    { name: 'second_index', indisvalid: false },
  ])
  await run('delete from bulk where ctid in (select ctid from bulk limit 1)')
  // This open transaction has written. An ordinary index build would wait for it and block the next writer.
  const writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  await writer.query('begin; insert into bulk values (2)')
  const migrating = migrate(database.url, { migrations })
  await waitForBuild('second_index')
  await run('insert into bulk values (3)')
  await writer.query('commit')
  await writer.end()
  assert.equal(await migrating, 1)
  assert.equal((await run(`${states} and indisvalid`)).rowCount, 2)
  assert.equal(await migrate(database.url, { migrations }), 0)
})

test('after a process is killed during an index build, the next process waits until the index is built', async () => {
  await useMigratedDatabase()
  await run('create table bulk (a int)')
  const migrations = await readMigrationsAnd([INDEX, { inTransaction: false }])
  const writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  await writer.query('begin; insert into bulk values (1)')
  const code = `import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
    import { readFileSync } from 'node:fs'
    await migrate(process.argv[1], { migrations: JSON.parse(readFileSync(0, 'utf8')) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, database.url], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The migrations are not passed as an argument, because Linux limits an argument to 128 KiB.
  child.stdin.end(JSON.stringify(migrations))
  const exited = once(child, 'exit')
  const building =
    "select from pg_stat_activity where wait_event = 'virtualxid' and query like '%first_index%'"
  await until(async () => (await run(building)).rowCount || null, 'the index waits for the open transaction')
  child.kill('SIGKILL')
  await exited
  const lines: string[] = []
  const next = migrate(database.url, { migrations, log: (line) => lines.push(line) })
  await until(() => lines.length > 0, 'the next process waits for the lock')
  await writer.query('commit')
  await writer.end()
  assert.equal(await next, 1)
  const valid = "select from pg_index where indrelid = 'bulk'::regclass and indisvalid"
  assert.equal((await run(valid)).rowCount, 2)
})

test('waiting replicas do not block the index build of another replica', async () => {
  await useMigratedDatabase()
  await run('create table bulk (a int)')
  const migrations = await readMigrationsAnd([INDEX, { inTransaction: false }])
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, { migrations })))
  assert.deepEqual(
    applied.toSorted((a, b) => b - a),
    [1, 0, 0, 0],
  )
})

test('a migration blocked by an open transaction fails with a clear error and changes nothing', async () => {
  await useMigratedDatabase()
  const reader = new pg.Client({ connectionString: database.url })
  await reader.connect()
  await reader.query('begin; select count(*) from accounts')
  const migrations = await readMigrationsAnd([
    `set local lock_timeout = '50ms'; create table half (a int); alter table accounts add column half int`,
  ])
  await assert.rejects(
    migrate(database.url, { migrations }),
    (error: unknown) =>
      error instanceof MigrationError && /waited too long for another transaction/.test(error.message),
  )
  await reader.end()
  assert.equal((await run(`select to_regclass('half') as half`)).rows[0].half, null)
  assert.equal(await migrate(database.url, { migrations }), 1)
})

test('a migration that ends in a deadlock is attempted at most five times', async () => {
  // A sequence keeps its value when a transaction is rolled back.
  const failUntil = (attempt: number) => `create table late (a int);
    do $$ begin if nextval('attempts') < ${attempt} then raise exception using errcode = '40P01'; end if; end $$`
  await useMigratedDatabase()
  await run('create sequence attempts')
  assert.equal(await migrate(database.url, { migrations: await readMigrationsAnd([failUntil(5)]) }), 1)
  assert.notEqual((await run(`select to_regclass('late') as late`)).rows[0].late, null)

  await useMigratedDatabase()
  await run('create sequence attempts')
  await assert.rejects(
    migrate(database.url, { migrations: await readMigrationsAnd([failUntil(6)]) }),
    (error: unknown) => error instanceof MigrationError && /blocked each other 5 times/.test(error.message),
  )
  assert.equal((await run(`select to_regclass('late') as late`)).rows[0].late, null)
})

test('after a migration without a transaction, the next migration has the short lock timeout again', async () => {
  await useMigratedDatabase()
  const recordTimeout = "insert into seen values (current_setting('lock_timeout'));"
  const migrations = await readMigrationsAnd(
    ['create table seen (lock_timeout text)'],
    [`-- Why.\n-- additive, without a transaction\n${recordTimeout}`, { inTransaction: false }],
    [recordTimeout],
  )
  await migrate(database.url, { migrations })
  const { rows } = await run('select lock_timeout from seen')
  assert.deepEqual(
    rows.map((row: { lock_timeout: string }) => row.lock_timeout),
    ['5min', '10s'],
  )
})

test('a role that may not create tables is refused with a clear error', async () => {
  await emptyDatabase()
  // A role can revoke its own rights on a schema that it owns.
  await run('revoke create on schema public from public, current_user')
  await assert.rejects(
    migrate(database.url),
    (error: unknown) => error instanceof MigrationError && /DATABASE_URL .* lacks rights/.test(error.message),
  )
})

test('a search_path that would lead to a second installation is refused, and nothing is created', async () => {
  await useMigratedDatabase()
  await run('create schema other')
  for (const searchPath of ['other,public', 'other', 'missing']) {
    const url = new URL(database.url)
    url.searchParams.set('options', `-c search_path=${searchPath}`)
    for (const isCommand of [false, true]) {
      await assert.rejects(migrate(url.href, { isCommand }), (error: unknown) => {
        assert.ok(error instanceof MigrationError)
        assert.match(error.message, /^The tables of the service are in the schema public, but/)
        return true
      })
    }
  }
  const { rows } = await run(`select from pg_class where relnamespace = 'other'::regnamespace`)
  assert.deepEqual(rows, [])
  await run('drop schema other')
  assert.equal(await migrate(database.url), 0)
})

test('a schema_migrations table that another tool created in another schema does not prevent the first start', async () => {
  await emptyDatabase()
  await run('create schema other')
  await run('create table other.schema_migrations (version text, checksum text)')
  assert.ok((await migrate(database.url)) > 0)
  await run('drop schema other cascade')
})

test('a read-only database is refused with a clear error', async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  await assert.rejects(
    migrate(url.href),
    (error: unknown) => error instanceof MigrationError && /accepts no writes/.test(error.message),
  )
})

test('an operator command applies only additive migrations, and refuses an empty database', async () => {
  await emptyDatabase()
  await assert.rejects(migrate(database.url, { isCommand: true }), /^Error: This database is empty\./)
  const { rows } = await run(`select to_regclass('schema_migrations') as found`)
  assert.equal(rows[0].found, null)
  await useMigratedDatabase()
  const apply = async (...more: [sql: string, kind?: Partial<Migration>][]) =>
    migrate(database.url, { migrations: await readMigrationsAnd(...more), isCommand: true })
  const additive: [string] = ['create table one_more ()']
  await assert.rejects(
    apply(additive, ['drop table one_more', { additive: false }]),
    /_test is not additive: an older release that is still running could not continue/,
  )
  assert.equal(await apply(additive), 1)
  assert.equal(await apply(additive), 0)
})
