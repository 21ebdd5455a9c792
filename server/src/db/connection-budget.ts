// Whether the database has enough connections for all processes of the service. Each process opens up to POOL_MAX (pool.ts) and
// one that listens (signals.ts). Behind a pooler only the latter count, besides the pooler's own.
import type { Db } from './pool.ts'
import { POOL_MAX, SESSION_NAME_PREFIX, statement } from './pool.ts'

/** What a role without special rights may open. The second reserve exists from PostgreSQL 16 on. */
export const CONNECTIONS_MAX = `current_setting('max_connections')::integer
  - current_setting('superuser_reserved_connections')::integer
  - coalesce(current_setting('reserved_connections', true), '0')::integer`

/** Every process has one session with such a name; see `sessionName`. */
export const OTHER_PROCESSES = `(select count(*)::integer from pg_stat_activity
  where datname = current_database() and starts_with(application_name, '${SESSION_NAME_PREFIX}'))`

/** A start migrates with one more; commands and `doctor` use a few. */
const SPARE = 3
/** PgBouncer's default_pool_size. The size that the pooler has cannot be read from here. */
const POOLER_MIN = 20

export interface ConnectionUse {
  connectionsMax: number
  processes: number
  isPooled: boolean
}

export function countNeeded({ processes, isPooled }: Omit<ConnectionUse, 'connectionsMax'>): number {
  return (isPooled ? POOLER_MIN + processes : processes * (POOL_MAX + 1)) + SPARE
}

/** A sentence, or null if there are enough. */
export function findShortage(use: ConnectionUse): string | null {
  const needed = countNeeded(use)
  if (use.connectionsMax >= needed) return null
  const each = use.isPooled
    ? `one session for each, and at least ${POOLER_MIN} of the pooler`
    : `${POOL_MAX + 1} connections each`
  return `The database allows ${use.connectionsMax} connections, and ${use.processes} processes of the service need up to ${needed} (${each}).`
}

const USE = statement(
  'connections.use',
  `select ${CONNECTIONS_MAX} as "connectionsMax", ${OTHER_PROCESSES} as processes, exists (
     select from pg_stat_activity where application_name = $1) as "isCounted"`,
)

/** For the start of a process, whose own session may not be open yet. */
export async function readConnectionUse(db: Db): Promise<Omit<ConnectionUse, 'isPooled'>> {
  type Row = Omit<ConnectionUse, 'isPooled'> & { isCounted: boolean }
  const [row] = await db.query<Row>(USE, [db.sessionName])
  const { connectionsMax, processes, isCounted } = row!
  return { connectionsMax, processes: processes + (isCounted ? 0 : 1) }
}
