// These tests cover a database host that stops responding, responds slowly, resets connections, is read-only or reports
// errors. A local proxy simulates the first three faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import type { TcpProxy } from '../../test/tcp-proxy.ts'
import { createTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { isLost, isOutcomeUnknown, openDb, statement } from './pool.ts'
import type { Db } from './pool.ts'
import { batchQuery } from './batch-query.ts'

const database = await createTestDatabase()
/** This connection is not behind the proxy, so it shows whether a write really happened. */
const witness = openDb(database.url, { onError: () => undefined })
await rows(witness, 'create table notes (text text primary key)')
test.after(async () => {
  await witness.close()
  await database.drop()
})

const QUERY_TIMEOUT_MS = 1_000
const unavailable = { code: 'unavailable', retryAfterSec: 2 }

async function openThroughProxy(t: TestContext): Promise<{ db: Db; proxy: TcpProxy; errors: Error[] }> {
  const proxy = await startTcpProxy(database.url)
  const errors: Error[] = []
  const db = openDb(proxy.url, { queryTimeoutMs: QUERY_TIMEOUT_MS, onError: (error) => errors.push(error) })
  t.after(async () => {
    await db.close()
    await proxy.close()
  })
  return { db, proxy, errors }
}

const addNote = (db: Pick<Db, 'query'>, text: string) => rows(db, 'insert into notes values ($1)', [text])
const hasNote = async (text: string) =>
  (await rows(witness, 'select from notes where text = $1', [text])).length > 0

async function fillPool(db: Db, size: number): Promise<void> {
  await Promise.all(Array.from({ length: size }, () => rows(db, 'select pg_sleep(0.1)')))
}

test('a statement without a response fails as unavailable, but the server may still execute the statement later', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await rows(db, 'select 1')
  proxy.readSent()
  proxy.goSilent()
  await assert.rejects(addNote(db, 'late'), (error) => isLost(error) && isOutcomeUnknown(error))
  assert.equal(await hasNote('late'), false)
  proxy.resume()
  await until(() => hasNote('late'), 'the statement that was on its way is executed')
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

test('after a missed deadline neither a rollback nor a cancel request is sent', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await rows(db, 'select 1')
  proxy.readSent()
  const begun = Promise.withResolvers<void>()
  const transaction = db.transaction(async (tx) => {
    await addNote(tx, 'never committed')
    proxy.goSilent()
    begun.resolve()
    await addNote(tx, 'forwarded late')
  })
  await begun.promise
  await assert.rejects(transaction, unavailable)
  proxy.resume()
  await until(() => proxy.countOpen() === 0, 'the destroyed connection is closed')
  await rows(db, 'select 1')
  const sent = proxy.readSent().join('')
  assert.match(sent, /forwarded late/, 'the bytes of the destroyed connection are read too')
  assert.doesNotMatch(sent, /rollback/i)
  // 80877102 is the code of a cancel request. Connections for statements begin with version 3.0.
  assert.ok(!sent.includes(String.fromCharCode(4, 210, 22, 46)))
  for (const note of ['never committed', 'forwarded late']) assert.equal(await hasNote(note), false)
})

test('a commit without a response fails as unavailable, but the commit may have happened', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await rows(db, 'select 1')
  const transaction = db.transaction(async (tx) => {
    await addNote(tx, 'committed without a response')
    setImmediate(() => proxy.goSilent())
  })
  await assert.rejects(transaction, unavailable)
  proxy.resume()
  await until(() => hasNote('committed without a response'), 'the commit that was on its way happens')
})

test('after an error inside a transaction a rollback is sent, and the connection is used again', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await rows(db, 'select 1')
  proxy.readSent()
  const refused = db.transaction(async (tx) => {
    await addNote(tx, 'refused')
    throw new RangeError('refused')
  })
  await assert.rejects(refused, RangeError)
  await rows(db, 'select 1')
  assert.equal(proxy.countOpen(), 1)
  assert.match(proxy.readSent().join(''), /rollback/)
})

test('if a rollback gets no response, the transaction fails with its original error', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  const refused = db.transaction(async (tx) => {
    await rows(tx, 'select 1')
    proxy.goSilent()
    throw new RangeError('refused')
  })
  await assert.rejects(refused, RangeError)
})

test('one missed deadline retires all open connections, even idle ones', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await fillPool(db, 8)
  assert.equal(proxy.countOpen(), 8)
  proxy.goSilent()
  await assert.rejects(rows(db, 'select 1'), unavailable)
  proxy.replaceHost()
  const countBefore = db.statementCount()
  for (let n = 0; n < 8; n += 1) assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
  assert.equal(db.statementCount() - countBefore, 8)
})

