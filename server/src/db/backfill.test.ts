import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import type { Backfill } from './backfill.ts'
import { backfillOnce } from './backfill.ts'
import { openDb, statement } from './pool.ts'

const database = await createTestDatabase()
const replicas = [0, 1].map(() => openDb(database.url, { onError: () => undefined }))
const [db, otherDb] = replicas as [(typeof replicas)[0], (typeof replicas)[0]]
after(async () => {
  for (const one of replicas) await one.close()
  await database.drop()
})
await rows(db, 'create table notes (id integer primary key, text text not null, length integer)')
await rows(db, 'create index notes_unfilled on notes (id) where length is null')
await rows(db, "insert into notes (id, text) select n, repeat('a', n % 7) from generate_series(1, 1200) n")

const FILL = statement(
  'test.fill-notes',
  `update notes set length = length(text)
   where id in (select id from notes where length is null order by id limit $1 for update skip locked) returning 1`,
)
const lengths: Backfill = {
  name: 'lengths',
  fill: async (tx, limit) => (await tx.query(FILL, [limit])).length,
}

async function countRemaining(): Promise<number> {
  return (await rows(db, 'select from notes where length is null')).length
}

test('rows are filled in batches, and an interrupted batch is repeated', async () => {
  // One batch has 500 rows.
  assert.equal(await backfillOnce(db, lengths), true)
  assert.equal(await countRemaining(), 700)
  const failing: Backfill = {
    ...lengths,
    fill: async (tx, limit) => {
      await lengths.fill(tx, limit)
      throw new Error('killed')
    },
  }
  await assert.rejects(backfillOnce(db, failing), /killed/)
  assert.equal(await countRemaining(), 700)
  while (await backfillOnce(db, lengths));
  assert.equal(await countRemaining(), 0)
  // The previous release does not know the column and still inserts rows.
  await rows(db, "insert into notes (id, text) values (2000, 'later')")
  assert.equal(await backfillOnce(db, lengths), true)
  assert.deepEqual(await rows(db, 'select length from notes where id = 2000'), [{ length: 5 }])
})

test('only one process runs a backfill at a time, and another backfill does not wait for it', async () => {
  const calls: string[] = []
  const outer: Backfill = {
    name: 'outer',
    fill: async () => {
      assert.equal(await backfillOnce(otherDb, { ...outer, fill: async () => calls.push('same') }), false)
      assert.equal(
        await backfillOnce(otherDb, { name: 'another', fill: async () => calls.push('another') }),
        true,
      )
      return 1
    },
  }
  assert.equal(await backfillOnce(db, outer), true)
  assert.deepEqual(calls, ['another'])
})
