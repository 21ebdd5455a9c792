import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

const IS_KNOWN = statement('time_zones.is_known', 'select from pg_timezone_names where name = $1')

/**
 * Whether the database knows the zone. The database computes the days of monthly statements, and may know fewer
 * zones than this process.
 */
export async function isKnownZone(db: Queryable, timeZone: string): Promise<boolean> {
  return (await db.query(IS_KNOWN, [timeZone])).length > 0
}
