// Gathers the outcomes of finished tries and writes them down together. A flush that fails is tried again with the same
// rows for as long as it takes; nothing is ever sent again because of it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../db/pool.ts'
import { isLost } from '../db/pool.ts'
import type { Logger } from '../lib/logger.ts'
import type { AttemptRecord, Flushed } from './record-store.ts'
import { FLUSH_MAX, recordAttempts } from './record-store.ts'

/** A commit takes about as long; waiting longer would be felt by a payer whose way back is held. */
const GATHER_MS = 2
const RETRY_MS_MIN = 100
/** A database that restarts is back within seconds; the leases last longer than that. */
const RETRY_MS_MAX = 2_000

export interface Flusher {
  add(record: AttemptRecord): void
  /** How many are not written yet. */
  countWaiting(): number
  /** The last time it was tried, the database was away. */
  isHeldUp(): boolean
  /** Resolves when everything is written, or its claim has turned out to be lost. */
  drain(): Promise<void>
}

export function createFlusher(
  deps: { db: Queryable; log: Logger },
  onFlushed: (flushed: Flushed) => void,
): Flusher {
  let waiting: AttemptRecord[] = []
  let writing = 0
  let isHeldUp = false
  let running: Promise<void> | null = null

  async function writeUntilDone(records: readonly AttemptRecord[]): Promise<Flushed> {
    for (let retryMs = RETRY_MS_MIN; ; retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)) {
      try {
        const flushed = await recordAttempts(deps.db, records)
        isHeldUp = false
        return flushed
      } catch (error) {
        isHeldUp = isLost(error)
        deps.log.warn({ err: error, rows: records.length }, 'outcomes of callbacks wait for the database')
        await sleep(retryMs)
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < FLUSH_MAX) await sleep(GATHER_MS)
      const batch = waiting.slice(0, FLUSH_MAX)
      waiting = waiting.slice(FLUSH_MAX)
      writing = batch.length
      onFlushed(await writeUntilDone(batch))
      writing = 0
    }
    running = null
  }

  return {
    add(record) {
      waiting.push(record)
      running ??= run()
    },
    countWaiting: () => waiting.length + writing,
    isHeldUp: () => isHeldUp,
    drain: async () => running ?? undefined,
  }
}
