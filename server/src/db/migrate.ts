// Replicas that start at the same time wait for one lock: the first migrates, and the others find nothing left to do. A newer
// schema is accepted if all its newer migrations are additive, so that an old replica can restart during a deploy.
import pg from 'pg'
import { Connection, ConnectionLostError, toConnectionOptions } from './connection.ts'
import type { Migration } from './migration-file.ts'
import { findConcurrentIndex, MigrationError, readMigrations, toStatements } from './migration-file.ts'
import { MIGRATION_SETTINGS } from './session-settings.ts'
import type { LockOptions } from './migration-lock.ts'
import { takeMigrationLock } from './migration-lock.ts'

export { MigrationError, readMigrations } from './migration-file.ts'

export interface MigrateOptions extends LockOptions {
  migrations?: readonly Migration[]
  /** Commands refuse an empty database (probably the wrong one) and migrations that are not additive. */
  isCommand?: boolean
}

/** A migration's locks block payers, so a migration that takes longer must be written differently. */
const STATEMENT_MAX_MS = 10 * 60_000
/** Long enough for an index of the largest table under load. */
const INDEX_BUILD_MAX_MS = 6 * 3_600_000
/** This is short, because later queries of the table also wait while a migration waits for a lock. */
const LIMIT_LOCKS = `set lock_timeout = '10s'`
/** This is longer than a payer's request may wait, because the database may still be starting. */
const CONNECT_MAX_MS = 10_000
const DEADLOCK = '40P01'
/** A deadlock happens if requests to the old release take locks in another order than the migration. */
const DEADLOCK_ATTEMPTS_MAX = 5

interface AppliedMigration {
  version: number
  checksum: string
  additive: boolean | null
}

function run<Row extends object>(
  client: Connection,
  text: string,
  values: unknown[] = [],
  maxMs = STATEMENT_MAX_MS,
) {
  // Only a query without values may contain several statements, as a migration does.
  return client.run<Row>(values.length === 0 ? text : { text, values }, maxMs)
}

async function readApplied(client: Connection): Promise<AppliedMigration[]> {
  await run(
    client,
    `create table if not exists schema_migrations (
       version integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now(), additive boolean)`,
  )
  // Checked first, because "add column if not exists" would wait behind a backup even with nothing to do.
  const { rowCount } = await run(
    client,
    `select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'additive'`,
  )
  if (!rowCount) {
    // Migrations from before this column have null in it, and count as not additive.
    await run(client, 'alter table schema_migrations add column additive boolean')
  }
  const { rows } = await run<AppliedMigration>(
    client,
    'select version, checksum, additive from schema_migrations order by version',
  )
  return rows
}

/** Without this check, a changed search_path would create a second installation without payments beside the existing one. */
async function requireSameSchema(client: Connection): Promise<void> {
  const { rows } = await run<{ existing: string; current: string | null }>(
    client,
    `select n.nspname as existing, current_schema() as current
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.oid = c.relowner
     where c.relname = 'schema_migrations' and r.rolname = current_user
       -- Other tools have a table of this name too, but without this column.
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'additive')
     order by n.nspname = current_schema() desc limit 1`,
  )
  const [found] = rows
  if (found && found.existing !== found.current)
    throw new MigrationError(
      `The tables of the service are in the schema ${found.existing}, but new tables would be created in ${found.current ?? 'no schema'}. Let the search_path of the role of DATABASE_URL begin with ${found.existing}: alter role … set search_path = ${found.existing}`,
    )
}

async function requireSchema(client: Connection): Promise<void> {
  const { rowCount } = await run(client, `select where to_regclass('schema_migrations') is not null`)
  if (!rowCount)
    throw new MigrationError(
      'This database is empty. Run the command with the settings of the service (.env, DATABASE_URL, DATA_DIR), or start the service first.',
    )
}

function requireAdditive(due: readonly Migration[]): void {
  const [first] = due.filter((one) => !one.additive)
  if (first)
    throw new MigrationError(
      `Migration ${first.name} is not additive: an older release that is still running could not continue. Run the command in the directory of the running release, or finish the upgrade first ("Upgrade and rollback" in docs/operate.md).`,
    )
}

function checkHistory(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const newest = migrations.at(-1)?.version ?? 0
  for (const { version, checksum, additive } of applied) {
    if (version > newest) {
      if (additive) continue
      throw new MigrationError(
        `The database has schema version ${version} and this code knows only ${newest}; start a newer release, or restore the backup made before the upgrade.`,
      )
    }
    const ownMigration = migrations.find((one) => one.version === version)
    if (ownMigration?.checksum !== checksum) {
      throw new MigrationError(
        `Migration ${ownMigration?.name ?? version} differs from the one that was applied to this database; start the release that applied it.`,
      )
    }
  }
}

