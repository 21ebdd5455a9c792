// Limits how many connections are used at the same time. Further callers wait, the oldest first. pg-pool can do this too,
// but its time limit also counts time in which this process was paused.
import { startRunningTimer } from '../lib/running-timer.ts'
import { NoConnectionError } from './connection.ts'

export interface Slots {
  /** Rejects with NoConnectionError if no slot is free within `timeoutMs`. */
  take(): Promise<void>
  free(): void
  countWaiting(): number
}

export function createSlots(max: number, timeoutMs: number): Slots {
  let taken = 0
  const waiting = new Set<() => void>()

  async function waitForSlot(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stopTimer = startRunningTimer(timeoutMs, () => {
        waiting.delete(take)
        reject(new NoConnectionError(`no connection was free within ${timeoutMs} ms`))
      })
      const take = () => {
        stopTimer()
        resolve()
      }
      waiting.add(take)
    })
  }

  return {
    async take() {
      if (taken === max) return waitForSlot()
      taken += 1
    },
    free() {
      const [next] = waiting
      if (next === undefined) {
        taken -= 1
        return
      }
      waiting.delete(next)
      next()
    },
    countWaiting: () => waiting.size,
  }
}
