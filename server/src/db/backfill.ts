// Fills a new column of existing rows in batches, because a migration that fills them would hold its locks until the last
// row. Each batch looks for rows without a value. So rows that an interrupted process left, or that the previous release
// added, are filled too.
import { statement } from './pool.ts'
import type { Db, Tx } from './pool.ts'

export interface Backfill {
  name: string
  /** Fills at most `limit` rows that lack the value, found by a partial index. Returns how many it filled. */
  fill: (tx: Tx, limit: number) => Promise<number>
}

/** A batch of this size locks its rows for only a few milliseconds. */
const BATCH_MAX = 500

const TRY_LOCK = statement(
  'backfill.try-lock',
  `select pg_try_advisory_xact_lock(hashtext('backfill'), hashtext($1)) as locked`,
)

/** Returns false if no row is left to fill, or if another process runs this backfill. */
export async function backfillOnce(db: Db, { name, fill }: Backfill): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ locked: boolean }>(TRY_LOCK, [name])
    return lock!.locked && (await fill(tx, BATCH_MAX)) > 0
  })
}
