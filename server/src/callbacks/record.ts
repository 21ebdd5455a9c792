// Collects the outcomes of finished attempts and records them in batches. A write that fails is retried with the same rows
// until it succeeds; no callback is sent again because of it. If a batch is refused, its rows are written one by one, so
// that a single bad row does not block the others.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../db/pool.ts'
import { isLost } from '../db/pool.ts'
import type { Logger } from '../lib/logger.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { LaneHealth } from './health-store.ts'
import { recordHealth } from './health-store.ts'
import type { AttemptRecord, Recorded, RecordedBatch } from './record-store.ts'
import { RECORD_BATCH_MAX, recordAttempts } from './record-store.ts'

/** About as long as a commit takes. A longer wait would delay payers whose redirect waits for the callback. */
const BATCH_DELAY_MS = 2
const RETRY_MS_MIN = 100
/** A database that restarts is back within seconds. */
const RETRY_MS_MAX = 2_000

export interface Recorder {
  add(record: AttemptRecord): void
  /** How many are not written yet. */
  countWaiting(): number
  /** The last write failed because the database could not be reached. */
  isBlocked(): boolean
  /** Resolves when everything is written. */
  drain(): Promise<void>
}

export interface RecorderEvents {
  /** `written` also has those that had been recorded before, for example as interrupted. */
  onRecorded: (recorded: readonly Recorded[], written: readonly AttemptRecord[]) => void
  onHealth: (health: readonly LaneHealth[]) => void
}

/** What came from the merchant, and is the only thing that the database could refuse. */
function withoutTexts(record: AttemptRecord): AttemptRecord {
  return { ...record, error: null, excerpt: null, remoteIp: null }
}

// Long: short functions that share what waits to be written.
export function createRecorder(
  deps: { db: Queryable; log: Logger },
  { onRecorded, onHealth }: RecorderEvents,
): Recorder {
  let waiting: AttemptRecord[] = []
  let writing = 0
  let isBlocked = false
  let running: Promise<void> | null = null

  /** Until it is written. `onRefused` replaces the retry if the database refuses the rows themselves. */
  async function retry<T>(rows: number, write: () => Promise<T>, onRefused?: () => Promise<T>): Promise<T> {
    for (let retryMs = RETRY_MS_MIN; ; retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)) {
      try {
        const result = await write()
        isBlocked = false
        return result
      } catch (error) {
        isBlocked = isLost(error)
        deps.log.warn({ err: error, rows }, 'callback outcomes could not be written and will be retried')
        if (onRefused && !(error instanceof ServiceError)) return onRefused()
        await sleep(retryMs)
      }
    }
  }

  async function writeBatch(batch: readonly AttemptRecord[]): Promise<void> {
    const written = await retry<RecordedBatch | 'refused'>(
      batch.length,
      () => recordAttempts(deps.db, batch),
      async () => 'refused',
    )
    if (written !== 'refused') return onWritten(batch, written)
    for (const one of batch) await writeAlone(one, batch.length > 1)
  }

  async function writeAlone(one: AttemptRecord, isWholeAllowed: boolean): Promise<void> {
    const write = (record: AttemptRecord) => () => recordAttempts(deps.db, [record])
    const strip = () => retry<RecordedBatch | 'refused'>(1, write(withoutTexts(one)), async () => 'refused')
    const written = await (isWholeAllowed ? retry(1, write(one), strip) : strip())
    if (written !== 'refused') return onWritten([one], written)
    // Without the merchant's texts there is nothing left to refuse. This process will not send it again; others may.
    deps.log.error({ callbackId: one.id }, 'the outcome of a callback cannot be written')
  }

  async function onWritten(
    batch: readonly AttemptRecord[],
    { recorded, tallies }: RecordedBatch,
  ): Promise<void> {
    writing -= batch.length
    report(() => onRecorded(recorded, batch))
    if (tallies.length === 0) return
    // A lane without its health is better than outcomes that wait behind it.
    const health = await retry<LaneHealth[]>(
      tallies.length,
      () => recordHealth(deps.db, tallies),
      async () => [],
    )
    report(() => onHealth(health))
  }

  /** The outcomes are written: an error of those who want to know must not stop the ones after them. */
  function report(notify: () => void): void {
    try {
      notify()
    } catch (error) {
      deps.log.error({ err: error }, 'recorded callbacks were not reported')
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < RECORD_BATCH_MAX) await sleep(BATCH_DELAY_MS)
      const batch = waiting.slice(0, RECORD_BATCH_MAX)
      waiting = waiting.slice(RECORD_BATCH_MAX)
      writing = batch.length
      await writeBatch(batch)
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
