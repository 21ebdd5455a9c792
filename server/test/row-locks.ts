// Finds out whether a running transaction has locked some rows: another connection tries to lock them without waiting.
import pg from 'pg'

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * `select` finds the rows. It must have no locking clause. With `key share`, the result says whether the insertion of a row
 * that refers to these rows would have to wait.
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
