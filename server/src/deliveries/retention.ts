// Deletes old attempts, test callbacks and inbox requests in batches, and expired event streams. Other callbacks stay, as
// a record of what the merchants were notified of.
import type { CallbackDeps } from '../callbacks/deps.ts'
import { deleteOldInboxRequests } from '../callbacks/inbox-store.ts'
import { closeStreams } from '../streams/events-store.ts'
import { deleteOldAttempts, deleteOldTestCallbacks, RETENTION_BATCH } from '../callbacks/retention-store.ts'

/** Limits how long one call takes; the next call continues. */
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

export async function removeOldDeliveries(deps: RetentionDeps): Promise<void> {
  await removeOldAttempts(deps)
  await removeOldTestCallbacks(deps)
  await removeInBatches(() => deleteOldInboxRequests(deps.db))
  // Without ids, this call deletes only expired streams, which dead processes left.
  await closeStreams(deps.db, [])
}
