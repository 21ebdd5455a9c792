import { MAIL_RETENTION_DAYS } from '@pazar/contract'
import type { AccountDeps } from './deps.ts'
import { CLEANUP_BATCH, deleteStaleBatch, STALE } from './cleanup-store.ts'
import type { StaleTable } from './cleanup-store.ts'

/** A run deletes at most this many batches per table. The next run deletes the other expired rows. */
const BATCHES_MAX = 40

export const STALE_TABLES = Object.keys(STALE) as StaleTable[]

/** A mail about failing callbacks may name a merchant's URL, so mails are stored no longer than payment data. */
export function toMailRetentionDays(config: Pick<AccountDeps['config'], 'paymentDataRetentionDays'>): number {
  return Math.min(MAIL_RETENTION_DAYS, config.paymentDataRetentionDays ?? MAIL_RETENTION_DAYS)
}

export async function removeStale(
  deps: Pick<AccountDeps, 'db' | 'config'>,
): Promise<Record<StaleTable, number>> {
  const removed = Object.fromEntries(STALE_TABLES.map((table) => [table, 0])) as Record<StaleTable, number>
  const mailRetentionDays = toMailRetentionDays(deps.config)
  for (const table of STALE_TABLES) {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const count = await deleteStaleBatch(deps.db, table, mailRetentionDays)
      removed[table] += count
      if (count < CLEANUP_BATCH) break
    }
  }
  return removed
}
