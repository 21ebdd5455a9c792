// Each process of the service opens up to POOL_MAX connections, and one more to listen for notifications (signals.ts).
// Behind a pooler, only the listening connections and those of the pooler count.
import type { Db } from './pool.ts'
import { POOL_MAX } from './connections.ts'
import { SESSION_NAME_PREFIX, statement } from './pool.ts'

/** How many connections a role without special rights may open. PostgreSQL 15 has no `reserved_connections`. */
export const CONNECTIONS_MAX = `current_setting('max_connections')::integer
  - current_setting('superuser_reserved_connections')::integer
  - coalesce(current_setting('reserved_connections', true), '0')::integer`

/** Each process of the service has one session whose name begins with this prefix. */
export const PROCESS_COUNT = `(select count(*)::integer from pg_stat_activity
  where datname = current_database() and starts_with(application_name, '${SESSION_NAME_PREFIX}'))`

/** For commands, for `doctor`, and for a starting process, which needs one more connection for the migrations. */
const SPARE_CONNECTIONS = 3
/** PgBouncer's default for default_pool_size. A process of the service cannot read the size that is configured. */
const POOLER_CONNECTIONS_MIN = 20

export interface ConnectionUse {
  connectionsMax: number
  processes: number
  isPooled: boolean
}

export function countNeeded({ processes, isPooled }: Omit<ConnectionUse, 'connectionsMax'>): number {
  return (isPooled ? POOLER_CONNECTIONS_MIN + processes : processes * (POOL_MAX + 1)) + SPARE_CONNECTIONS
}

export function findShortage(use: ConnectionUse): string | null {
  const needed = countNeeded(use)
  if (use.connectionsMax >= needed) return null
  const perProcess = use.isPooled
    ? `one connection each, and at least ${POOLER_CONNECTIONS_MIN} connections of the pooler`
    : `${POOL_MAX + 1} connections each`
  return `The database allows ${use.connectionsMax} connections, and ${use.processes} processes of the service need up to ${needed} (${perProcess}).`
}

const READ_USE = statement(
  'connections.use',
  `select ${CONNECTIONS_MAX} as "connectionsMax", ${PROCESS_COUNT} as processes, exists (
     select from pg_stat_activity where application_name = $1) as "isCounted"`,
)

/** Also counts this process, even if its own session is not open yet. */
export async function readConnectionUse(db: Db): Promise<Omit<ConnectionUse, 'isPooled'>> {
  type Row = Omit<ConnectionUse, 'isPooled'> & { isCounted: boolean }
  const [row] = await db.query<Row>(READ_USE, [db.sessionName])
  const { connectionsMax, processes, isCounted } = row!
  return { connectionsMax, processes: processes + (isCounted ? 0 : 1) }
}
