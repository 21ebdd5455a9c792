import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { until } from '../../test/until.ts'
import { CONNECT_TIMEOUT_MS } from './connection.ts'
import { POOL_MAX } from './connections.ts'
import { openDb } from './pool.ts'
import { findWrongSettings } from './session-settings.ts'

const database = await createTestDatabase()
test.after(() => database.drop())

test('while the host does not respond, statements that wait for a connection start no additional logins', async (t) => {
  const proxy = await startTcpProxy(database.url)
  const db = openDb(proxy.url, { onError: () => undefined })
  t.after(async () => {
    await db.close()
    await proxy.close()
  })
  proxy.goSilent()
  const statements = Array.from({ length: 3 * POOL_MAX }, () => rows(db, 'select 1'))
  for (const { status } of await Promise.allSettled(statements)) assert.equal(status, 'rejected')
  assert.equal(proxy.readSent().length, POOL_MAX)
  proxy.resume()
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

for (const turns of [0, 1, 3, 7]) {
  test(`a statement ends even if the pool is closed while the statement gets an idle connection (after ${turns} microtasks)`, async () => {
    const db = openDb(database.url, { onError: () => undefined })
    await rows(db, 'select 1')
    const statement = rows(db, 'select 1 as one')
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    await Promise.all([db.close(), Promise.allSettled([statement])])
  })
}

test('statements that wait when the pool is closed are refused, and those that run are finished', async () => {
  const db = openDb(database.url, { poolMax: 1, onError: () => undefined })
  const running = rows(db, 'select pg_sleep(0.1), 1 as one')
  const waiting = assert.rejects(rows(db, 'select 1'), { code: 'unavailable' })
  await sleep(20)
  await db.close()
  assert.partialDeepStrictEqual(await running, [{ one: 1 }])
  await waiting
})

/** Creates a role that may open this many connections, and a pool that uses this role. */
async function openLimited(t: TestContext, connectionsMax: number) {
  const owner = openDb(database.adminUrl, { poolMax: 1, onError: () => undefined })
  const role = `limited_${process.pid}`
  const setLimit = (max: number) => rows(owner, `alter role ${role} connection limit ${max}`)
  await rows(owner, `create role ${role} login password 'secret'`)
  await setLimit(connectionsMax)
  const url = new URL(database.adminUrl)
  Object.assign(url, { username: role, password: 'secret' })
  const db = openDb(url.href, { onError: () => undefined })
  t.after(async () => {
    await db.close()
    await rows(owner, `drop role ${role}`)
    await owner.close()
  })
  return { db, setLimit }
}

test('while the server refuses new connections, statements wait for an open one; when the server accepts them again, more are opened', async (t) => {
  const { db, setLimit } = await openLimited(t, 4)
  const runMany = () => Promise.all(Array.from({ length: 40 }, () => rows(db, 'select pg_sleep(0.01)')))
  await runMany()
  await runMany()
  assert.equal(db.countConnections().busy, 0)
  assert.equal(db.countConnections().idle, 4)
  await setLimit(-1)
  await until(async () => {
    await runMany()
    return db.countConnections().idle === POOL_MAX
  }, 'all connections are used')
})

test('while the server refuses new connections and none is open, statements fail at once', async (t) => {
  const { db, setLimit } = await openLimited(t, 0)
  const startedMs = performance.now()
  const statements = Array.from({ length: 3 * POOL_MAX }, () => rows(db, 'select 1'))
  await Promise.all(statements.map((one) => assert.rejects(one, { code: 'unavailable' })))
  assert.ok(performance.now() - startedMs < CONNECT_TIMEOUT_MS)
  await setLimit(1)
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

test('a statement that waits for an open connection fails after CONNECT_TIMEOUT_MS', async (t) => {
  const { db } = await openLimited(t, 1)
  const running = rows(db, 'select pg_sleep(4), 1 as one')
  await until(() => db.countConnections().busy === 1, 'the only connection is open')
  await assert.rejects(rows(db, 'select 1'), { code: 'unavailable', log: /no connection within/ })
  assert.partialDeepStrictEqual(await running, [{ one: 1 }])
  assert.deepEqual(await rows(db, 'select 1 as one'), [{ one: 1 }])
})

test('parameters of the URL do not replace our timeouts, planner settings and format of times', async (t) => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c work_mem=3MB -c jit=on -c DateStyle=German')
  url.searchParams.set('statement_timeout', '0')
  const db = openDb(url.href, { onError: () => undefined })
  t.after(() => db.close())
  const settings = await rows<{ name: string; setting: string }>(db, 'select name, setting from pg_settings')
  const valueOf = new Map(settings.map(({ name, setting }) => [name, setting]))
  assert.equal(valueOf.get('work_mem'), '3072')
  assert.deepEqual(findWrongSettings(valueOf), [])
})

test('times are read correctly even if the role has another DateStyle', async (t) => {
  const format = (change: string) => {
    const name = new URL(database.url).pathname.slice(1)
    return rows(db, `alter role current_user in database ${name} ${change}`)
  }
  let db = openDb(database.url, { onError: () => undefined })
  await format("set datestyle = 'German'")
  await db.close()
  db = openDb(database.url, { onError: () => undefined })
  t.after(() => db.close())
  assert.deepEqual(await rows(db, `select '2026-02-01T10:00:00Z'::timestamptz as at`), [
    { at: new Date('2026-02-01T10:00:00Z') },
  ])
  await format('reset datestyle')
})