test('while the host does not respond, every statement fails, and the pool recovers afterwards', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await fillPool(db, 16)
  proxy.goSilent()
  const requested = await Promise.allSettled(Array.from({ length: 40 }, () => rows(db, 'select 1')))
  for (const one of requested) assert.equal(one.status === 'rejected' && one.reason.code, 'unavailable')
  // There was no connection, so nothing can have been executed.
  await assert.rejects(rows(db, 'select 1'), (error) => isLost(error) && !isOutcomeUnknown(error))
  proxy.replaceHost()
  await until(
    () =>
      rows(db, 'select 1').then(
        () => true,
        () => false,
      ),
    'the pool recovers',
  )
})

test('a response that is not complete at the deadline counts as no response', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await rows(db, 'select 1')
  proxy.drip(200)
  await assert.rejects(rows(db, 'select 1 as one'), unavailable)
  proxy.resume()
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

test('a statement on a connection that is reset fails, and idle connections that were reset are never used', async (t) => {
  const { db, proxy, errors } = await openThroughProxy(t)
  await fillPool(db, 4)
  const requested = assert.rejects(rows(db, 'select pg_sleep(5)'), unavailable)
  await until(() => proxy.readSent().join('').includes('pg_sleep(5)'), 'the statement is sent')
  proxy.reset()
  await requested
  // The fourth connection ran the statement.
  await until(() => errors.length === 3, 'the pool has noticed the reset of the three idle connections')
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

const ONE = statement(
  'test.one',
  'select requested.n::int as requested from unnest($1::int[]) with ordinality as requested(x, n)',
)

test('while the host does not respond, every batched query fails, even a queued one', async (t) => {
  const { db, proxy } = await openThroughProxy(t)
  await fillPool(db, 4)
  proxy.goSilent()
  const requested: Promise<unknown>[] = []
  // More queries are sent than can run at the same time, over several turns of the event loop, so that some are queued.
  for (let turn = 0; turn < 10; turn += 1) {
    for (let n = 0; n < 64; n += 1) requested.push(batchQuery(db, ONE, [n]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const one of await Promise.allSettled(requested))
    assert.equal(one.status === 'rejected' && one.reason.code, 'unavailable')
  proxy.replaceHost()
  await until(
    () =>
      batchQuery(db, ONE, [1]).then(
        () => true,
        () => false,
      ),
    'queries succeed again',
  )
})

test('a server that has become read-only is unavailable, even for reads, until a host accepts writes again', async (t) => {
  const { db } = await openThroughProxy(t)
  const name = new URL(database.url).pathname.slice(1)
  await addNote(db, 'before')
  await rows(witness, `alter database ${name} set default_transaction_read_only = on`)
  t.after(() => rows(witness, `alter database ${name} reset default_transaction_read_only`))
  // The setting affects only new connections. On an open connection, this transaction fails as after a switchover.
  await assert.rejects(
    db.transaction(async (tx) => {
      await rows(tx, 'set transaction read only')
      await addNote(tx, 'refused')
    }),
    unavailable,
  )
  await assert.rejects(addNote(db, 'refused'), unavailable)
  await assert.rejects(rows(db, 'select 1'), unavailable)
  await rows(witness, `alter database ${name} reset default_transaction_read_only`)
  await addNote(db, 'after')
  assert.equal(await hasNote('refused'), false)
})

test('when one connection reports a read-only server, all open connections are retired, even idle ones', async (t) => {
  const { db } = await openThroughProxy(t)
  const usePool = async () => {
    const text = 'select pg_backend_pid() as pid, pg_sleep(0.1)'
    const found = await Promise.all(Array.from({ length: 8 }, () => rows<{ pid: number }>(db, text)))
    return new Set(found.map(([row]) => row!.pid))
  }
  const pidsBefore = await usePool()
  await assert.rejects(
    rows(db, "do $$ begin raise exception 'read-only' using errcode = '25006'; end $$"),
    unavailable,
  )
  assert.deepEqual(
    [...(await usePool())].filter((pid) => pidsBefore.has(pid)),
    [],
  )
})

// The codes mean: disk full, out of memory, I/O error, server starting, connection failure. The first three count as
// failed writes.
for (const code of ['53100', '53200', '58030', '57P03', '08006']) {
  test(`a server that reports ${code} counts as unavailable, not as an internal error`, async (t) => {
    const { db } = await openThroughProxy(t)
    await assert.rejects(
      rows(db, `do $$ begin raise exception 'no' using errcode = '${code}'; end $$`),
      unavailable,
    )
    assert.equal(db.hadWriteFailure(), /^5[38]/.test(code))
    assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
  })
}
