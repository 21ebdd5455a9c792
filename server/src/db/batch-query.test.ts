import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { ServiceError } from '../lib/service-error.ts'
import { openDb, statement } from './pool.ts'
import type { Statement } from './pool.ts'
import { batchQuery } from './batch-query.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
after(async () => {
  await db.close()
  await database.drop()
})

const DIVIDE = statement(
  'test.divide',
  `select requested.n::int as requested, 100 / requested.by as share, requested.name
   from unnest($1::int[], $2::text[]) with ordinality as requested(by, name, n) where requested.name <> 'nobody'`,
)
const divide = (by: number, name: string | null) =>
  batchQuery<{ share: number; name: string }>(db, DIVIDE, [by, name])

test('queries in one turn of the event loop are sent as one statement, and each gets its own rows', async () => {
  const countBefore = db.statementCount()
  const responses = await Promise.all([
    divide(1, 'ana'),
    divide(2, 'nobody'),
    divide(4, 'čika'),
    divide(5, null),
  ])
  assert.equal(db.statementCount() - countBefore, 1)
  assert.deepEqual(
    responses.map((rows) => rows.map(({ share, name }) => [share, name])),
    [[[100, 'ana']], [], [[25, 'čika']], []],
  )
})

test('a query in a later turn is sent as a separate statement', async () => {
  const countBefore = db.statementCount()
  await divide(1, 'ana')
  await divide(1, 'ana')
  assert.equal(db.statementCount() - countBefore, 2)
})

test('a hundred queries are sent as two statements, because a batch has at most 64', async () => {
  const countBefore = db.statementCount()
  const responses = await Promise.all(Array.from({ length: 100 }, (_, n) => divide(1, `n${n}`)))
  assert.equal(db.statementCount() - countBefore, 2)
  assert.deepEqual(
    responses.map(([row]) => row?.name),
    Array.from({ length: 100 }, (_, n) => `n${n}`),
  )
})

test('a query that fails does not fail the others in its batch', async () => {
  const [first, failed, last] = await Promise.allSettled([
    divide(1, 'ana'),
    divide(0, 'nula'),
    divide(2, 'mia'),
  ])
  assert.equal(first.status === 'fulfilled' && first.value[0]?.share, 100)
  assert.equal(last.status === 'fulfilled' && last.value[0]?.share, 50)
  assert.equal(failed.status === 'rejected' && failed.reason.code, '22012', 'a division by zero')
})

test('when the database is unavailable, the queries of a batch fail and are not repeated', async () => {
  const unreachable = openDb('postgres://nobody@127.0.0.1:1/none', { onError: () => undefined })
  let sent = 0
  const counting = {
    query: <Row extends object>(statement: Statement, values?: readonly unknown[]) => {
      sent += 1
      return unreachable.query<Row>(statement, values)
    },
  }
  const requested = [1, 2, 3].map((by) => batchQuery(counting, DIVIDE, [by, 'ana']))
  for (const one of await Promise.allSettled(requested))
    assert.equal(one.status === 'rejected' && one.reason.code, 'unavailable')
  assert.equal(sent, 1)
  await unreachable.close()
})

test('a query that waits too long behind hanging statements is refused', async () => {
  const pending = Promise.withResolvers<never>()
  const unresponsive = { query: () => pending.promise }
  const sendAll = (count: number) =>
    Array.from({ length: count }, () => batchQuery(unresponsive, DIVIDE, [1, 'ana']))
  // These are as many queries as can run at a time: four statements of 64 queries.
  const runningQueries = sendAll(4 * 64)
  await new Promise((resolve) => setImmediate(resolve))
  for (const one of await Promise.allSettled(sendAll(10)))
    assert.equal(one.status === 'rejected' && one.reason.code, 'unavailable')
  pending.reject(new ServiceError('unavailable'))
  for (const one of await Promise.allSettled(runningQueries)) assert.equal(one.status, 'rejected')
})
