// A separate database for each test file, copied from one migrated template. The runner starts the cluster and passes
// its URL in PAZAR_TEST_CLUSTER; a file run without the runner starts its own cluster.
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { SERVICE_USER, toServicePassword } from '../src/db/embedded-role.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import type { EmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { copyCluster, prepareCluster } from './prepared-cluster.ts'

const TEMPLATE = 'pazar_template'

export interface TestCluster {
  /** The URL of the cluster's owner, who may create databases; the database name in it must be replaced. */
  url: string
  /** An empty cluster for tests that start their own PostgreSQL. */
  emptyFiles: string
  stop(): Promise<void>
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}

/** A folder for files in memory. Only Linux has it, and in a container it can be too small. */
const MEMORY_DIR = '/dev/shm'
/** More than the databases and the write-ahead log of a run ever take. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3

/**
 * Each test file creates and deletes a thousand files of a database, and ext4 skips the deleted ones one by one for a
 * minute: in memory that takes a tenth of the processor time.
 */
async function findFastDir(): Promise<string> {
  const memory = await statfs(MEMORY_DIR).catch(() => null)
  const isLarge = memory !== null && memory.bavail * memory.bsize >= MEMORY_NEEDED_BYTES
  return isLarge ? MEMORY_DIR : tmpdir()
}

/** Durability is off: these clusters are deleted after the run, and crashes have their own tests. */
export async function startTestCluster(): Promise<TestCluster> {
  const dir = await mkdtemp(path.join(await findFastDir(), 'pazar-test-'))
  const emptyFiles = await prepareCluster(path.join(dir, 'empty'))
  await copyCluster(path.join(dir, 'postgres'), emptyFiles)
  const cluster: EmbeddedPostgres = await startEmbeddedPostgres({
    dir: path.join(dir, 'postgres'),
    log: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
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

async function admin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The role of the service, so that a test has the same rights as the service. */
function toService(adminUrl: string): string {
  const parsed = new URL(adminUrl)
  parsed.password = toServicePassword(parsed.password)
  parsed.username = SERVICE_USER
  return parsed.href
}

export interface TestDatabase {
  url: string
  /** For statements that need a superuser. */
  adminUrl: string
  /** A copy as of now, as a restored backup would be. Nothing may be connected to this one. */
  copy(): Promise<TestDatabase>
  drop(): Promise<void>
}

let made = 0

export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env['PAZAR_TEST_CLUSTER']
  const own = given ? null : await startTestCluster()
  const clusterUrl = given ?? own!.url
  const database = await copyDatabase(clusterUrl, TEMPLATE)
  return {
    ...database,
    async drop() {
      await database.drop()
      await own?.stop()
    },
  }
}

async function copyDatabase(clusterUrl: string, template: string): Promise<TestDatabase> {
  made += 1
  const name = `t_${process.pid}_${made}`
  // Copying the files takes half as long as writing each block to the WAL, which no test replays.
  await admin(
    clusterUrl,
    `create database ${name} template ${template} strategy file_copy owner ${SERVICE_USER}`,
  )
  const adminUrl = withDatabase(clusterUrl, name)
  return {
    url: toService(adminUrl),
    adminUrl,
    copy: () => copyDatabase(clusterUrl, name),
    drop: () => admin(clusterUrl, `drop database if exists ${name} with (force)`),
  }
}
