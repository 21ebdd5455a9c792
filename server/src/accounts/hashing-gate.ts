// Lets a few password hashes run at a time and a bounded number wait. Each takes 19 MiB and a core for a while, so
// without a bound a burst of sign-ins would take both from the payers.
import type { Gate } from '../lib/gate.ts'
import { createGate } from '../lib/gate.ts'

/** A full queue is worked off in about this long, so that trying again then is worth it. */
const RETRY_AFTER_SEC = 2

export function createHashingGate(bounds: { concurrency: number; queueMax: number }): Gate {
  return createGate({ ...bounds, retryAfterSec: RETRY_AFTER_SEC, name: 'passwords' })
}
