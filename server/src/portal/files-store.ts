// Stores the portal's files of several releases in the database, which all processes share. So during a deploy and
// after a rollback, a page of one release can load its files from a process of another release.
import { PORTAL_FILES_RETENTION_DAYS } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Db, Queryable } from '../db/pool.ts'
import type { Asset } from './build.ts'

/** The batch is small, because each row is a file. */
export const FILES_BATCH = 100

const LIST = statement('portal.list_files', 'select name from portal_files where name = any ($1)')

const INSERT = statement(
  'portal.insert_files',
  `insert into portal_files (name, plain, gzip, brotli)
   select * from unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[]) as own (name, plain, gzip, brotli) order by own.name
   on conflict (name) do nothing`,
)

// Sets `replaced_at` on files that this release does not have, and clears it on the files of this release. Rows that are
// already right are not updated.
const MARK = statement(
  'portal.mark_files',
  `update portal_files set replaced_at = case when name = any ($1) then null else now() end
   where (name = any ($1)) = (replaced_at is not null)`,
)

/**
 * Must end before the process serves requests. A browser may request the files of this process's pages from a process of
 * another release, and that process finds the files only in the database.
 */
export async function storeFiles(
  db: Db,
  files: ReadonlyMap<string, Pick<Asset, 'plain' | 'gzip' | 'brotli'>>,
): Promise<void> {
  const names = [...files.keys()]
  // Two processes that start at the same time can deadlock; then one of them repeats the transaction.
  await db.transaction(async (tx) => {
    const stored = new Set((await tx.query<{ name: string }>(LIST, [names])).map(({ name }) => name))
    const added = [...files].filter(([name]) => !stored.has(name))
    if (added.length > 0)
      await tx.query(INSERT, [
        added.map(([name]) => name),
        added.map(([, { plain }]) => plain),
        added.map(([, { gzip }]) => gzip),
        added.map(([, { brotli }]) => brotli),
      ])
    await tx.query(MARK, [names])
  })
}

const FIND = statement('portal.find_file', 'select plain, gzip, brotli from portal_files where name = $1')

export async function findFile(db: Queryable, name: string): Promise<Omit<Asset, 'type'> | null> {
  const [row] = await db.query<Omit<Asset, 'type'>>(FIND, [name])
  return row ?? null
}

export const DELETE_OLD_FILES = statement(
  'portal.delete_old_files',
  `delete from portal_files where ctid = any (array(
     select ctid from portal_files where replaced_at < now() - interval '${PORTAL_FILES_RETENTION_DAYS} days' limit ${FILES_BATCH})) returning 1`,
)

export async function deleteOldFiles(db: Queryable): Promise<number> {
  return (await db.query(DELETE_OLD_FILES)).length
}
