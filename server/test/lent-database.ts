// The test files of a group use one database, one after the other. Its connections stay open, because on a new
// connection every statement is planned again. Between two files the database is made equal to a new one. If that is
// impossible, for example because a file changed the schema, the next file gets another database.
import pg from 'pg'
import { NoConnectionError } from '../src/db/connection.ts'
import { openConnections } from '../src/db/connections.ts'
import type { Connections } from '../src/db/connections.ts'
import type { TestDatabase } from './database.ts'
import { createTestDatabase, isPooled } from './database.ts'
import { isInGroup, shareInGroup } from './group-end.ts'
import { until } from './until.ts'

export interface LentDatabase {
  database: TestDatabase
  /** Undefined if the service has to open its own connections. */
  connections?: Connections
  /** Call it after the connections are closed. */
  giveBack(): Promise<void>
}

export interface ReusableDatabase {
  database: TestDatabase
  connections: Connections
  admin: pg.Client
  /** The schema when the database was created, as SCHEMA describes it. */
  schema: string
  filledTables: readonly string[]
}

export async function lendDatabase(): Promise<LentDatabase> {
  if (!isInGroup() || isPooled()) {
    const database = await createTestDatabase()
    return { database, giveBack: () => database.drop() }
  }
  const free = await shareInGroup('free databases', async (onEnd) => {
    const list: ReusableDatabase[] = []
    onEnd(async () => {
      for (const one of list) await closeReusable(one)
    })
    return list
  })
  const reusable = free.pop() ?? (await openReusable())
  return {
    database: reusable.database,
    connections: lendConnections(reusable.connections),
    async giveBack() {
      // Clearing fails if a file leaves a row locked.
      if (await clear(reusable).catch(() => false)) free.push(reusable)
      else await closeReusable(reusable)
    },
  }
}

export async function openReusable(): Promise<ReusableDatabase> {
  const database = await createTestDatabase()
  const admin = new pg.Client({ connectionString: database.adminUrl })
  admin.on('error', () => undefined) // A test may end all sessions of its database.
  await admin.connect()
  await admin.query("set lock_timeout = '2s'")
  return {
    database,
    connections: openConnections(database.url, { onError: () => undefined }),
    admin,
    schema: await readSchema(admin),
    filledTables: await copyInitialRows(admin),
  }
}

export async function closeReusable({ database, connections, admin }: ReusableDatabase): Promise<void> {
  await connections.close()
  await admin.end()
  await database.drop()
}

/**
 * A file that has called `close` gets no more connections. The connections themselves stay open for the next file.
 */
export function lendConnections(connections: Connections): Connections {
  let isOpen = true
  return {
    ...connections,
    async acquire() {
      if (!isOpen) throw new NoConnectionError('the connections are closed')
      return connections.acquire()
    },
    async close() {
      isOpen = false
      await until(() => {
        const { busy, waiting } = connections.countUse()
        return busy + waiting === 0
      }, 'no connection is in use')
    },
  }
}

const IS_OURS = `c.relnamespace = 'public'::regnamespace`
const TABLES = `select c.relname as name, (pg_relation_size(c.oid) / 8192)::integer as pages
  from pg_class c where c.relkind = 'r' and ${IS_OURS}`
const SEQUENCES = `select c.oid::regclass as name, pg_sequence_last_value(c.oid) as last_value, s.seqstart
  from pg_class c join pg_sequence s on s.seqrelid = c.oid where ${IS_OURS}`
/** A database with a table of more pages is not used again: later files would have to read the pages of deleted rows. */
const PAGES_MAX = 200

/** One line for each part of the schema. Statistics count as a part, because plans depend on them. */
const SCHEMA = `select string_agg(part, E'\\n' order by part) as schema from (
    select concat_ws(' ', 'class', c.oid, c.relkind, c.reloptions, c.relkind = 'r' and c.reltuples > 0) as part
    from pg_class c where ${IS_OURS}
    union all
    select concat_ws(' ', 'column', c.oid, a.attnum, a.xmin)
    from pg_attribute a join pg_class c on c.oid = a.attrelid where ${IS_OURS}
    union all select concat_ws(' ', 'default', oid, xmin) from pg_attrdef
    union all select concat_ws(' ', 'constraint', oid, xmin) from pg_constraint
    -- Without xmin, because tests disable triggers for a moment.
    union all select concat_ws(' ', 'trigger', oid, tgenabled, tgfoid) from pg_trigger
    union all select concat_ws(' ', 'function', oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'setting', s.setrole, s.setconfig)
    from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database()
  ) parts`

async function readSchema(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query<{ schema: string }>(SCHEMA)
  return rows[0]!.schema
}

/** Stores the rows of the migrated database in temporary tables. Returns the names of the tables that have rows. */
async function copyInitialRows(admin: pg.Client): Promise<string[]> {
  const { rows: tables } = await admin.query<{ name: string }>(`${TABLES} and pg_relation_size(c.oid) > 0`)
  for (const { name } of tables) await admin.query(`create temporary table initial_${name} as table ${name}`)
  await admin.query(`create temporary table initial_sequences as ${SEQUENCES}`)
  return tables.map(({ name }) => name)
}

const RESTART_SEQUENCES = `select setval(s.name, coalesce(i.last_value, s.seqstart), i.last_value is not null)
  from (${SEQUENCES}) s join initial_sequences i on i.name = s.name
  where s.last_value is distinct from i.last_value`

/** Makes the database equal to a new one. Returns false if that is impossible, or if a table has become too large. */
export async function clear({ admin, schema, filledTables }: ReusableDatabase): Promise<boolean> {
  if ((await readSchema(admin)) !== schema) return false
  const { rows: used } = await admin.query<{ name: string; pages: number }>(
    `${TABLES} and pg_relation_size(c.oid) > 0`,
  )
  if (used.some(({ pages }) => pages > PAGES_MAX)) return false
  const statements = [
    // In this role PostgreSQL checks no foreign keys and runs no triggers.
    'set local session_replication_role = replica',
    ...used.map(({ name }) => `delete from ${name}`),
    ...filledTables.map((name) => `insert into ${name} overriding system value table initial_${name}`),
    RESTART_SEQUENCES,
  ]
  await admin.query(statements.join(';'))
  return true
}
