import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { findServerProblems } from './durability.ts'

// The clusters of tests have all of it off, which is just what production must refuse.
const database = await createTestDatabase()
after(() => database.drop())

test('production refuses a database that may forget what it acknowledged, naming each setting', async () => {
  const problems = await findServerProblems(database.url, true)
  assert.equal(problems.length, 3)
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    assert.equal(problems.filter((one) => one.includes(` ${name} `)).length, 1, name)
  }
})

test('development takes it as it is', async () => {
  assert.deepEqual(await findServerProblems(database.url, false), [])
})
