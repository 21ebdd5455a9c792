// Whether this process can serve now: the database responds, takes writes, and commits end. Called often, by balancers
// that give up quickly: it always answers soon, and callers that come at the same time share one question.
import type { Db } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { readServerState } from './health-store.ts'

/** Of the 2 s that are promised; the rest is for a busy machine. */
const RESPOND_WITHIN_MS = 1_000

function toUnready(log: string): ServiceError {
  return new ServiceError('unavailable', { retryAfterSec: 2, log: `not ready: ${log}` })
}

async function ask(db: Db): Promise<void> {
  const state = await readServerState(db)
  if (state.isReadOnly) throw toUnready('the database is read-only')
  if (state.hasHungCommit) throw toUnready('commits wait for a standby')
}

/** The function returned throws unless the process is ready. */
export function createReadiness(db: Db): () => Promise<void> {
  let asking: Promise<void> | null = null
  return async () => {
    if (db.hadTroubleLately()) throw toUnready('a write failed a moment ago')
    asking ??= ask(db).finally(() => {
      asking = null
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(toUnready('no response in time')), RESPOND_WITHIN_MS)
    try {
      await Promise.race([asking, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
