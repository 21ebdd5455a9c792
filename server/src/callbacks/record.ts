// Collects the outcomes of finished attempts and records them in batches. A flush that fails is retried with the same
// rows until it succeeds; no callback is sent again because of it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../db/pool.ts'
import { isLost } from '../db/pool.ts'
import type { Logger } from '../lib/logger.ts'
import type { AttemptRecord, RecordedBatch } from './record-store.ts'
import { RECORD_BATCH_MAX, recordAttempts } from './record-store.ts'

/** About as long as a commit takes. A longer wait would delay payers whose redirect waits for the callback. */
const BATCH_DELAY_MS = 2
const RETRY_MS_MIN = 100
/** A database that restarts is back within seconds; leases last longer than that. */
const RETRY_MS_MAX = 2_000

export interface Recorder {
  add(record: AttemptRecord): void
  /** How many are not written yet. */
  countWaiting(): number
  /** The last write failed because the database could not be reached. */
  isBlocked(): boolean
  /** Resolves when everything is written or its claim is lost. */
  drain(): Promise<void>
}

export function createRecorder(
  deps: { db: Queryable; log: Logger },
  onBatchRecorded: (recordedBatch: RecordedBatch) => void,
): Recorder {
  let waiting: AttemptRecord[] = []
  let writing = 0
  let isBlocked = false
  let running: Promise<void> | null = null

  async function writeUntilDone(records: readonly AttemptRecord[]): Promise<RecordedBatch> {
    for (let retryMs = RETRY_MS_MIN; ; retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)) {
      try {
        const recordedBatch = await recordAttempts(deps.db, records)
        isBlocked = false
        return recordedBatch
      } catch (error) {
        isBlocked = isLost(error)
        deps.log.warn(
          { err: error, rows: records.length },
          'callback outcomes could not be written and will be retried',
        )
        await sleep(retryMs)
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < RECORD_BATCH_MAX) await sleep(BATCH_DELAY_MS)
      const batch = waiting.slice(0, RECORD_BATCH_MAX)
      waiting = waiting.slice(RECORD_BATCH_MAX)
      writing = batch.length
      onBatchRecorded(await writeUntilDone(batch))
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
    isBlocked: () => isBlocked,
    drain: async () => running ?? undefined,
  }
}
