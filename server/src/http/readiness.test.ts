import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { createApp, createHealthApp } from '../app.ts'
import { parseConfig } from '../config.ts'
import { createLogger } from '../lib/logger.ts'
import { ServiceError } from '../lib/service-error.ts'
import { VERSION } from '../lib/version.ts'
import { wire } from '../wire.ts'
import type { Deps } from '../wire.ts'
import { rows } from '../../test/accounts.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import type { TcpProxy } from '../../test/tcp-proxy.ts'
import { createTestDatabase } from '../../test/database.ts'
import { TEST_KEY } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import { createReadiness, logReadiness } from './readiness.ts'
import type { Http } from './server.ts'

const database = await createTestDatabase()
test.after(() => database.drop())

interface Service {
  app: Http
  deps: Deps
  proxy: TcpProxy
  getStatus: (path?: string) => Promise<number>
}

async function start(t: TestContext, create: (deps: Deps) => Promise<Http> = createApp): Promise<Service> {
  const proxy = await startTcpProxy(database.url)
  const config = parseConfig({ NODE_ENV: 'test', DATABASE_URL: proxy.url, SECRETS_KEY: TEST_KEY })
  const deps = await wire(config, { databaseUrl: proxy.url, log: createLogger('silent') })
  const app = await create(deps)
  t.after(async () => {
    await app.close()
    await proxy.close()
    await deps.db.close()
  })
  return { app, deps, proxy, getStatus: async (url = '/readyz') => (await app.inject(url)).statusCode }
}

for (const [role, create] of [
  ['a web process', createApp],
  ['a process that only delivers', createHealthApp],
] as const) {
  test(`if the database stops responding, ${role} is soon not ready but stays healthy`, async (t) => {
    const { app, deps, getStatus, proxy } = await start(t, create)
    assert.deepEqual([await getStatus('/healthz'), await getStatus()], [200, 200])
    assert.match(await deps.metrics.text(), /^pazar_ready 1$/m)
    proxy.goSilent()
    const response = await Promise.race([
      app.inject('/readyz'),
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no response in 2 s')), 2_000)),
    ])
    assert.equal(response.statusCode, 503)
    assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal(await getStatus('/healthz'), 200)
    assert.match(await deps.metrics.text(), /^pazar_ready 0$/m)
    proxy.resume()
    await until(async () => (await getStatus()) === 200, 'it is ready again')
    assert.match(await deps.metrics.text(), /^pazar_ready 1$/m)
  })
}

test('requests to /readyz that arrive at the same time share one query', async (t) => {
  const { getStatus, deps } = await start(t)
  await getStatus()
  const countBefore = deps.db.statementCount()
  const statuses = await Promise.all(Array.from({ length: 50 }, () => getStatus()))
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(deps.db.statementCount() - countBefore, 1)
  await getStatus()
  assert.equal(deps.db.statementCount() - countBefore, 2)
})

