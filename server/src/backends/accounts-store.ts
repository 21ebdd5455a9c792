// Stores the upstream accounts with which payments were opened, so that no payment is looked up in another account.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/** The stored value for payments that were opened before accounts were stored. */
const NO_ACCOUNT = ''

// Payments that were opened before accounts were stored belong to the first account that is configured afterwards.
const ADOPT = statement(
  'upstream_accounts.adopt',
  `update upstream_accounts set account = $2 where backend = $1 and (account = '' or account = any($3))`,
)
const REGISTER = statement(
  'upstream_accounts.register',
  `insert into upstream_accounts (backend, stored_as, account)
   select $1, stored_as, $2 from unnest($3::text[]) as stored_as on conflict (backend, stored_as) do nothing`,
)
const LIST = statement(
  'upstream_accounts.list',
  'select stored_as from upstream_accounts where backend = $1 and account = $2 order by stored_as',
)

/**
 * Registers the account. Returns every name under which its payments may be stored. Null stands for payments that were
 * opened before accounts were stored. `formerNames` are values that were stored before the account's id was known.
 */
export async function registerAccount(
  db: Queryable,
  backend: string,
  account: string,
  formerNames: readonly string[] = [],
): Promise<(string | null)[]> {
  await db.query(ADOPT, [backend, account, formerNames])
  await db.query(REGISTER, [backend, account, [NO_ACCOUNT, account, ...formerNames]])
  const rows = await db.query<{ stored_as: string }>(LIST, [backend, account])
  return rows.map((row) => (row.stored_as === NO_ACCOUNT ? null : row.stored_as))
}

const FIND = statement(
  'upstream_accounts.find',
  'select account from upstream_accounts where backend = $1 and stored_as = $2',
)

export async function findAccount(db: Queryable, backend: string, storedAs: string): Promise<string | null> {
  const rows = await db.query<{ account: string }>(FIND, [backend, storedAs])
  return rows[0]?.account ?? null
}

const RECORD_USE = statement(
  'upstream_accounts.record_use',
  'update upstream_accounts set last_used_at = now() where backend = $1 and stored_as = $2',
)

export async function recordUse(db: Queryable, backend: string, account: string): Promise<void> {
  await db.query(RECORD_USE, [backend, account])
}

export interface UsedAccount {
  backend: string
  account: string | null
}

const LIST_USED = statement(
  'upstream_accounts.list_used',
  `select backend, stored_as from upstream_accounts where last_used_at > now() - make_interval(days => $1)
   order by backend, stored_as`,
)

export async function listUsedAccounts(db: Queryable, days: number): Promise<UsedAccount[]> {
  const rows = await db.query<{ backend: string; stored_as: string }>(LIST_USED, [days])
  return rows.map(({ backend, stored_as: name }) => ({ backend, account: name === NO_ACCOUNT ? null : name }))
}
