// Removes what has run its time. Nothing depends on it: every statement checks times itself, so a late cleanup costs
// room and nothing else.
import type { AccountDeps } from './deps.ts'
import { CLEANUP_BATCH, deleteStaleBatch, STALE } from './cleanup-store.ts'
import type { StaleKind } from './cleanup-store.ts'

/** At 500 rows each, far more than a quarter of an hour produces; the rest waits for the next call. */
const BATCHES_MAX = 40

export async function removeStale(deps: Pick<AccountDeps, 'db'>): Promise<Record<StaleKind, number>> {
  const removed = { sessions: 0, lockouts: 0, links: 0, mails: 0, tokens: 0, devices: 0 }
  for (const kind of Object.keys(STALE) as StaleKind[]) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const count = await deleteStaleBatch(deps.db, kind)
      removed[kind] += count
      if (count < CLEANUP_BATCH) break
    }
  }
  return removed
}
