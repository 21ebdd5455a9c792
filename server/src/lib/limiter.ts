// Limits how many tasks of one kind run and wait at the same time, so that other work is not starved.
import { ServiceError } from './service-error.ts'

export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface LimiterBounds {
  concurrency: number
  queueMax: number
  /** A task that has waited this long is refused, because the tasks before it probably hang. */
  waitMaxMs?: number
  /** The caller is asked to retry after this time: about as long as a full queue takes to empty. */
  retryAfterSec: number
  name: string
}

export function createLimiter(bounds: LimiterBounds): Limiter {
  const { concurrency, queueMax, waitMaxMs } = bounds
  const waiting = new Set<() => void>()
  let running = 0

  async function enter(): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.size >= queueMax) throw toRefusal(bounds, 'is full')
    // `running` does not change while tasks wait: a task that ends gives its slot to the oldest waiting task.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const giveUp = () => {
      // A task that has got a slot in the meantime is no longer in `waiting`.
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
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function toRefusal({ retryAfterSec, name }: LimiterBounds, problem: string): ServiceError {
  return new ServiceError('unavailable', { retryAfterSec, log: `the queue of ${name} ${problem}` })
}