async function record(client: Connection, { version, name, checksum, additive }: Migration): Promise<void> {
  await run(
    client,
    'insert into schema_migrations (version, name, checksum, additive) values ($1, $2, $3, $4)',
    [version, name, checksum, additive],
  )
}

async function applyInTransaction(client: Connection, migration: Migration): Promise<void> {
  try {
    await run(client, 'begin')
    await run(client, migration.sql)
    await record(client, migration)
    await run(client, 'commit')
  } catch (error) {
    // An error of the rollback is ignored: on a lost connection there is nothing to roll back.
    await run(client, 'rollback').catch(() => undefined)
    throw error
  }
}

async function applyDespiteDeadlocks(client: Connection, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyInTransaction(client, migration)
    } catch (error) {
      const isDeadlock = error instanceof pg.DatabaseError && error.code === DEADLOCK
      if (!isDeadlock || attempt === DEADLOCK_ATTEMPTS_MAX) throw error
    }
  }
}

/** An interrupted run is repeated from its first statement, so each statement must be repeatable. */
async function applyOneByOne(client: Connection, migration: Migration): Promise<void> {
  // A concurrent index build blocks no reads or writes, but waits for older transactions.
  await run(client, `set lock_timeout = '5min'`)
  for (const text of toStatements(migration.sql)) {
    const index = findConcurrentIndex(text)
    if (index) await dropInvalidIndex(client, index)
    await run(client, text, [], INDEX_BUILD_MAX_MS)
  }
  await run(client, LIMIT_LOCKS)
  await record(client, migration)
}

/** An interrupted build leaves an invalid index, which "if not exists" would accept as existing. */
async function dropInvalidIndex(client: Connection, name: string): Promise<void> {
  const { rowCount } = await run(
    client,
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  )
  if (rowCount) await run(client, `drop index concurrently if exists ${pg.escapeIdentifier(name)}`)
}

const SENTENCES: Readonly<Record<string, string>> = {
  '55P03':
    'A migration has waited too long for another transaction (a backup, or a session left open); start again when that has ended.',
  [DEADLOCK]: `A migration and other transactions have blocked each other ${DEADLOCK_ATTEMPTS_MAX} times; start again when there is less traffic.`,
  '25006':
    'The database accepts no writes (a standby, or set read-only), so nothing can be migrated or served.',
  '42501':
    'The role of DATABASE_URL (of DATABASE_DIRECT_URL behind a pooler) lacks rights in this database; let it own the database and everything in it.',
}

function toOperatorError(error: unknown): unknown {
  if (error instanceof ConnectionLostError) {
    return new MigrationError(
      `The connection to the database was lost while it was being migrated (${error.message}); start again: an unfinished migration is then finished or repeated.`,
      { cause: error },
    )
  }
  const sentence = error instanceof pg.DatabaseError ? SENTENCES[error.code ?? ''] : undefined
  return sentence === undefined ? error : new MigrationError(sentence, { cause: error })
}

/** Returns how many migrations were applied. The URL must not lead to a pooler, because the lock belongs to the session. */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<number> {
  const all = options.migrations ?? (await readMigrations())
  const client = new Connection(toConnectionOptions(databaseUrl, CONNECT_MAX_MS))
  await client.connect()
  try {
    await takeMigrationLock(client, options)
    await run(client, `${MIGRATION_SETTINGS}; ${LIMIT_LOCKS}`)
    await requireSameSchema(client)
    if (options.isCommand) await requireSchema(client)
    const applied = await readApplied(client)
    checkHistory(all, applied)
    const newer = (applied.at(-1)?.version ?? 0) - (all.at(-1)?.version ?? 0)
    if (newer > 0)
      options.log?.(
        `the schema is newer than this release; additive migrations that it does not know: ${newer}`,
      )
    const appliedVersions = new Set(applied.map((one) => one.version))
    const due = all.filter((one) => !appliedVersions.has(one.version))
    if (options.isCommand) requireAdditive(due)
    for (const migration of due) {
      await (migration.inTransaction ? applyDespiteDeadlocks : applyOneByOne)(client, migration)
    }
    return due.length
  } catch (error) {
    throw toOperatorError(error)
  } finally {
    await client.end()
  }
}
