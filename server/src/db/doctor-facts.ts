import type { Clock } from '../lib/clock.ts'
import { Connection, isSameSession, toConnectionOptions } from './connection.ts'
import { CONNECTIONS_MAX, PROCESS_COUNT } from './connection-budget.ts'
import { measureClocks } from './server-problems.ts'

export interface DatabaseFacts {
  major: number
  disabledSettings: string[]
  role: string
  isSuperuser: boolean
  /** Rights that the service does not need: createrole, createdb, replication or bypassrls. */
  extraRights: string[]
  mayCreateTables: boolean
  isReadOnly: boolean
  isBehindPooler: boolean
  connectionsMax: number
  /** The number of processes of the service that use this database. */
  processes: number
  clockOffsetMs: number
  /** The table with the most dead rows, if it has so many that vacuum probably cannot remove them. */
  bloatedTable: { name: string; deadRows: number } | null
  /** The newest migration, and the newest one that is not additive. Null: not migrated yet. */
  schema: { newest: number; notAdditive: number } | null
}

const TIMEOUT_MS = 5_000

/**
 * Only a table with more dead rows than this is reported. In tables of queues and counters, whose rows are replaced all the
 * time, autovacuum starts at far fewer dead rows.
 */
const DEAD_ROWS_MAX = 100_000

const FACTS = `select current_setting('server_version_num')::integer / 10000 as major, current_user::text as role,
  array(select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'
    order by name) as "disabledSettings",
  r.rolsuper as "isSuperuser",
  array_remove(array[case when r.rolcreaterole then 'CREATEROLE' end, case when r.rolcreatedb then 'CREATEDB' end,
    case when r.rolreplication then 'REPLICATION' end, case when r.rolbypassrls then 'BYPASSRLS' end], null) as "extraRights",
  has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as "mayCreateTables",
  current_setting('transaction_read_only') = 'on' as "isReadOnly",
  ${CONNECTIONS_MAX} as "connectionsMax", ${PROCESS_COUNT} as processes, to_regclass('schema_migrations') is not null as "isMigrated",
  (select jsonb_build_object('name', s.relname, 'deadRows', s.n_dead_tup) from pg_stat_user_tables s
    where s.schemaname = current_schema() and s.n_dead_tup > ${DEAD_ROWS_MAX} and s.n_dead_tup > 10 * s.n_live_tup order by s.n_dead_tup desc limit 1) as "bloatedTable"
  from pg_roles r where r.rolname = current_user`

const SCHEMA = `select coalesce(max(version), 0) as newest,
  coalesce(max(version) filter (where (to_jsonb(m) ->> 'additive')::boolean is not true), 0) as "notAdditive"
  from schema_migrations m`

type Row = Omit<DatabaseFacts, 'isBehindPooler' | 'clockOffsetMs' | 'schema'> & { isMigrated: boolean }

export async function readDatabaseFacts(url: string, clock: Clock): Promise<DatabaseFacts> {
  const client = new Connection(toConnectionOptions(url, TIMEOUT_MS))
  await client.connect()
  try {
    const { rows } = await client.run<Row>(FACTS, TIMEOUT_MS)
    const { isMigrated, ...facts } = rows[0]!
    const schema = isMigrated
      ? (await client.run<NonNullable<DatabaseFacts['schema']>>(SCHEMA, TIMEOUT_MS)).rows[0]!
      : null
    return {
      ...facts,
      isBehindPooler: !(await isSameSession(client, TIMEOUT_MS)),
      clockOffsetMs: await measureClocks(client, clock),
      schema,
    }
  } finally {
    await client.end()
  }
}
