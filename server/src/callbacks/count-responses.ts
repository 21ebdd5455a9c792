// Gathers how quickly shops answered and writes it down every few seconds, whatever the number of callbacks meanwhile: the
// statement that records a try costs nothing more for it. What a kill takes along are the last seconds of a statistic.
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Queryable } from '../db/pool.ts'
import { isOutcomeUnknown } from '../db/pool.ts'
import { NO_ANSWERS, toStep } from './response-times.ts'
import { addAnswers } from './response-times-store.ts'
import type { HourOfAnswers } from './response-times-store.ts'
import type { Lane } from './lanes.ts'

/** Soon enough for somebody who looks at the figures after a test, seldom enough to cost nothing. */
const WRITE_AFTER_MS = 2_000
/** While the database is away this much is kept, a few megabytes; whatever comes on top is not counted. */
const HOURS_MAX = 5_000
const HOUR_MS = 3_600_000

export interface AnswerCounter {
  count(lane: Lane, durationMs: number): void
  /** Writes what has gathered. */
  write(): Promise<void>
  close(): Promise<void>
}

interface Gathered extends HourOfAnswers {
  counts: number[]
}

export function createAnswerCounter(deps: { db: Queryable; clock: Clock; log: Logger }): AnswerCounter {
  let gathered = new Map<string, Gathered>()
  let timer: NodeJS.Timeout | null = null

  function hourOf({ projectId, mode }: Lane, hourMs: number): Gathered | null {
    const key = `${projectId} ${mode} ${hourMs}`
    const known = gathered.get(key)
    if (known) return known
    if (gathered.size >= HOURS_MAX) return null
    const made = { projectId, mode, hourMs, counts: [...NO_ANSWERS] }
    gathered.set(key, made)
    return made
  }

  function add(lane: Lane, hourMs: number, step: number, times: number): void {
    const hour = hourOf(lane, hourMs)
    if (hour) hour.counts[step] = (hour.counts[step] ?? 0) + times
  }

  async function write(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const batch = [...gathered.values()]
    if (batch.length === 0) return
    gathered = new Map()
    try {
      await addAnswers(deps.db, batch)
    } catch (error) {
      if (isOutcomeUnknown(error)) {
        // Counted once or not at all: written again, they might count twice.
        deps.log.warn({ err: error }, 'some seconds of how quickly shops answered may be lost')
        return
      }
      deps.log.warn({ err: error }, 'how quickly shops answered waits for the database')
      for (const hour of batch)
        for (const [step, times] of hour.counts.entries()) if (times > 0) add(hour, hour.hourMs, step, times)
    }
  }

  return {
    count(lane, durationMs) {
      const startedMs = deps.clock.nowMs() - durationMs
      add(lane, startedMs - (startedMs % HOUR_MS), toStep(durationMs), 1)
      // Not what keeps a process alive; whoever stops it calls `close`.
      timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref()
    },
    write,
    close: write,
  }
}
