import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { countNeeded, findShortage } from './connection-budget.ts'
import type { DatabaseFacts } from './doctor-facts.ts'
import { readDatabaseFacts } from './doctor-facts.ts'
import { examineDatabaseFacts, toUnreachableFinding } from './doctor-findings.ts'
import { readMigrations } from './migration-file.ts'
import { POOL_MAX } from './connections.ts'

const GOOD: DatabaseFacts = {
  major: 15,
  disabledSettings: [],
  role: 'pazar',
  isSuperuser: false,
  extraRights: [],
  mayCreateTables: true,
  isReadOnly: false,
  isBehindPooler: false,
  connectionsMax: 200,
  processes: 2,
  clockOffsetMs: 60_000,
  bloatedTable: null,
  schema: { newest: 9, notAdditive: 7 },
}
const SETTINGS = { production: true, knownVersion: 7, isPoolerConfigured: false }

const find = (facts: Partial<DatabaseFacts>, settings: Partial<typeof SETTINGS> = {}) =>
  examineDatabaseFacts({ ...GOOD, ...facts }, { ...SETTINGS, ...settings }).map(
    ({ name, level }) => `${level} ${name}`,
  )

test('a database just within the limits has no finding', () => {
  assert.deepEqual(find({}), [])
  assert.deepEqual(find({ clockOffsetMs: -60_000 }), [])
  assert.deepEqual(find({ schema: null }), [])
  assert.deepEqual(find({ isBehindPooler: true }, { isPoolerConfigured: true }), [])
  assert.deepEqual(find({ connectionsMax: countNeeded({ processes: 2, isPooled: false }) }), [])
})

for (const [caseName, facts, findings] of [
  ['an old version', { major: 14 }, ['problem database_version']],
  ['durability is off', { disabledSettings: ['fsync'] }, ['problem database_not_durable']],
  ['a read-only server', { isReadOnly: true }, ['problem database_read_only']],
  ['a pooler that is not configured', { isBehindPooler: true }, ['problem pooler']],
  ['a clock that is fast', { clockOffsetMs: 60_001 }, ['problem clock']],
  ['a clock that is slow', { clockOffsetMs: -60_001 }, ['problem clock']],
  ['a superuser', { isSuperuser: true, extraRights: ['CREATEDB'] }, ['problem role_superuser']],
  ['no right to create tables', { mayCreateTables: false }, ['problem role_rights']],
  ['rights that are not needed', { extraRights: ['BYPASSRLS'] }, ['warning role_extra_rights']],
  [
    'a newer schema that is not additive',
    { schema: { newest: 9, notAdditive: 8 } },
    ['problem schema_newer'],
  ],
  [
    'dead rows that are not removed',
    { bloatedTable: { name: 'new_callbacks', deadRows: 200_000 } },
    ['warning database_dead_rows'],
  ],
  // 37 are needed: 17 for each of two processes, and 3 in reserve.
  ['too few connections', { connectionsMax: 36 }, ['warning database_connections']],
] as const)
  test(`${caseName}: ${findings.join()}`, () =>
    assert.deepEqual(
      find({
        ...facts,
        ...('disabledSettings' in facts && { disabledSettings: [...facts.disabledSettings] }),
        ...('extraRights' in facts && { extraRights: [...facts.extraRights] }),
      } as Partial<DatabaseFacts>),
      findings,
    ))

test('outside production, a database that is not durable is only a warning', () => {
  const found = find({ disabledSettings: ['fsync'] }, { production: false })
  assert.deepEqual(found, ['warning database_not_durable'])
})

test('connections are counted for at least two processes; behind a pooler, each process needs one connection, and the pooler needs 20', () => {
  assert.equal(countNeeded({ processes: 2, isPooled: false }), 2 * (POOL_MAX + 1) + 3)
  // 20 of the pooler, one for each process, and 3 in reserve.
  assert.equal(countNeeded({ processes: 4, isPooled: true }), 20 + 4 + 3)
  const needed = countNeeded({ processes: 2, isPooled: false })
  assert.deepEqual(find({ processes: 1, connectionsMax: needed - 1 }), ['warning database_connections'])
  assert.deepEqual(find({ processes: 1, connectionsMax: needed }), [])
  assert.equal(findShortage({ connectionsMax: 27, processes: 4, isPooled: true }), null)
  assert.match(findShortage({ connectionsMax: 26, processes: 4, isPooled: true })!, /up to 27/)
})

test('each error of a refused connection leads to a finding', () => {
  const nameOf = (code: string) => toUnreachableFinding(Object.assign(new Error('x'), { code })).name
  assert.deepEqual(['28P01', '28000', '3D000', '53300', '08P01', 'ECONNREFUSED'].map(nameOf), [
    'database_login',
    'database_login',
    'database_missing',
    'database_connections',
    'pooler',
    'database_unreachable',
  ])
})

test('readDatabaseFacts reads the rights of the role, the version of the schema and the clock of a database', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const migrations = await readMigrations()
  const { version } = migrations.at(-1)!
  const read = (url: string) => readDatabaseFacts(url, { nowMs: () => Date.now() })
  const facts = await read(database.url)
  assert.deepEqual(
    [facts.isSuperuser, facts.mayCreateTables, facts.isReadOnly, facts.isBehindPooler, facts.processes],
    [false, true, false, false, 0],
  )
  assert.equal(facts.schema?.newest, version)
  assert.ok(facts.schema.notAdditive <= facts.schema.newest)
  assert.ok(facts.connectionsMax > 50)
  assert.ok(Math.abs(facts.clockOffsetMs) < 60_000)
  assert.equal((await read(database.adminUrl)).isSuperuser, true)
})
