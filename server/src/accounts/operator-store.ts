// Finds accounts for operators, with the times when they were created and closed.
import { statement } from '../db/pool.ts'
import type { Queryable } from '../db/pool.ts'
import type { Account } from './account.ts'
import type { AccountRow } from './accounts-store.ts'
import { ACCOUNT_COLUMNS, toAccount } from './accounts-store.ts'

export interface KnownAccount {
  account: Account
  createdAt: Date
  closedAt: Date | null
}

type Row = AccountRow & { created_at: Date; closed_at: Date | null }

const toKnown = (row: Row): KnownAccount => ({
  account: toAccount(row),
  createdAt: row.created_at,
  closedAt: row.closed_at,
})

// This query may read every account, because operators search rarely.
const SEARCH = statement(
  'accounts.search',
  `select ${ACCOUNT_COLUMNS}, a.created_at, a.closed_at from accounts a
   where a.closed_at is null and position($1 in a.email_key) > 0 order by a.created_at desc, a.id desc limit $2`,
)

export async function searchAccounts(db: Queryable, text: string, limit: number): Promise<KnownAccount[]> {
  return (await db.query<Row>(SEARCH, [text, limit])).map(toKnown)
}

const BY_EMAIL = statement(
  'accounts.known_by_email',
  `select ${ACCOUNT_COLUMNS}, a.created_at, a.closed_at from accounts a where a.email_key = $1`,
)
const BY_ID = statement(
  'accounts.known_by_id',
  `select ${ACCOUNT_COLUMNS}, a.created_at, a.closed_at from accounts a where a.id = $1`,
)

export async function findKnownByEmail(db: Queryable, emailKey: string): Promise<KnownAccount | null> {
  const [row] = await db.query<Row>(BY_EMAIL, [emailKey])
  return row ? toKnown(row) : null
}

export async function findKnownById(db: Queryable, id: string): Promise<KnownAccount | null> {
  const [row] = await db.query<Row>(BY_ID, [id])
  return row ? toKnown(row) : null
}
