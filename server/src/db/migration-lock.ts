// One process migrates at a time. Waiting is polling: a statement that waits inside the database would hold a snapshot,
// and an index built without blocking writers waits for every older snapshot, so each would wait for the other.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { systemClock } from '../lib/clock.ts'
import { MigrationError } from './migration-file.ts'

/** Any constant will do; it only has to be the same in every replica and in no other use of advisory locks. */
const LOCK_KEY = 7_218_001
/** The holder may be building an index of a large table. One that needs longer is refused here and tried again by the supervisor. */
const WAIT_MAX_MS = 10 * 60_000
const POLL_MS = 200
const LOG_EVERY_MS = 10_000
/** These statements read a few rows of memory; a server that needs longer does not respond at all. */
const STATEMENT_MAX_MS = 10_000

export interface LockOptions {
  log?: (line: string) => void
  /** Ends the waiting with its reason. */
  signal?: AbortSignal
  lockWaitMaxMs?: number
}

export async function takeMigrationLock(client: pg.Client, options: LockOptions): Promise<void> {
  const { log, signal, lockWaitMaxMs = WAIT_MAX_MS } = options
  const startedMs = systemClock.nowMs()
  let nextLogMs = startedMs
  for (;;) {
    signal?.throwIfAborted()
    if (await tryLock(client)) return
    const nowMs = systemClock.nowMs()
    const waitedS = Math.round((nowMs - startedMs) / 1000)
    if (nowMs - startedMs >= lockWaitMaxMs) {
      throw new MigrationError(
        `Another process has been migrating the database for more than ${waitedS} s (${await describeHolder(client)}); start again when it is done, or end that process.`,
      )
    }
    if (nowMs >= nextLogMs) {
      log?.(
        `waiting for another process that migrates the database (${await describeHolder(client)}), ${waitedS} s so far`,
      )
      nextLogMs = nowMs + LOG_EVERY_MS
    }
    // An aborted sleep only ends early; the loop throws the reason.
    await sleep(POLL_MS, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const config = {
    text: 'select pg_try_advisory_lock($1) as locked',
    values: [LOCK_KEY],
    query_timeout: STATEMENT_MAX_MS,
  }
  const { rows } = await client.query<{ locked: boolean }>(config)
  return rows[0]!.locked
}

async function describeHolder(client: pg.Client): Promise<string> {
  const config = {
    text: `select l.pid, a.client_addr from pg_locks l left join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.classid = 0 and l.objid = $1 and l.granted
         and l.database = (select oid from pg_database where datname = current_database())`,
    values: [LOCK_KEY],
    query_timeout: STATEMENT_MAX_MS,
  }
  const { rows } = await client.query<{ pid: number; client_addr: string | null }>(config)
  const [holder] = rows
  if (!holder) return 'which has just ended'
  return `PostgreSQL process ${holder.pid}${holder.client_addr ? ` from ${holder.client_addr}` : ''}`
}
