// Runs the service behind PgBouncer in transaction mode. PgBouncer has fewer sessions in PostgreSQL than the service has
// connections, so a connection can get another session for each transaction.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { parseConfig } from '../src/config.ts'
import { batchQuery } from '../src/db/batch-query.ts'
import { openDb, statement } from '../src/db/pool.ts'
import type { Db } from '../src/db/pool.ts'
import { findPoolerProblems, readPoolerFacts } from '../src/db/pooler.ts'
import { createLogger } from '../src/lib/logger.ts'
import { examine } from '../src/cli/doctor/examine.ts'
import { systemClock } from '../src/lib/clock.ts'
import { wire } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { startFleet, untilAllDelivered } from './callbacks/fleet.ts'
import { clearRoleSettings, createTestDatabase, withPooler } from './database.ts'
import { addCallbackProject } from './deliveries.ts'
import { TEST_KEY } from './harness.ts'
import { openForToken, pressPay } from './http-payer.ts'
import { startMerchant } from './merchant.ts'
import { findPgbouncer, startPgbouncer } from './pgbouncer.ts'
import { readSecret } from '../src/secrets/secrets.ts'
import { startServiceProcess } from './service-process.ts'
import { until } from './until.ts'

const found = await findPgbouncer()
if ('reason' in found) test('the service works behind PgBouncer', { skip: found.reason }, () => undefined)
else await testBehindPooler(found.program)

