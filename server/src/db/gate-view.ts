// The restore gate stops payments after a restore. Pages, lookups and deliveries use this process's view of the gate. The
// view is at most a few seconds old, unless the database cannot be read. Code that moves money reads the gate itself.
import { toDate } from '../lib/clock.ts'
import { ServiceError } from '../lib/service-error.ts'
import { readRestoreGate } from './gate-store.ts'
import type { Queryable } from './pool.ts'

export interface RestoreGate {
  isClosed(): boolean
  /** When a restore was last noticed, in ms; -Infinity: never. */
  restoredMs(): number
  refresh(): Promise<void>
}

export class GateClosedError extends ServiceError {
  constructor() {
    super('unavailable', { retryAfterSec: 60, log: 'stopped after a restore: run reconcile --since' })
  }
}

export async function createRestoreGate(db: Queryable): Promise<RestoreGate> {
  let state = await readRestoreGate(db)
  return {
    isClosed: () => state.closedAt !== null,
    restoredMs: () => state.restoredAt?.getTime() ?? -Infinity,
    async refresh() {
      state = await readRestoreGate(db)
    },
  }
}

/** The time from which the upstream's ledger has to be read before payments continue. Null: they are not stopped. */
export async function findStoppedSince(db: Queryable): Promise<Date | null> {
  const { closedAt, since } = await readRestoreGate(db)
  return closedAt === null ? null : (since ?? toDate(0))
}

export async function requireOpenGate(db: Queryable): Promise<void> {
  if ((await readRestoreGate(db)).closedAt !== null) throw new GateClosedError()
}
