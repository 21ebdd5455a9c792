// The setup for those rows of the benchmark table (bench/rows/) that need a database: a separate cluster, the real schema, an
// owner with one project, and the service without rate limits.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { insertAccount } from '../server/src/accounts/accounts-store.ts'
import { parseEmail } from '../server/src/accounts/email-address.ts'
import { parseConfig } from '../server/src/config.ts'
import { startEmbeddedPostgres } from '../server/src/db/embedded.ts'
import type { EmbeddedPostgres } from '../server/src/db/embedded.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { newUuidV7 } from '../server/src/lib/id.ts'
import { createLogger } from '../server/src/lib/logger.ts'
import { insertProject } from '../server/src/projects/projects-store.ts'
import { issueSecrets, readSecret } from '../server/src/secrets/secrets.ts'
import { wire } from '../server/src/wire.ts'
import type { Deps } from '../server/src/wire.ts'
import { startProcess, stopProcesses } from './process.ts'
import type { RunningProcess } from './process.ts'

const KEY = randomBytes(32).toString('base64')

export interface Setup {
  cluster: EmbeddedPostgres
  /** A new database with the schema, an owner and one project. */
  database(name: string): Promise<BenchDatabase>
  stop(): Promise<void>
}

export interface BenchDatabase {
  url: string
  deps: Deps
  ownerId: string
  projectId: string
  liveSecret: string
  sql(text: string, values?: unknown[]): Promise<pg.QueryResult>
  service(env?: Record<string, string>): Promise<RunningProcess>
  close(): Promise<void>
}

function toSettings(url: string, dataDir: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECRETS_KEY: KEY,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DEMO: 'off',
    CALLBACK_ALLOW_HOSTS: Array.from({ length: 64 }, (_, n) => `127.0.0.1:${47_000 + n}`).join(','),
  }
}

export async function prepareSetup(): Promise<Setup> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-bench-'))
  const cluster = await startEmbeddedPostgres({ dir: path.join(dir, 'postgres'), log: () => undefined })
  return {
    cluster,
    async database(name) {
      await cluster.ensureDatabase(name)
      const url = cluster.url(name)
      await migrate(url)
      return openDatabase(url, dir)
    },
    async stop() {
      await stopProcesses()
      await cluster.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export async function addProject(deps: Deps, ownerId: string, name: string, apiUrl: string): Promise<string> {
  const id = deps.newProjectId()
  await deps.db.transaction(async (tx) => {
    const urls = { resultUrl: 'https://shop.example.com/thanks', apiUrl, testApiUrl: null }
    await insertProject(tx, ownerId, id, { name, ...urls, requireSignedLinks: false })
    await issueSecrets(deps, tx, id)
  })
  return id
}

export async function addOwner(deps: Deps, n: number): Promise<string> {
  const account = {
    id: newUuidV7(deps.clock),
    address: parseEmail(`bench-${n}@example.com`),
    passwordHash: 'none',
    locale: 'en' as const,
  }
  return deps.db.transaction(async (tx) => (await insertAccount(tx, account)).id)
}

async function openDatabase(url: string, dataDir: string): Promise<BenchDatabase> {
  const env = toSettings(url, dataDir)
  const deps = await wire(parseConfig(env), { databaseUrl: url, log: createLogger('silent') })
  const ownerId = await addOwner(deps, 0)
  const projectId = await addProject(deps, ownerId, 'Bench', 'https://shop.example.com/callback')
  const client = new pg.Client({ connectionString: url })
  // If a benchmark fails, PostgreSQL stops before this client is closed, so the client reports an error.
  client.on('error', () => undefined)
  await client.connect()
  return {
    url,
    deps,
    ownerId,
    projectId,
    liveSecret: await readSecret(deps, deps.db, projectId, 'live'),
    sql: (text, values = []) => client.query(text, values),
    service: (more = {}) => startProcess('server/src/main.ts', 'Pazar is ready', { ...env, ...more }),
    async close() {
      await client.end()
      await deps.publicFetch.close()
      await deps.db.close()
    },
  }
}

/** Inserts paid transactions `order-1` … `order-n`, spread over the last sixty days. */
export async function seedPayments(database: BenchDatabase, count: number): Promise<void> {
  await database.sql(
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, state, created_at, completed_at)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
         || substr(md5(n::text), 1, 15))::uuid,
       $1, 'live', md5('attempt' || n)::uuid, 1500, 'EUR', 'order-' || n, 'Kafa 1 kg', 'succeeded', at, at + interval '1 second'
     from (select n, now() - (($2 - n) * interval '60 days' / $2) as at from generate_series(1, $2) as n) as numbered`,
    [database.projectId, count],
  )
  await database.sql('analyze transactions')
}

/**
 * Inserts callbacks without payments. The table `callbacks` stores all of them as delivered. Each pending callback also gets
 * a row in `new_callbacks`, which makes it pending and due.
 */
export async function seedCallbacks(
  database: BenchDatabase,
  rows: { delivered: number; pending: number; projectIds?: readonly string[] },
): Promise<void> {
  const projectIds = rows.projectIds ?? [database.projectId]
  for (const [status, count] of [
    ['delivered', rows.delivered],
    ['pending', rows.pending],
  ] as const) {
    await database.sql(
      `with added as (
       insert into callbacks (project_id, id, mode, result, custom_id, payload, status, attempts, last_outcome, next_at, created_at,
         delivered_at)
       select project_id, 'msg_' || md5($1 || n), 'live', 'success', 'order-' || n,
         jsonb_build_object('status', 'success', 'projectId', project_id, 'transactionId', md5(n::text)::uuid, 'amount', '1500',
           'currency', 'EUR', 'customId', 'order-' || n, 'data', repeat('x', 120), 'mode', 'live',
           'createdAt', '2026-01-01T00:00:00.000Z'),
         'delivered', 1, 'delivered', at, at, case when $1 = 'delivered' then at end
       from (select n, now() - n * interval '1 millisecond' as at, ($3::text[])[1 + n % cardinality($3::text[])] as project_id
         from generate_series(1, $2::int) as n) as numbered returning *)
       insert into new_callbacks (project_id, id, mode, created_at) select project_id, id, mode, created_at from added where $1 = 'pending'`,
      [status, count, projectIds],
    )
  }
  await database.sql('analyze callbacks')
}
