import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { openDb, statement } from './pool.ts'

const database = await createTestDatabase()
const lost: Error[] = []
const db = openDb(database.url, { onError: (error) => lost.push(error) })
const other = new pg.Client({ connectionString: database.url })
await other.connect()
other.on('error', () => undefined)
after(async () => {
  await other.end()
  await db.close()
  await database.drop()
})

await other.query(`
  create table seats (id integer primary key, taken integer not null);
  insert into seats values (1, 0), (2, 0);
  create sequence attempts;
  -- Calls 1 to "times" fail with the given code.
  create function conflict(times integer, code text) returns integer language plpgsql as $$
  begin
    if nextval('attempts') <= times then raise exception 'again' using errcode = code; end if;
    return lastval();
  end $$;`)

test('JIT and sequential scans are off', async () => {
  const [row] = await rows(
    db,
    `select current_setting('jit') as jit, current_setting('enable_seqscan') as scans`,
  )
  assert.deepEqual(row, { jit: 'off', scans: 'off' })
})

const CONFLICT = statement('test.conflict', 'select conflict($1, $2) as attempts')

for (const code of ['40001', '40P01']) {
  for (const [caseName, run] of [
    ['a statement', (times: number) => db.query<{ attempts: number }>(CONFLICT, [times, code])],
    [
      'a transaction',
      (times: number) => db.transaction((tx) => tx.query<{ attempts: number }>(CONFLICT, [times, code])),
    ],
  ] as const) {
    test(`${caseName} that PostgreSQL rolled back with ${code} is attempted up to five times, and then fails as unavailable`, async () => {
      await other.query('alter sequence attempts restart')
      assert.deepEqual(await run(4), [{ attempts: 5 }])
      await other.query('alter sequence attempts restart')
      await assert.rejects(run(100), { code: 'unavailable', retryAfterSec: 2 })
      const [row] = await rows<{ last_value: bigint }>(db, 'select last_value from attempts')
      assert.equal(row?.last_value, 5n)
    })
  }
}

test('when two transactions block each other, one is rolled back and retried, and both succeed', async () => {
  const bothArrived = Promise.withResolvers<void>()
  let arrived = 0
  const take = async (first: number, second: number) =>
    db.transaction(async (tx) => {
      const update = 'update seats set taken = taken + 1 where id = $1'
      await rows(tx, update, [first])
      arrived += 1
      if (arrived === 2) bothArrived.resolve()
      await bothArrived.promise
      await rows(tx, update, [second])
    })
  await Promise.all([take(1, 2), take(2, 1)])
  assert.deepEqual(await rows(db, 'select taken from seats order by id'), [{ taken: 2 }, { taken: 2 }])
  assert.ok(arrived > 2, 'no transaction was retried')
})

test('a statement that waits too long for a lock fails as unavailable, and other statements succeed meanwhile', async () => {
  await other.query('begin')
  await other.query('select from seats where id = 1 for update')
  const waiting = assert.rejects(rows(db, 'update seats set taken = 0 where id = 1'), { code: 'unavailable' })
  assert.deepEqual(await rows(db, 'select id from seats where id = 1'), [{ id: 1 }])
  await waiting
  await other.query('rollback')
})

test('a transaction that waited for a lock sees the rows that were committed meanwhile, with any default isolation level', async (t) => {
  const name = new URL(database.url).pathname.slice(1)
  await other.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  const ownDb = openDb(database.url, { onError: () => undefined })
  t.after(async () => {
    await ownDb.close()
    await other.query(`alter database ${name} reset default_transaction_isolation`)
  })
  const takeIfFree = () =>
    ownDb.transaction(async (tx) => {
      await rows(tx, 'select from seats where id = 1 for update')
      const isFree = (await rows(tx, 'select from seats where id > 100')).length === 0
      if (isFree) await rows(tx, 'insert into seats select max(id) + 100, 0 from seats')
      return isFree
    })
  const taken = await Promise.all(Array.from({ length: 6 }, takeIfFree))
  assert.equal(taken.filter(Boolean).length, 1)
})

test('a statement on a broken connection fails as unavailable, and the next statement succeeds', async () => {
  const sleeping = assert.rejects(rows(db, "select pg_sleep(20), 'cut me'"), { code: 'unavailable' })
  await until(async () => {
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%cut me%' and pid <> pg_backend_pid()`
    return (await other.query(terminate)).rows.length > 0
  })
  await sleeping
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

test('a database counts as unavailable if it has no tables of ours, or if we have no rights to use them', async () => {
  await assert.rejects(rows(db, 'select from no_such_table'), { code: 'unavailable', retryAfterSec: 2 })
  const refuseRights = `do $$ begin raise exception 'permission denied' using errcode = '42501'; end $$`
  await assert.rejects(rows(db, refuseRights), { code: 'unavailable' })
})

test('an error in our SQL does not count as an unavailable database', async () => {
  await assert.rejects(rows(db, 'select no_such_column'), { code: '42703' })
})

test('a connection is closed if a migration made its prepared statement outdated, and the next connection works', async () => {
  const ALL = statement('test.all_seats', 'select * from seats where id = 1')
  const ownDb = openDb(database.url, { poolMax: 1, onError: () => undefined })
  assert.equal((await ownDb.query(ALL)).length, 1)
  await other.query('alter table seats add column number integer')
  await assert.rejects(ownDb.query(ALL), { code: '0A000' })
  assert.equal((await ownDb.query(ALL)).length, 1)
  await ownDb.close()
})

test('a connection is used again after a row violated a constraint', async () => {
  const ownDb = openDb(database.url, { poolMax: 1, onError: () => undefined })
  const readPid = async () => (await rows<{ pid: number }>(ownDb, 'select pg_backend_pid() as pid'))[0]!.pid
  const pidBefore = await readPid()
  await assert.rejects(rows(ownDb, 'insert into seats values (1, 0)'), { code: '23505' })
  assert.equal(await readPid(), pidBefore)
  await ownDb.close()
})
