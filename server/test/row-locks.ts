// Checks whether a running transaction has locked rows: another connection tries to lock these rows without waiting.
import pg from 'pg'

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * `select` must have no locking clause. When a row is inserted that refers to another row, PostgreSQL takes the lock
 * `key share` on the other row.
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
