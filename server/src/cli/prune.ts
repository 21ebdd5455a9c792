import { STALE_TABLES, toMailRetentionDays } from '../accounts/cleanup.ts'
import { CLEANUP_BATCH, deleteStaleBatch } from '../accounts/cleanup-store.ts'
import { recordAudit } from '../accounts/audit.ts'
import { deleteOldInboxRequests } from '../callbacks/inbox-store.ts'
import { deleteOldAttempts, deleteOldTestCallbacks, RETENTION_BATCH } from '../callbacks/retention-store.ts'
import type { Queryable } from '../db/pool.ts'
import { eraseBatch } from '../payments/erasure/erase.ts'
import { countTextsDue } from '../payments/erasure/erasure-store.ts'
import { deleteOldFiles, FILES_BATCH } from '../portal/files-store.ts'
import { RETENTION } from '../retention.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { parseFlags, toTable, UsageError } from './command.ts'

const USAGE = 'prune [--delete]'
/**
 * A dry run deletes rows and rolls back. Its locks last until the rollback, so it deletes at most this many batches of each
 * table.
 */
const DRY_BATCHES_MAX = 20
const PROGRESS_EVERY = 5_000
const TEXTS_ROW = 'texts of payments'

const DETAILS = `Delivery processes delete old rows every ten minutes, a limited number each time. prune shows which rows are due now. With --delete it deletes
all of them. Use it after ATTEMPT_RETENTION_DAYS was shortened, or when no delivery process has run for a long time. docs/data.md says how long each
table's rows stay.
  --delete   deletes in small batches, each in its own transaction, so that nothing waits for long; it can be interrupted and run again

Without --delete nothing changes, and at most ${DRY_BATCHES_MAX * RETENTION_BATCH} rows of a table are counted. The texts of old payments (PAYMENT_DATA_RETENTION_DAYS) are
erased in two steps a minute apart. For some of them prune does only the first step, and the service does the second.

Exit codes: 0 done, 1 refused, 2 wrong usage.`

interface Prunable {
  table: string
  age: string
  batchSize: number
  deleteBatch: (db: Queryable) => Promise<number>
}

/** Leaves out the tables of delivery processes and event streams, which have few old rows. */
export function listPrunable({ config }: Pick<Deps, 'config'>): Prunable[] {
  const days = config.attemptRetentionDays
  const mailDays = toMailRetentionDays(config)
  const toAge = (table: string) => {
    const retention = RETENTION[table]
    return retention && 'age' in retention ? retention.age : ''
  }
  const attemptAge = `${days} days (ATTEMPT_RETENTION_DAYS)`
  return [
    ...STALE_TABLES.map((table) => ({
      table,
      age: table === 'mails' ? `${mailDays} days after it was sent or given up` : toAge(table),
      batchSize: CLEANUP_BATCH,
      deleteBatch: (db: Queryable) => deleteStaleBatch(db, table, mailDays),
    })),
    {
      table: 'callback_attempts',
      age: attemptAge,
      batchSize: RETENTION_BATCH,
      deleteBatch: (db) => deleteOldAttempts(db, days),
    },
    {
      table: 'callbacks (tests)',
      age: attemptAge,
      batchSize: RETENTION_BATCH,
      deleteBatch: (db) => deleteOldTestCallbacks(db, days),
    },
    {
      table: 'inbox_requests',
      age: toAge('inbox_requests'),
      batchSize: RETENTION_BATCH,
      deleteBatch: (db) => deleteOldInboxRequests(db),
    },
    {
      table: 'portal_files',
      age: toAge('portal_files'),
      batchSize: FILES_BATCH,
      deleteBatch: deleteOldFiles,
    },
  ]
}

class RolledBackError extends Error {}

/** Deletes up to DRY_BATCHES_MAX batches and rolls back, to count what a real run would delete. */
async function countRows(
  deps: Deps,
  { batchSize, deleteBatch }: Prunable,
): Promise<{ count: number; isAll: boolean }> {
  let count = 0
  let isAll = false
  const counting = deps.db.transaction(async (tx) => {
    // The transaction may be repeated after a deadlock.
    count = 0
    for (let n = 0; n < DRY_BATCHES_MAX && !isAll; n += 1) {
      const deleted = await deleteBatch(tx)
      count += deleted
      isAll = deleted < batchSize
    }
    throw new RolledBackError()
  })
  await counting.catch((error: unknown) => {
    if (!(error instanceof RolledBackError)) throw error
  })
  return { count, isAll }
}

async function showDue(deps: Deps): Promise<string> {
  const rows: string[][] = []
  for (const one of listPrunable(deps)) {
    const { count, isAll } = await countRows(deps, one)
    rows.push([one.table, isAll ? String(count) : `${count} or more`, one.age])
  }
  const { paymentDataRetentionDays: days } = deps.config
  if (days !== null)
    rows.push([
      TEXTS_ROW,
      String(await countTextsDue(deps.db, days, DRY_BATCHES_MAX * RETENTION_BATCH)),
      `${days} days (PAYMENT_DATA_RETENTION_DAYS)`,
    ])
  return [
    toTable([['TABLE', 'DUE NOW', 'KEPT FOR'], ...rows]),
    'Dry run: nothing was deleted. Add --delete to delete these rows.',
  ].join('\n')
}

async function deleteAll(
  deps: Deps,
  { table, batchSize, deleteBatch }: Prunable,
  onBatch: (count: number) => void,
) {
  let isDone = false
  let total = 0
  while (!isDone) {
    const count = await deleteBatch(deps.db)
    total += count
    onBatch(count)
    isDone = count < batchSize
    if (count > 0 && total % PROGRESS_EVERY === 0) console.error(`${table}: ${total} deleted`)
  }
}

async function eraseTexts(deps: Deps, onBatch: (count: number) => void): Promise<void> {
  let hasMore = true
  while (hasMore) {
    const batch = await eraseBatch(deps)
    onBatch(batch.count)
    hasMore = batch.hasMore
  }
}

/** Records the counts even if a batch fails. */
async function pruneAll(deps: Deps): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const add = (table: string, count: number) => (counts[table] = (counts[table] ?? 0) + count)
  try {
    for (const one of listPrunable(deps)) await deleteAll(deps, one, (count) => add(one.table, count))
    if (deps.config.paymentDataRetentionDays !== null)
      await eraseTexts(deps, (count) => add(TEXTS_ROW, count))
  } finally {
    await deps.db.transaction((tx) =>
      recordAudit(deps, tx, {
        accountId: null,
        actor: 'operator',
        client: null,
        action: 'data_pruned',
        changes: counts,
      }),
    )
  }
  return counts
}

export const prune: Command = {
  name: 'prune',
  usage: USAGE,
  summary: 'show what is due for deletion now; --delete deletes it',
  details: DETAILS,
  async run(deps, args) {
    const { values, positionals } = parseFlags(USAGE, args, { delete: { type: 'boolean', default: false } })
    if (positionals.length > 0) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    if (!values.delete) return showDue(deps)
    const counts = await pruneAll(deps)
    return toTable([
      ['TABLE', 'DELETED'],
      ...Object.entries(counts).map(([table, count]) => [table, String(count)]),
    ])
  },
}
