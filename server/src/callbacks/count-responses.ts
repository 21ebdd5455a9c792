// Counts the callbacks that merchants accept, by lane (one project in one mode), hour and step (a range of response
// times). The counts are written every few seconds. A killed process loses the counts of the last seconds.
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Queryable } from '../db/pool.ts'
import { isOutcomeUnknown } from '../db/pool.ts'
import { NO_RESPONSES, toStep } from './response-times.ts'
import { addResponses } from './response-times-store.ts'
import type { HourOfResponses } from './response-times-store.ts'
import type { Lane } from './lanes.ts'

const WRITE_AFTER_MS = 2_000
/** At most this many pairs of lane and hour are in memory (a few megabytes). Responses for further pairs are not counted. */
const HOURS_MAX = 5_000
const HOUR_MS = 3_600_000

export interface ResponseCounter {
  count(lane: Lane, durationMs: number): void
  write(): Promise<void>
  close(): Promise<void>
}

interface OpenHour extends HourOfResponses {
  counts: number[]
}

export function createResponseCounter(deps: { db: Queryable; clock: Clock; log: Logger }): ResponseCounter {
  let openHours = new Map<string, OpenHour>()
  let timer: NodeJS.Timeout | null = null

  function findOrOpenHour({ projectId, mode }: Lane, hourMs: number): OpenHour | null {
    const key = `${projectId} ${mode} ${hourMs}`
    const existing = openHours.get(key)
    if (existing) return existing
    if (openHours.size >= HOURS_MAX) return null
    const opened = { projectId, mode, hourMs, counts: [...NO_RESPONSES] }
    openHours.set(key, opened)
    return opened
  }

  function addToCount(lane: Lane, hourMs: number, step: number, times: number): void {
    const hour = findOrOpenHour(lane, hourMs)
    if (hour) hour.counts[step] = (hour.counts[step] ?? 0) + times
  }

  async function writeCounts(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const batch = [...openHours.values()]
    if (batch.length === 0) return
    openHours = new Map()
    try {
      await addResponses(deps.db, batch)
    } catch (error) {
      if (isOutcomeUnknown(error)) {
        // A second write might count the responses twice.
        deps.log.warn({ err: error }, 'response times of the last seconds may be lost')
        return
      }
      deps.log.warn({ err: error }, 'response times could not be written and will be retried')
      for (const hour of batch)
        for (const [step, times] of hour.counts.entries())
          if (times > 0) addToCount(hour, hour.hourMs, step, times)
    }
  }

  return {
    count(lane, durationMs) {
      const startedMs = deps.clock.nowMs() - durationMs
      addToCount(lane, startedMs - (startedMs % HOUR_MS), toStep(durationMs), 1)
      // The timer does not keep the process alive. `close` writes the remaining counts.
      timer ??= setTimeout(() => void writeCounts(), WRITE_AFTER_MS).unref()
    },
    write: writeCounts,
    close: writeCounts,
  }
}