// Why this is long: all tests use the same pooler.
async function testBehindPooler(program: string): Promise<void> {
  const database = await createTestDatabase()
  const { username, password } = new URL(database.url)
  const pooler = await startPgbouncer({
    program,
    clusterUrl: database.url,
    roles: [{ user: username, password: decodeURIComponent(password) }],
    poolSize: 3,
  })
  const env = withPooler(database.url, pooler.address)
  const pooledUrl = env['DATABASE_URL']!
  const opened: Db[] = []
  const open = () => {
    const db = openDb(pooledUrl, { directUrl: database.url, onError: () => undefined })
    opened.push(db)
    return db
  }
  const operator = new pg.Client({ connectionString: database.adminUrl })
  await operator.connect()
  // JIT is on by default in PostgreSQL, but off in the cluster of the tests.
  await operator.query(`alter database ${new URL(database.url).pathname.slice(1)} set jit = on`)
  await clearRoleSettings(database.url)
  after(async () => {
    for (const db of opened) await db.close()
    await pooler.stop()
    await operator.end()
    await database.drop()
  })

  test('if the database role lacks settings, the start fails, and the message has the statements that add them', async () => {
    const refusal = await startServiceProcess({ ...env, NODE_ENV: 'test', DEMO: 'off' }).then(
      () => assert.fail('the service started'),
      (error: Error) => error.message,
    )
    const statements = refusal.match(/alter role [^;]*;/g) ?? []
    // There is one statement for each setting that the service needs behind a pooler.
    assert.equal(statements.length, 7, refusal)
    for (const sql of statements) await operator.query(sql)
    // Older sessions keep their old settings, so the test ends them. PgBouncer's command RECONNECT does the same.
    await operator.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${username}' and datname = current_database()`,
    )
    assert.deepEqual(findPoolerProblems(await readPoolerFacts(pooledUrl, database.url)), [])
  })

  test('doctor reports a direct URL that leads to the pooler or to another database', async () => {
    const findPoolerFindings = async (changedEnv: Record<string, string>) => {
      const config = parseConfig({ NODE_ENV: 'test', SECRETS_KEY: TEST_KEY, ...env, ...changedEnv })
      const findings = await examine({ config, clock: systemClock, log: createLogger('silent') })
      return findings.filter(({ name }) => name === 'pooler').map(({ what }) => what)
    }
    assert.deepEqual(await findPoolerFindings({}), [])
    assert.match(
      (await findPoolerFindings({ DATABASE_DIRECT_URL: pooledUrl })).join(),
      /leads to a pooler too/,
    )
    const otherDatabase = await createTestDatabase()
    after(() => otherDatabase.drop())
    assert.match(
      (await findPoolerFindings({ DATABASE_DIRECT_URL: otherDatabase.url })).join(),
      /different databases/,
    )
  })

  test('batch queries, transactions and notifications work, and leave no prepared statement in a session', async () => {
    const [db, secondDb] = [open(), open()]
    const ECHO = statement(
      'test.echo',
      `select requested.n::int as requested, requested.name from unnest($1::text[]) with ordinality as requested(name, n)`,
    )
    const names = Array.from({ length: 200 }, (_, n) => `n${n}`)
    const echoed = await Promise.all(names.map((name) => batchQuery<{ name: string }>(db, ECHO, [name])))
    assert.deepEqual(
      echoed.map(([row]) => row?.name),
      names,
    )
    const fewNames = names.slice(0, 6)
    const results = await Promise.all(
      fewNames.map((name) =>
        db.transaction(async (tx) => {
          await rows(tx, `select set_config('test.name', $1, true)`, [name])
          return rows<{ name: string }>(tx, `select current_setting('test.name') as name`)
        }),
      ),
    )
    assert.deepEqual(
      results.map(([row]) => row?.name),
      fewNames,
    )
    const payloads: (string | null)[] = []
    db.signals.listen('test_channel', (payload) => payloads.push(payload))
    await until(() => payloads.includes(null), 'the connection listens')
    secondDb.signals.notify('test_channel')
    await until(() => payloads.includes(''), 'the notification arrived')
    assert.deepEqual(await rows(db, 'select from pg_prepared_statements'), [])
  })

  test('a statement whose server process is killed fails as unavailable, and a later statement works', async () => {
    const db = open()
    const sleeping = rows(db, "select pg_sleep(20), 'cut me'").catch((error: unknown) => error)
    await until(async () => {
      const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%cut me%' and pid <> pg_backend_pid()`
      return (await operator.query(terminate)).rows.length > 0
    })
    assert.equal(((await sleeping) as { code?: unknown }).code, 'unavailable')
    await until(async () => {
      const [row] = await rows<{ one: number }>(db, 'select 1 as one').catch(() => [])
      return row?.one === 1
    }, 'a later statement works')
  })

  test('the delivery process delivers all callbacks, also after it is killed and restarted', async (t) => {
    const merchant = await startMerchant()
    const settings = {
      ...env,
      NODE_ENV: 'test',
      SECRETS_KEY: TEST_KEY,
      CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
    }
    const deps = await wire(parseConfig(settings), { databaseUrl: pooledUrl, log: createLogger('silent') })
    opened.push(deps.db)
    const id = await addCallbackProject(deps, merchant.url)
    const secrets = {
      live: await readSecret(deps, deps.db, id, 'live'),
      test: await readSecret(deps, deps.db, id, 'test'),
    }
    const fleet = await startFleet(2, settings, [{ ROLE: 'web' }, { ROLE: 'delivery' }])
    t.after(async () => {
      await fleet.stopAll()
      await merchant.close()
    })
    const { baseUrl } = fleet.at(0)
    const pay = async (order: number) =>
      pressPay(baseUrl, await openForToken(baseUrl, { id, secrets }, { customId: `order-${order}` }))
    const first = await Promise.all(Array.from({ length: 12 }, (_, order) => pay(order)))
    assert.deepEqual([...new Set(first.map(({ status }) => status))], [200])
    await until(() => merchant.received.length === 12)
    await untilAllDelivered(deps.db)
    const sessions = `select session from delivery_processes p
      join pg_stat_activity a on a.application_name = p.session where lease_until > now()`
    assert.equal(
      (await operator.query(sessions)).rowCount,
      1,
      'the session of the delivery process is visible',
    )
    await fleet.kill(1)
    await until(
      async () => (await operator.query(sessions)).rowCount === 0,
      'the session of the killed process is gone',
    )
    assert.equal((await pay(100)).status, 200)
    await fleet.start(1)
    await until(() => merchant.received.length >= 13)
    await untilAllDelivered(deps.db)
    assert.equal(new Set(merchant.received.map((one) => one.id)).size, 13)
    const ready = await Promise.all([0, 1].map((index) => fetch(`${fleet.at(index).baseUrl}/readyz`)))
    assert.deepEqual(
      ready.map(({ status }) => status),
      [200, 200],
    )
    await deps.publicFetch.close()
  })
}
