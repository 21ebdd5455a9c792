// Removes old tries from the log, a few at a time. The callbacks themselves stay: they say what was told and when.
import type { CallbackDeps } from './deps.ts'
import { deleteOldAttempts, RETENTION_BATCH } from './retention-store.ts'

/** At 500 rows each, more than ten minutes of a busy service produce; the rest waits for the next call. */
const BATCHES_MAX = 200

export async function removeOldAttempts(deps: Pick<CallbackDeps, 'db' | 'config'>): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const count = await deleteOldAttempts(deps.db, deps.config.attemptRetentionDays)
    removed += count
    if (count < RETENTION_BATCH) break
  }
  return removed
}