test('with a read-only database the process is not ready', async (t) => {
  const { getStatus, deps } = await start(t)
  const name = new URL(database.url).pathname.slice(1)
  await rows(deps.db, `alter database ${name} set default_transaction_read_only = on`)
  // The setting applies only to new connections, so the open connection is closed.
  await rows(deps.db, 'select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
  assert.equal(await getStatus(), 503)
  assert.equal(await getStatus(), 503)
  const admin = new pg.Client({
    connectionString: database.url,
    options: '-c default_transaction_read_only=off',
  })
  await admin.connect()
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  await admin.end()
  assert.equal(await getStatus(), 200)
})

test('after the database has run out of disk space, the process is not ready', async (t) => {
  const { getStatus, deps } = await start(t)
  assert.equal(await getStatus(), 200)
  const raiseDiskFull = `do $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`
  await assert.rejects(rows(deps.db, raiseDiskFull), { code: 'unavailable' })
  assert.equal(await getStatus(), 503)
})

test('with a newer schema, the process is ready only if every newer migration is additive', async (t) => {
  const { getStatus, deps } = await start(t)
  const addMigration = (version: number, additive: boolean) =>
    rows(
      deps.db,
      'insert into schema_migrations (version, name, checksum, additive) values ($1, $2, $2, $3)',
      [version, `${version}_of_a_newer_release`, additive],
    )
  await addMigration(9_001, true)
  assert.equal(await getStatus(), 200)
  await addMigration(9_002, false)
  assert.equal(await getStatus(), 503)
  assert.equal(await getStatus('/healthz'), 200)
  await rows(deps.db, 'delete from schema_migrations where version > 9000')
  assert.equal(await getStatus(), 200)
})

test('with the schema of an older release, or without a schema, the process is not ready', async (t) => {
  const { getStatus, deps } = await start(t)
  await rows(deps.db, 'create table migrations_before as select * from schema_migrations')
  for (const lost of [
    'delete from schema_migrations where version = (select max(version) from schema_migrations)',
    'delete from schema_migrations',
    'alter table schema_migrations rename to migrations_gone',
  ]) {
    await rows(deps.db, lost)
    assert.equal(await getStatus(), 503, lost)
  }
  await rows(deps.db, 'alter table migrations_gone rename to schema_migrations')
  await rows(deps.db, 'insert into schema_migrations select * from migrations_before')
  assert.equal(await getStatus(), 200)
})

for (const [caseName, stepMs, isReady] of [
  ['30 s ahead', 30_000, true],
  ['10 minutes behind', -600_000, false],
  ['10 minutes ahead', 600_000, false],
] as const)
  test(`with a clock that is ${caseName}, the process is ${isReady ? 'ready' : 'not ready'}`, async (t) => {
    const { deps } = await start(t)
    const requireReady = createReadiness(deps.db, { nowMs: () => Date.now() + stepMs })
    if (isReady) await requireReady()
    else await assert.rejects(requireReady(), { code: 'unavailable' })
  })

test('while commits wait for a lost standby, the process is not ready, although reads work', async (t) => {
  const { deps } = await start(t)
  let isHung = false
  const state = async () => [{ is_read_only: false, has_hung_commit: isHung, now_ms: Date.now() }]
  const requireReady = createReadiness(Object.assign(Object.create(deps.db), { query: state }))
  await requireReady()
  isHung = true
  await assert.rejects(requireReady(), { code: 'unavailable' })
})

test('while a loop hangs, /healthz fails; when no loop hangs any more, /healthz is ok again', async (t) => {
  const { app, deps } = await start(t)
  const { statusCode, body } = await app.inject('/healthz')
  assert.equal(statusCode, 200)
  assert.deepEqual(JSON.parse(body), { status: 'ok', version: VERSION })
  let hanging = ['reconcile stripe']
  deps.loopHealth.listHanging = () => hanging
  const response = await app.inject('/healthz')
  assert.equal(response.statusCode, 503)
  assert.equal(response.json().code, 'unavailable')
  hanging = []
  assert.equal((await app.inject('/healthz')).statusCode, 200)
})

test('each reason why the process is not ready is logged once, and a line says when the process is ready again', async () => {
  const lines: { msg: string; err?: { why?: string } }[] = []
  const log = createLogger('info', { out: { write: (line) => lines.push(JSON.parse(line) as never) } })
  const reasons = [null, 'the disk is full', 'the disk is full', 'no response', null, null]
  const requireReady = logReadiness(async () => {
    const reason = reasons.shift()
    if (reason) throw new ServiceError('unavailable', { log: reason })
  }, log)
  const results = []
  while (reasons.length > 0) {
    results.push(
      await requireReady().then(
        () => 'ready',
        () => 'not',
      ),
    )
  }
  assert.deepEqual(results, ['ready', 'not', 'not', 'not', 'ready', 'ready'])
  assert.deepEqual(
    lines.map(({ msg, err }) => [msg, err?.why]),
    [
      ['not ready', 'the disk is full'],
      ['not ready', 'no response'],
      ['ready again', undefined],
    ],
  )
})
