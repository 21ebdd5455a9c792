// Creates databases for tests as copies of one migrated template. The runner passes the URL of the cluster in
// PAZAR_TEST_CLUSTER. A file that is run without the runner starts its own cluster. With PAZAR_TEST_POOLER (host:port)
// services connect through a pooler in transaction mode.
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
  url: string
  /** A folder with an empty cluster. A test that starts a server of its own copies the folder first. */
  emptyFiles?: string
  stop(): Promise<void>
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

/**
 * Durability and autovacuum are off, because the databases exist only for seconds. Generic plans save time, because
 * PostgreSQL would otherwise plan each of the first five executions of a statement.
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

/** Prepares a running PostgreSQL, for example of another version. The URL needs a superuser and their password. */
export async function prepareExistingCluster(url: string): Promise<TestCluster> {
  await withClient(url, async (client) => {
    await ensureServiceRole(client, decodeURIComponent(new URL(url).password))
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE} owner ${SERVICE_USER}`)
  })
  await migrate(toServiceUrl(withDatabase(url, TEMPLATE)))
  return { url, stop: () => runSql(url, `drop database if exists ${TEMPLATE} with (force)`) }
}

export async function startPooler(clusterUrl: string): Promise<Pgbouncer> {
  const found = await findPgbouncer()
  if ('reason' in found) throw new Error(found.reason)
  const service = new URL(toServiceUrl(clusterUrl))
  const roles = [{ user: service.username, password: decodeURIComponent(service.password) }]
  return startPgbouncer({ program: found.program, clusterUrl, roles })
}

/** Puts the service's role into the URL, so that a test has the same rights as the service. */
function toServiceUrl(adminUrl: string): string {
  const parsed = new URL(adminUrl)
  parsed.password = toServicePassword(decodeURIComponent(parsed.password))
  parsed.username = SERVICE_USER
  return parsed.href
}

export interface TestDatabase {
  url: string
  adminUrl: string
  /** Copies the database, like a restored backup. During the copy, no session may be connected to the original. */
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

/** The settings with which a service connects to the database, through the pooler if this run has one. */
export function toDatabaseEnv(url: string): Record<string, string> {
  const address = findPooler()
  return address === null ? { DATABASE_URL: url } : withPooler(url, address)
}

/** Services behind a pooler in transaction mode work only if the session settings are stored with the role. */
async function setRoleSettings({ adminUrl }: TestDatabase): Promise<void> {
  const name = new URL(adminUrl).pathname.slice(1)
  await runSql(adminUrl, toAlterRole(SERVICE_USER, name, SESSION_SETTING_NAMES))
}

/** Removes the settings that are stored for the role and the database of `url`. */
export async function clearRoleSettings(url: string): Promise<void> {
  await runSql(url, `alter role current_user in database ${new URL(url).pathname.slice(1)} reset all`)
}

const ownerPools = new Map<string, pg.Pool>()

/**
 * Runs a statement that creates or drops a database. Each process keeps one connection open for these statements, because
 * opening a connection takes as long as dropping a database.
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
    pool.on('error', () => undefined) // A file that is run alone stops its cluster while this connection is open.
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
  // Copying files takes half as long as writing each block to the write-ahead log.
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

/** Ends all sessions of a database, because a pooler keeps sessions open after its clients have disconnected. */
async function endSessions(clusterUrl: string, name: string): Promise<void> {
  await runSql(
    clusterUrl,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}
