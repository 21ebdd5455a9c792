// Counts the rows of the tables that a refused request must not change.
import type { Queryable } from '../src/db/pool.ts'
import { statement } from '../src/db/pool.ts'

/** Tables that may change although a request is refused. */
const IGNORED_TABLES = new Set(['schema_migrations', 'lockout_buckets'])

const TABLES = statement(
  'test.tables',
  `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
)

export async function countRows(db: Queryable): Promise<Record<string, bigint>> {
  const tables = await db.query<{ name: string }>(TABLES)
  const counts: Record<string, bigint> = {}
  for (const { name } of tables) {
    if (IGNORED_TABLES.has(name)) continue
    const [row] = await db.query<{ n: bigint }>(
      statement(`test.count.${name}`, `select count(*) as n from "${name}"`),
    )
    counts[name] = row!.n
  }
  return counts
}
