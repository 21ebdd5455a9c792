// Fills a column that a migration has added, for the rows that were there before. Never inside the migration: it would
// hold its locks until the last row. The background does a batch at a time in a loop of its own (lib/loop), and the rows
// themselves say what is left, so a killed process, a rollback or a row that the last release writes later needs no care.
import { statement } from './pool.ts'
import type { Db, Tx } from './pool.ts'

export interface Backfill {
  name: string
  /** Fills at most `limit` of the rows that lack the value, found by an index of them alone; how many there were. */
  fill: (tx: Tx, limit: number) => Promise<number>
}

/** A few milliseconds of row locks, which is what a payer's own statement may wait for. */
const BATCH_MAX = 500

const TRY_LOCK = statement(
  'backfill.try-lock',
  `select pg_try_advisory_xact_lock(hashtext('backfill'), hashtext($1)) as locked`,
)

/** One batch in one short transaction; false when nothing is left, or when another process is at it. */
export async function backfillOnce(db: Db, { name, fill }: Backfill): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ locked: boolean }>(TRY_LOCK, [name])
    return lock!.locked && (await fill(tx, BATCH_MAX)) > 0
  })
}
