// Limits how many password hashes run and how many wait. Each takes 19 MiB and a CPU core for a while, so without a limit
// a burst of sign-ins would slow down payers.
import type { Gate } from '../lib/gate.ts'
import { createGate } from '../lib/gate.ts'

/** About as long as a full queue takes. */
const RETRY_AFTER_SEC = 2

export function createHashingGate(bounds: { concurrency: number; queueMax: number }): Gate {
  return createGate({ ...bounds, retryAfterSec: RETRY_AFTER_SEC, name: 'passwords' })
}
