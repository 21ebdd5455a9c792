import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

const PING = statement('health.ping', 'select 1 as one')

export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query(PING)
}
