import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

// If a synchronous standby is lost, commits hang while reads still work. A commit that waits for two seconds counts as hung.
const STATE = statement(
  'health.state',
  `select current_setting('transaction_read_only') = 'on' as is_read_only, exists (
     select from pg_stat_activity where datname = current_database() and usename = current_user
       and wait_event = 'SyncRep' and state_change < now() - interval '2 seconds') as has_hung_commit,
     extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
     (select coalesce(max(version), 0) from schema_migrations) as schema_version,
     (select coalesce(max(version), 0) from schema_migrations where additive is not true) as not_additive_version`,
)

export interface ServerState {
  isReadOnly: boolean
  hasHungCommit: boolean
  nowMs: number
  /** 0 while a backup is being restored. */
  schemaVersion: number
  /** The newest migration that is not additive. Releases that do not know this migration cannot run. */
  notAdditiveVersion: number
}

interface Row {
  is_read_only: boolean
  has_hung_commit: boolean
  now_ms: number
  schema_version: number
  not_additive_version: number
}

export async function readServerState(db: Queryable): Promise<ServerState> {
  const [row] = await db.query<Row>(STATE)
  return {
    isReadOnly: row!.is_read_only,
    hasHungCommit: row!.has_hung_commit,
    nowMs: row!.now_ms,
    schemaVersion: row!.schema_version,
    notAdditiveVersion: row!.not_additive_version,
  }
}
