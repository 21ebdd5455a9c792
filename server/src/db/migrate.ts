// Brings the schema up to this code's version. Replicas that start together queue on one advisory lock; the first does
// the work, the rest find it done. Forward only: a file that has landed is never edited.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'

export class MigrationError extends Error {}

interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

const MIGRATIONS_DIR = path.join(import.meta.dirname, '../../migrations')
/** Any constant will do; it only has to be the same in every replica and in no other use of advisory locks. */
const LOCK_KEY = 7_218_001

export async function readMigrations(dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(path.join(dir, file), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(file.slice(0, 4)), name: file.replace(/\.sql$/, ''), sql, checksum }
    }),
  )
}

async function readApplied(client: pg.Client): Promise<Map<number, string>> {
  await client.query(
    `create table if not exists schema_migrations (
       version integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migrations order by version',
  )
  return new Map(rows.map((row) => [row.version, row.checksum]))
}

function checkHistory(migrations: readonly Migration[], applied: ReadonlyMap<number, string>): void {
  const newest = migrations.at(-1)?.version ?? 0
  for (const [version, checksum] of applied) {
    if (version > newest) {
      throw new MigrationError(
        `The database has schema version ${version} and this code knows only ${newest}; start a newer release, or restore the backup made before the upgrade.`,
      )
    }
    const known = migrations.find((one) => one.version === version)
    if (known?.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${known?.name ?? version} differs from the one this database was made with; start the release that made it.`,
      )
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    // A migration that waits behind a long transaction would make every later query wait behind it.
    await client.query(`set local lock_timeout = '10s'`)
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Returns how many migrations were applied. */
export async function migrate(databaseUrl: string, migrations?: readonly Migration[]): Promise<number> {
  const all = migrations ?? (await readMigrations())
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // Without a listener a server that goes away in between would end the process; the query under way says it too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    const applied = await readApplied(client)
    checkHistory(all, applied)
    const due = all.filter((one) => !applied.has(one.version))
    for (const migration of due) await apply(client, migration)
    return due.length
  } finally {
    // Ending the connection also releases the lock.
    await client.end()
  }
}
