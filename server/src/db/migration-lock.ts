// A process that waits for the lock tries again and again, with short statements. With one long statement that
// waits in the database, the two processes could wait for each other: the statement would hold a snapshot, and the process
// with the lock waits for every older snapshot while it builds an index concurrently.
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../lib/clock.ts'
import type { Connection } from './connection.ts'
import { MigrationError } from './migration-file.ts'

const LOCK_KEY = 7_218_001
/** The process with the lock may be building an index of a large table. */
const WAIT_MAX_MS = 10 * 60_000
const POLL_MS = 200
const LOG_EVERY_MS = 10_000
/** These statements read only a few rows. A server that needs longer has stopped responding. */
const STATEMENT_MAX_MS = 10_000

export interface LockOptions {
  log?: (line: string) => void
  /** When the signal is aborted, the wait fails with the reason of the abort. */
  signal?: AbortSignal
  lockWaitMaxMs?: number
}

export async function takeMigrationLock(client: Connection, options: LockOptions): Promise<void> {
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
    // An abort ends the sleep early, and the next round of the loop throws the reason of the abort.
    await sleep(POLL_MS, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

async function tryLock(client: Connection): Promise<boolean> {
  const query = { text: 'select pg_try_advisory_lock($1) as locked', values: [LOCK_KEY] }
  const { rows } = await client.run<{ locked: boolean }>(query, STATEMENT_MAX_MS)
  return rows[0]!.locked
}

async function describeHolder(client: Connection): Promise<string> {
  const query = {
    text: `select l.pid, a.client_addr from pg_locks l left join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.classid = 0 and l.objid = $1 and l.granted
         and l.database = (select oid from pg_database where datname = current_database())`,
    values: [LOCK_KEY],
  }
  const { rows } = await client.run<{ pid: number; client_addr: string | null }>(query, STATEMENT_MAX_MS)
  const [holder] = rows
  if (!holder) return 'which has just ended'
  return `PostgreSQL process ${holder.pid}${holder.client_addr ? ` from ${holder.client_addr}` : ''}`
}
