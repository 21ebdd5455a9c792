// After a restore, the gate stops payments, refunds, decisions and deliveries. It is stored in the row of this installation.
import { ServiceError } from '../lib/service-error.ts'
import type { Queryable, Tx } from './pool.ts'
import { statement } from './pool.ts'

export interface GateState {
  closedAt: Date | null
  reason: string | null
  /** The time from which the upstream's ledger has to be read before the gate opens. */
  since: Date | null
  /** When a restore was last noticed. Opening the gate does not change this time. */
  restoredAt: Date | null
  /**
   * The name of the restore that closed the gate, for example the value of RESTORED_FROM. Null: the gate is open, or was
   * closed for another reason.
   */
  restoredFrom: string | null
}

const READ = statement(
  'gate.read',
  `select gate_closed_at as "closedAt", gate_reason as reason, gate_since as since, restored_at as "restoredAt",
     case when gate_reason = 'restored' then restores[cardinality(restores)] end as "restoredFrom"
   from installation`,
)

export async function readRestoreGate(db: Queryable): Promise<GateState> {
  const [row] = await db.query<GateState>(READ)
  // If there is no row, a backup is being restored while this process runs.
  if (!row) throw new ServiceError('unavailable', { retryAfterSec: 2, log: 'database: no installation row' })
  return row
}

const READ_FIRST_START = statement(
  'gate.first_start',
  `select coalesce(min(applied_at), 'epoch') as at from schema_migrations`,
)

/** When this database got its first tables. A restore does not change this time. */
export async function readFirstStart(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(READ_FIRST_START)
  return row!.at
}

// The time is cut to milliseconds, because `writeOpen` compares it with a Date.
const CLOSE = statement(
  'gate.close',
  `update installation set gate_closed_at = coalesce(gate_closed_at, date_trunc('milliseconds', now())), gate_reason = $1::text,
     gate_since = least(gate_since, $2::timestamptz), restored_at = now(), restores = case when $3::text is null then restores else restores || $3::text end
   where case when $3::text is null then gate_closed_at is null else not ($3::text = any (restores)) end
   returning id`,
)

/**
 * Returns whether the gate was changed. A restore with the name `restoredFrom` closes the gate only once. Without
 * `restoredFrom`, a gate that is closed already is not changed.
 */
export async function writeClosed(
  db: Queryable,
  gate: { reason: string; since: Date; restoredFrom: string | null },
): Promise<boolean> {
  return (await db.query(CLOSE, [gate.reason, gate.since, gate.restoredFrom])).length > 0
}

const LOCK = statement('gate.lock', 'select id from installation for update')

export async function lockGate(tx: Tx): Promise<void> {
  await tx.query(LOCK)
}

const OPEN = statement(
  'gate.open',
  `update installation set gate_closed_at = null, gate_reason = null, gate_since = null
   where gate_closed_at = $1 returning id`,
)

/** Returns false if the gate is open, or was closed again after it was read. */
export async function writeOpen(db: Queryable, closedAt: Date): Promise<boolean> {
  return (await db.query(OPEN, [closedAt])).length > 0
}

const TIMELINE = statement(
  'gate.timeline',
  `select concat_ws(' ', oid, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)) as timeline
   from pg_database where datname = current_database()`,
)

/**
 * Returns the database's number (oid) and its timeline, as one text. The timeline changes when a standby becomes the primary,
 * or when a backup is restored to a point in time. The number changes when a dump is restored into a new database.
 */
export async function readTimeline(db: Queryable): Promise<string> {
  const [row] = await db.query<{ timeline: string }>(TIMELINE)
  return row!.timeline
}
