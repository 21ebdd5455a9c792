// Deletes old attempts and old test callbacks, a few at a time. The callbacks of payments stay, as the record of what the
// merchants were notified of, and when.
import type { CallbackDeps } from '../callbacks/deps.ts'
import { deleteOldInboxRequests } from '../callbacks/inbox-store.ts'
import { closeStreams } from '../streams/events-store.ts'
import { deleteOldAttempts, deleteOldTestCallbacks, RETENTION_BATCH } from '../callbacks/retention-store.ts'

/** At 500 rows each, more than a busy service produces in ten minutes. The rest waits for the next call. */
const BATCHES_MAX = 200

type RetentionDeps = Pick<CallbackDeps, 'db' | 'config'>

async function removeInBatches(removeBatch: () => Promise<number>): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const count = await removeBatch()
    removed += count
    if (count < RETENTION_BATCH) break
  }
  return removed
}

export function removeOldAttempts({ db, config }: RetentionDeps): Promise<number> {
  return removeInBatches(() => deleteOldAttempts(db, config.attemptRetentionDays))
}

export function removeOldTestCallbacks({ db, config }: RetentionDeps): Promise<number> {
  return removeInBatches(() => deleteOldTestCallbacks(db, config.attemptRetentionDays))
}

/** Deletes old attempts, test callbacks and inbox requests, and the event streams of dead processes. */
export async function removeOldDeliveries(deps: RetentionDeps): Promise<void> {
  await removeOldAttempts(deps)
  await removeOldTestCallbacks(deps)
  await removeInBatches(() => deleteOldInboxRequests(deps.db))
  // Without this call, the streams of dead processes would be deleted only when another stream closes.
  await closeStreams(deps.db, [])
}
