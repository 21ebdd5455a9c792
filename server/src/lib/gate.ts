// Lets a few pieces of work run at a time and a bounded number wait, so that one kind of work cannot take everything
// that the others need.
import { ServiceError } from './service-error.ts'

export interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>
}

export interface GateBounds {
  concurrency: number
  queueMax: number
  /** Whoever has waited this long is turned away: behind something that hangs, the queue would not move. */
  waitMaxMs?: number
  /** A full queue is worked off in about this long, so that trying again then is worth it. */
  retryAfterSec: number
  /** For the log, when the queue is full. */
  name: string
}

export function createGate(bounds: GateBounds): Gate {
  const { concurrency, queueMax, waitMaxMs } = bounds
  const waiting = new Set<() => void>()
  let running = 0

  async function enter(): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.size >= queueMax) throw toRefusal(bounds, 'is full')
    // Whoever leaves hands his place over, so `running` does not change.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const giveUp = () => {
      // Not if the place was handed over in this very moment.
      if (waiting.delete(resolve)) reject(toRefusal(bounds, 'does not move'))
    }
    const timer = waitMaxMs === undefined ? undefined : setTimeout(giveUp, waitMaxMs)
    await promise.finally(() => clearTimeout(timer))
  }

  function leave(): void {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    } else running -= 1
  }

  return {
    async pass(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function toRefusal({ retryAfterSec, name }: GateBounds, what: string): ServiceError {
  return new ServiceError('unavailable', { retryAfterSec, log: `the queue of ${name} ${what}` })
}
