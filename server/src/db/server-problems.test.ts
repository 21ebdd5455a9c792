import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/database.ts'
import { systemClock } from '../lib/clock.ts'
import { findServerProblems } from './server-problems.ts'

const database = await createTestDatabase()
after(() => database.drop())
const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes']

// Our own test cluster has all three settings off. With `--database`, the given server decides fsync and full_page_writes.
test('production refuses a database that can lose committed data, and names each setting', async () => {
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  const name = new URL(database.adminUrl).pathname.slice(1)
  const { rows } = await admin.query<{ name: string }>(
    `select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off'`,
  )
  const offInServer = rows.map((row) => row.name)
  for (const setting of ['off', 'on'] as const) {
    await admin.query(`alter database ${name} set synchronous_commit = ${setting}`)
    const expected = setting === 'off' ? [...offInServer, 'synchronous_commit'] : offInServer
    const problems = await findServerProblems(database.url, true)
    const named = SETTINGS.filter((one) => problems.some((problem) => problem.includes(` ${one} `)))
    assert.deepEqual(named.toSorted(), expected.toSorted())
    assert.equal(problems.length, expected.length)
  }
  await admin.end()
})

test('development accepts a database that can lose committed data', async () => {
  assert.deepEqual(await findServerProblems(database.url, false), [])
})

for (const [caseName, hours] of [
  ['ahead', 1],
  ['ahead by a day', 24],
  ['behind', -1],
  ['behind by a day', -24],
] as const) {
  test(`a machine whose clock is ${caseName} is refused, in development too`, async () => {
    const clock = { nowMs: () => systemClock.nowMs() + hours * 3_600_000 }
    for (const production of [true, false]) {
      const problems = await findServerProblems(database.url, production, clock)
      const found = problems.filter((one) => one.includes('clocks'))
      assert.equal(found.length, 1)
      // The queries take a moment, so the measured difference can be a little smaller.
      assert.ok(
        Math.abs(Number(/(\d+) s apart/.exec(found[0]!)![1]) - Math.abs(hours) * 3600) <= 30,
        found[0],
      )
    }
  })
}

test('clocks that differ by less than the limit are accepted', async () => {
  for (const seconds of [-20, 20]) {
    const clock = { nowMs: () => systemClock.nowMs() + seconds * 1000 }
    assert.deepEqual(await findServerProblems(database.url, false, clock), [])
  }
})
