// Lets a few password hashes run at a time and a bounded number wait. Each takes 19 MiB and a core for a while, so
// without a bound a burst of sign-ins would take both from the payers.
import { ServiceError } from '../lib/service-error.ts'

export interface HashingGate {
  pass<T>(work: () => Promise<T>): Promise<T>
}

/** A full queue is worked off in about this long, so that trying again then is worth it. */
const RETRY_AFTER_SEC = 2

export function createHashingGate(bounds: { concurrency: number; queueMax: number }): HashingGate {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < bounds.concurrency) {
      running += 1
      return
    }
    if (waiting.length >= bounds.queueMax) {
      throw new ServiceError('unavailable', {
        retryAfterSec: RETRY_AFTER_SEC,
        log: 'the password queue is full',
      })
    }
    // Whoever leaves hands his place over, so `running` does not change.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
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
