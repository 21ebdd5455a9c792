// Limits how many tasks of one kind run and wait at the same time, so that they cannot use up what other work needs.
import { ServiceError } from './service-error.ts'

export interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>
}

export interface GateBounds {
  concurrency: number
  queueMax: number
  /** A task that has waited this long is refused: behind one that hangs, the queue would not move. */
  waitMaxMs?: number
  /** A full queue is empty after about this long, so a retry then makes sense. */
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
    // The slot passes to the next waiting task, so `running` does not change.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const giveUp = () => {
      // Not if it has got a slot in the meantime.
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
