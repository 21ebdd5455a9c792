// Limits how many password hashes run and how many wait. Each takes 19 MiB and a CPU core for a while, so without a limit
// a burst of sign-ins would slow down payers.
import type { Limiter } from '../lib/limiter.ts'
import { createLimiter } from '../lib/limiter.ts'

/** About as long as a full queue takes. */
const RETRY_AFTER_SEC = 2

export function createHashingLimiter(bounds: { concurrency: number; queueMax: number }): Limiter {
  return createLimiter({ ...bounds, retryAfterSec: RETRY_AFTER_SEC, name: 'passwords' })
}
