// Each test file gets its own database, copied from one migrated template. The runner starts a PostgreSQL cluster, or
// prepares an existing one, and passes its URL in PAZAR_TEST_CLUSTER. A file that is run without the runner starts its own
// cluster. With PAZAR_TEST_POOLER (host:port) services connect through a pooler in transaction mode.
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { ensureServiceRole, SERVICE_USER, toServicePassword } from '../src/db/embedded-role.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import type { EmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { SESSION_SETTING_NAMES, toAlterRole } from '../src/db/session-settings.ts'
import { findFastDir } from './fast-dir.ts'
import { findPgbouncer, startPgbouncer } from './pgbouncer.ts'
import type { Pgbouncer } from './pgbouncer.ts'
import { copyCluster, prepareCluster } from './prepared-cluster.ts'

const TEMPLATE = 'pazar_template'

export interface TestCluster {
  /** The URL of the cluster's owner, who may create databases. The database name in it must be replaced. */
  url: string
  /** The files of an empty cluster, for tests that start their own PostgreSQL. Absent: each such test creates them. */
  emptyFiles?: string
  stop(): Promise<void>
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

/**
 * Durability is off: these clusters are deleted after the run, and the tests of crashes start their own. Autovacuum is
 * off too, because the tables exist only for seconds. A statement is planned once per connection: by default PostgreSQL
 * plans it again for its first five executions, and few tests execute a statement more often.
 */
export async function startTestCluster(): Promise<TestCluster> {
  const dir = await mkdtemp(path.join(await findFastDir(), 'pazar-test-'))
  const emptyFiles = await prepareCluster(path.join(dir, 'empty'))
  await copyCluster(path.join(dir, 'postgres'), emptyFiles)
  const cluster: EmbeddedPostgres = await startEmbeddedPostgres({
    dir: path.join(dir, 'postgres'),
    log: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      jit: 'off',
      plan_cache_mode: 'force_generic_plan',
      max_connections: '300',
      scram_iterations: '1', // These passwords protect nothing.
    },
  })
  await cluster.ensureDatabase(TEMPLATE)
  await migrate(cluster.url(TEMPLATE))
  return {
    url: cluster.adminUrl('postgres'),
    emptyFiles,
    async stop() {
      await cluster.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

const runSql = (url: string, sql: string) => withClient(url, (client) => client.query(sql))

/** Prepares a running PostgreSQL, such as another version. The URL needs a superuser and their password. */
export async function prepareExistingCluster(url: string): Promise<TestCluster> {
  await withClient(url, async (client) => {
    await ensureServiceRole(client, decodeURIComponent(new URL(url).password))
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE} owner ${SERVICE_USER}`)
  })
  await migrate(toServiceUrl(withDatabase(url, TEMPLATE)))
  return { url, stop: () => runSql(url, `drop database if exists ${TEMPLATE} with (force)`) }
}

/** Starts the pooler through which the services of a test run connect. */
export async function startPooler(clusterUrl: string): Promise<Pgbouncer> {
  const found = await findPgbouncer()
  if ('reason' in found) throw new Error(found.reason)
  const service = new URL(toServiceUrl(clusterUrl))
  const roles = [{ user: service.username, password: decodeURIComponent(service.password) }]
  return startPgbouncer({ program: found.program, clusterUrl, roles })
}

/** The URL with the service's role, so that a test has the same rights as the service. */
function toServiceUrl(adminUrl: string): string {
  const parsed = new URL(adminUrl)
  parsed.password = toServicePassword(decodeURIComponent(parsed.password))
  parsed.username = SERVICE_USER
  return parsed.href
}

export interface TestDatabase {
  url: string
  /** For statements that need a superuser. */
  adminUrl: string
  /** Copies the database, like a restored backup. No session may be connected to the original meanwhile. */
  copy(): Promise<TestDatabase>
  drop(): Promise<void>
}

export const isPooled = () => findPooler() !== null

const findPooler = () => process.env['PAZAR_TEST_POOLER'] ?? null

export function withPooler(url: string, address: string): Record<string, string> {
  const pooled = new URL(url)
  pooled.host = address
  return { DATABASE_URL: pooled.href, DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: url }
}

/** The settings with which a service reaches a test database: directly, or through the pooler of this run. */
export function toDatabaseEnv(url: string): Record<string, string> {
  const address = findPooler()
  return address === null ? { DATABASE_URL: url } : withPooler(url, address)
}

/** Stores the session settings with the role, because a pooler in transaction mode needs them there. */
async function setRoleSettings({ adminUrl }: TestDatabase): Promise<void> {
  const name = new URL(adminUrl).pathname.slice(1)
  await runSql(adminUrl, toAlterRole(SERVICE_USER, name, SESSION_SETTING_NAMES))
}

/**
 * Removes the settings that setRoleSettings stored. A run through a pooler does that for every database. `url` is the
 * service's.
 */
export async function clearRoleSettings(url: string): Promise<void> {
  await runSql(url, `alter role current_user in database ${new URL(url).pathname.slice(1)} reset all`)
}

const ownerPools = new Map<string, pg.Pool>()

/**
 * Each process has one connection to the cluster with which it creates and drops databases, because opening one takes as
 * long as dropping a database. It does not keep the process running.
 */
async function runInCluster(clusterUrl: string, sql: string): Promise<void> {
  let pool = ownerPools.get(clusterUrl)
  if (!pool) {
    pool = new pg.Pool({
      connectionString: clusterUrl,
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    })
    pool.on('error', () => undefined) // The cluster of a file that is run alone stops before the process ends.
    ownerPools.set(clusterUrl, pool)
  }
  await pool.query(sql)
}

let databaseCount = 0

export async function createTestDatabase(): Promise<TestDatabase> {
  const existingUrl = process.env['PAZAR_TEST_CLUSTER']
  const ownCluster = existingUrl ? null : await startTestCluster()
  const clusterUrl = existingUrl ?? ownCluster!.url
  const database = await copyDatabase(clusterUrl, TEMPLATE)
  return {
    ...database,
    async drop() {
      await database.drop()
      await ownCluster?.stop()
    },
  }
}

async function copyDatabase(clusterUrl: string, template: string): Promise<TestDatabase> {
  databaseCount += 1
  const name = `t_${process.pid}_${databaseCount}`
  // Copying the files takes half as long as writing each block to the WAL, which no test replays.
  await runInCluster(
    clusterUrl,
    `create database ${name} template ${template} strategy file_copy owner ${SERVICE_USER}`,
  )
  const adminUrl = withDatabase(clusterUrl, name)
  const database: TestDatabase = {
    url: toServiceUrl(adminUrl),
    adminUrl,
    async copy() {
      if (findPooler() !== null) await endSessions(clusterUrl, name)
      return copyDatabase(clusterUrl, name)
    },
    drop: () => runInCluster(clusterUrl, `drop database if exists ${name} with (force)`),
  }
  if (findPooler() !== null) await setRoleSettings(database)
  return database
}

/** Needed with a pooler, because it keeps sessions open after its clients have disconnected. */
async function endSessions(clusterUrl: string, name: string): Promise<void> {
  await runSql(
    clusterUrl,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}
