// Collects the outcomes of attempts and records them in batches. Retries a write while the database cannot be reached. If
// a batch is refused or times out, its rows are written one by one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../db/pool.ts'
import { isLost } from '../db/pool.ts'
import type { Logger } from '../lib/logger.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { LaneHealth } from './health-store.ts'
import { recordHealth } from './health-store.ts'
import type { AttemptRecord, RecordedCallback, RecordedBatch } from './record-store.ts'
import { RECORD_BATCH_MAX, recordAttempts } from './record-store.ts'

/** A longer wait would delay payers whose redirect waits for the callback. */
const RECORD_DELAY_MS = 2
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 2_000
/** The pause before a locked row is written again. Each such write delays all other outcomes by the lock timeout (2 s). */
const POSTPONED_MS = 5_000

export interface Recorder {
  add(record: AttemptRecord): void
  countWaiting(): number
  /** The last write failed because the database could not be reached. */
  isBlocked(): boolean
  drain(): Promise<void>
}

export interface RecorderEvents {
  /** `written`: the whole batch, including attempts that had already been recorded, for example as interrupted. */
  onRecorded: (recorded: readonly RecordedCallback[], written: readonly AttemptRecord[]) => void
  onHealth: (health: readonly LaneHealth[]) => void
  /** The database refuses the outcome, and would refuse it again. */
  onRefused: (record: AttemptRecord) => void
}

/** The database may refuse texts that came from the merchant. */
function withoutTexts(record: AttemptRecord): AttemptRecord {
  return { ...record, error: null, excerpt: null, remoteIp: null }
}

/** The write timed out or was rolled back, for example because another session has locked a row. */
const isTimeout = (error: unknown) => error instanceof ServiceError && !isLost(error)

// Why this is long: short functions that share the waiting outcomes.
export function createRecorder(
  deps: { db: Queryable; log: Logger },
  { onRecorded, onHealth, onRefused }: RecorderEvents,
): Recorder {
  let waiting: AttemptRecord[] = []
  /** Outcomes whose write timed out, for example because another session has locked their row. */
  const postponed: AttemptRecord[] = []
  let postponedUntilMs = 0
  let onAdded: (() => void) | null = null
  let writing = 0
  let isBlocked = false
  let running: Promise<void> | null = null

  async function writeWhenReachable<T>(
    rows: number,
    run: () => Promise<T>,
  ): Promise<T | 'refused' | 'timed out'> {
    for (let retryMs = RETRY_MS_MIN; ; retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)) {
      try {
        const result = await run()
        isBlocked = false
        return result
      } catch (error) {
        isBlocked = isLost(error)
        deps.log.warn({ err: error, rows }, 'callback outcomes could not be written and will be retried')
        if (!isBlocked) return isTimeout(error) ? 'timed out' : 'refused'
        await sleep(retryMs)
      }
    }
  }

  /** A deadlock or a short lock is usually gone by the second write. */
  async function writeAgainOnTimeout<T>(
    rows: number,
    run: () => Promise<T>,
  ): Promise<T | 'refused' | 'timed out'> {
    const written = await writeWhenReachable(rows, run)
    return written === 'timed out' ? writeWhenReachable(rows, run) : written
  }

  async function writeBatch(batch: readonly AttemptRecord[]): Promise<void> {
    const written = await writeWhenReachable(batch.length, () => recordAttempts(deps.db, batch))
    if (typeof written === 'object') return onWritten(batch, written)
    // A batch that timed out is not repeated: if a row stays locked, all others would wait for a second timeout.
    for (const one of batch) await writeAlone(one)
  }

  async function writeAlone(one: AttemptRecord): Promise<void> {
    for (const record of [one, withoutTexts(one)]) {
      const written = await writeWhenReachable(1, () => recordAttempts(deps.db, [record]))
      if (typeof written === 'object') return onWritten([one], written)
      if (written === 'timed out') return postpone(one)
    }
    // Not expected. This process does not send the callback again, but another process may.
    deps.log.error({ callbackId: one.id }, 'the outcome of a callback cannot be written')
    writing -= 1
    report(() => onRefused(one))
  }

  function postpone(one: AttemptRecord): void {
    writing -= 1
    postponed.push(one)
    postponedUntilMs = performance.now() + POSTPONED_MS
  }

  async function onWritten(
    batch: readonly AttemptRecord[],
    { recorded, tallies }: RecordedBatch,
  ): Promise<void> {
    writing -= batch.length
    report(() => onRecorded(recorded, batch))
    if (tallies.length === 0) return
    // The health is dropped if this write is refused or times out twice, because later outcomes wait for this write.
    const health = await writeAgainOnTimeout(tallies.length, () => recordHealth(deps.db, tallies))
    if (typeof health === 'object') report(() => onHealth(health))
  }

  /** An error in a listener must not stop later outcomes. */
  function report(notify: () => void): void {
    try {
      notify()
    } catch (error) {
      deps.log.error({ err: error }, 'a listener of recorded callbacks failed')
    }
  }

  /** Ends when the postponed outcomes are due, or earlier when an outcome is added. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, postponedUntilMs - performance.now())
      onAdded = end
      function end() {
        clearTimeout(timer)
        onAdded = null
        resolve()
      }
    })
  }

  async function writeWaiting(): Promise<void> {
    if (waiting.length < RECORD_BATCH_MAX) await sleep(RECORD_DELAY_MS)
    const batch = waiting.slice(0, RECORD_BATCH_MAX)
    waiting = waiting.slice(RECORD_BATCH_MAX)
    writing = batch.length
    await writeBatch(batch)
    writing = 0
  }

  /** Writes one outcome alone. If its row is still locked, the other outcomes wait for only one lock timeout. */
  async function writeOnePostponed(): Promise<void> {
    const one = postponed.shift()
    if (!one) return
    writing = 1
    await writeAlone(one)
    writing = 0
  }

  async function writeAll(): Promise<void> {
    while (waiting.length + postponed.length > 0) {
      if (waiting.length === 0) await pause()
      if (waiting.length > 0) await writeWaiting()
      if (performance.now() >= postponedUntilMs) await writeOnePostponed()
    }
    running = null
  }

  return {
    add(record) {
      waiting.push(record)
      onAdded?.()
      running ??= writeAll()
    },
    countWaiting: () => waiting.length + postponed.length + writing,
    isBlocked: () => isBlocked,
    drain: async () => running ?? undefined,
  }
}
