// Checks whether a running transaction has locked rows: another connection tries to lock these rows without waiting.
import pg from 'pg'

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * `select` must have no locking clause. `strength` is the lock that the other connection tries to take. PostgreSQL takes
 * `key share` on a row when another row that refers to it is inserted.
 */
export async function isLocked(
  databaseUrl: string,
  select: string,
  values: readonly unknown[] = [],
  strength: 'update' | 'key share' = 'update',
): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`${select} for ${strength} nowait`, [...values])
    return false
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return true
    throw error
  } finally {
    await client.end()
  }
}
