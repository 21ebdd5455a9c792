import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

const HAS_ANY = statement('payments.has_any', 'select exists (select from transactions) as found')

export async function hasPayments(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(HAS_ANY)
  return row!.found
}

const COUNT_OPEN = statement(
  'payments.count_open',
  "select count(*)::int as open from transactions where state in ('processing', 'requires_action')",
)

export async function countOpen(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: number }>(COUNT_OPEN)
  return row!.open
}
