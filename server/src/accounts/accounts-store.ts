import type { Locale } from '@pazar/words'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Account, AccountId, Theme } from './account.ts'
import type { EmailAddress } from './email-address.ts'
import { HAS_FACTOR } from './second-factors-store.ts'

export interface AccountRow {
  account_id: string
  email: string
  email_confirmed_at: Date | null
  credential_version: number
  locale: Locale
  time_zone: string
  theme: Theme
  kyc_verified_at: Date | null
  invited_at: Date | null
}

/** Needs `accounts` under the alias `a`. */
export const ACCOUNT_COLUMNS = `a.id as account_id, a.email, a.email_confirmed_at, a.credential_version, a.locale,
  a.time_zone, a.theme, a.kyc_verified_at, a.invited_at`

export const EMAIL_UNIQUE = 'accounts_email_key_key'

export function toAccount(row: AccountRow): Account {
  return {
    id: row.account_id as AccountId,
    email: row.email,
    emailConfirmedAt: row.email_confirmed_at,
    credentialVersion: row.credential_version,
    locale: row.locale,
    timeZone: row.time_zone,
    theme: row.theme,
    kyc: row.kyc_verified_at === null ? 'none' : 'verified',
    cameByInvitation: row.invited_at !== null,
  }
}

async function queryAccount(db: Queryable, query: ReturnType<typeof statement>, values: readonly unknown[]) {
  const [row] = await db.query<AccountRow>(query, values)
  return row ? toAccount(row) : null
}

const INSERT = statement(
  'accounts.insert',
  `insert into accounts as a (id, email, email_key, password_hash, locale) values ($1, $2, $3, $4, $5)
   returning ${ACCOUNT_COLUMNS}`,
)

export async function insertAccount(
  tx: Tx,
  account: { id: string; address: EmailAddress; passwordHash: string; locale: Locale },
): Promise<Account> {
  const { id, address, passwordHash, locale } = account
  const [row] = await tx.query<AccountRow>(INSERT, [id, address.email, address.key, passwordHash, locale])
  return toAccount(row!)
}

const SELECT_BY_EMAIL = statement(
  'accounts.by_email',
  `select ${ACCOUNT_COLUMNS} from accounts a where a.email_key = $1`,
)

export async function findAccountByEmail(db: Queryable, emailKey: string): Promise<Account | null> {
  return queryAccount(db, SELECT_BY_EMAIL, [emailKey])
}

const SELECT_RECIPIENT = statement(
  'accounts.recipient',
  'select id, email, locale, time_zone as "timeZone" from accounts where id = $1 and closed_at is null',
)

/** Null if the account is closed or was deleted. */
export async function findRecipient(
  db: Queryable,
  id: AccountId,
): Promise<Pick<Account, 'id' | 'email' | 'locale' | 'timeZone'> | null> {
  type Row = Pick<Account, 'id' | 'email' | 'locale' | 'timeZone'>
  const [row] = await db.query<Row>(SELECT_RECIPIENT, [id])
  return row ?? null
}

export async function requireRecipient(
  db: Queryable,
  id: string,
): Promise<Pick<Account, 'id' | 'email' | 'locale' | 'timeZone'>> {
  const found = await findRecipient(db, id as AccountId)
  if (!found) throw new ServiceError('not_found')
  return found
}

const SELECT_FOR_SIGN_IN = statement(
  'accounts.for_sign_in',
  `select ${ACCOUNT_COLUMNS}, a.password_hash,
     exists (select from devices d where d.account_id = a.id and d.token_hash = $2) as device_known,
     ${HAS_FACTOR} as has_factor
   from accounts a where a.email_key = $1`,
)

export interface SignInFacts {
  account: Account
  passwordHash: string
  deviceKnown: boolean
  hasFactor: boolean
}

export async function findForSignIn(
  db: Queryable,
  emailKey: string,
  deviceHash: Buffer | null,
): Promise<SignInFacts | null> {
  type Row = AccountRow & { password_hash: string; device_known: boolean; has_factor: boolean }
  const [row] = await db.query<Row>(SELECT_FOR_SIGN_IN, [emailKey, deviceHash])
  if (!row) return null
  const { password_hash: passwordHash, device_known: deviceKnown, has_factor: hasFactor } = row
  return { account: toAccount(row), passwordHash, deviceKnown, hasFactor }
}

const SELECT_CREDENTIALS = statement(
  'accounts.credentials',
  'select password_hash, credential_version from accounts where id = $1',
)

/** Throws if the account was deleted in the meantime. */
export async function requireCredentials(
  db: Queryable,
  id: AccountId,
  code: 'unauthenticated' | 'token_expired' = 'unauthenticated',
): Promise<{ passwordHash: string; credentialVersion: number }> {
  type Row = { password_hash: string; credential_version: number }
  const [row] = await db.query<Row>(SELECT_CREDENTIALS, [id])
  if (!row) throw new ServiceError(code)
  return { passwordHash: row.password_hash, credentialVersion: row.credential_version }
}

// `for no key update` lets other transactions insert rows that refer to the account. `for update` could deadlock with them.
const LOCK = statement(
  'accounts.lock',
  'select from accounts where id = $1 and closed_at is null for no key update',
)

/** Call this before counting rows of the account for a limit. Otherwise two requests at once could exceed the limit. */
export async function lockAccount(tx: Tx, id: AccountId): Promise<void> {
  if ((await tx.query(LOCK, [id])).length === 0) throw new ServiceError('unauthenticated')
}

const LOCK_SEVERAL = statement(
  'accounts.lock_several',
  `select ${ACCOUNT_COLUMNS} from accounts a where a.id = any ($1) and a.closed_at is null order by a.id for no key update`,
)

/** Locks open accounts in the order of their ids, so that two transactions cannot deadlock. */
export async function lockAccounts(tx: Tx, ids: readonly AccountId[]): Promise<Account[]> {
  return (await tx.query<AccountRow>(LOCK_SEVERAL, [ids])).map(toAccount)
}

const SHARE_VERSION = statement(
  'accounts.share_version',
  'select credential_version from accounts where id = $1 for share',
)

/** Locks the row until the transaction ends, so that the password cannot change meanwhile. */
export async function hasCredentialVersion(tx: Tx, id: AccountId, version: number): Promise<boolean> {
  const [row] = await tx.query<{ credential_version: number }>(SHARE_VERSION, [id])
  return row?.credential_version === version
}

const SET_PASSWORD = statement(
  'accounts.set_password',
  `update accounts a set password_hash = $2, credential_version = a.credential_version + 1
   where a.id = $1 and a.credential_version = $3 returning ${ACCOUNT_COLUMNS}`,
)

/** Null when the password was changed or the account was deleted in the meantime. */
export async function changePasswordHash(
  tx: Tx,
  id: AccountId,
  change: { passwordHash: string; fromVersion: number },
): Promise<Account | null> {
  return queryAccount(tx, SET_PASSWORD, [id, change.passwordHash, change.fromVersion])
}

const SET_SETTINGS = statement(
  'accounts.set_settings',
  `update accounts a set locale = coalesce($2, a.locale), time_zone = coalesce($3, a.time_zone),
     theme = coalesce($4, a.theme)
   where a.id = $1 returning ${ACCOUNT_COLUMNS}`,
)

export async function updateSettings(
  tx: Tx,
  id: AccountId,
  { locale, timeZone, theme }: { locale: Locale | null; timeZone: string | null; theme: Theme | null },
): Promise<Account> {
  const account = await queryAccount(tx, SET_SETTINGS, [id, locale, timeZone, theme])
  if (!account) throw new ServiceError('unauthenticated')
  return account
}

const SET_INVITED = statement(
  'accounts.set_invited',
  `update accounts set invited_at = case when $2::boolean then now() end where id = $1`,
)

export async function markInvited(tx: Tx, id: AccountId, cameByInvitation: boolean): Promise<void> {
  await tx.query(SET_INVITED, [id, cameByInvitation])
}

const SET_CONFIRMED = statement(
  'accounts.set_confirmed',
  `update accounts a set email_confirmed_at = coalesce(a.email_confirmed_at, now())
   where a.id = $1 and a.email_key = $2 returning ${ACCOUNT_COLUMNS}`,
)

/** Null when the account was deleted or its address has changed since the link was sent. */
export async function markEmailConfirmed(tx: Tx, id: AccountId, emailKey: string): Promise<Account | null> {
  return queryAccount(tx, SET_CONFIRMED, [id, emailKey])
}

const SET_EMAIL = statement(
  'accounts.set_email',
  `update accounts a set email = $2, email_key = $3, email_confirmed_at = now()
   where a.id = $1 returning ${ACCOUNT_COLUMNS}`,
)

export async function changeEmailAddress(
  tx: Tx,
  id: AccountId,
  address: EmailAddress,
): Promise<Account | null> {
  return queryAccount(tx, SET_EMAIL, [id, address.email, address.key])
}

const SET_VERIFIED = statement(
  'accounts.set_verified',
  `update accounts a set kyc_verified_at = now()
   where a.email_key = $1 and a.kyc_verified_at is null returning ${ACCOUNT_COLUMNS}`,
)

/** Null when the account does not exist or is already verified. */
export async function markKycVerified(tx: Tx, emailKey: string): Promise<Account | null> {
  return queryAccount(tx, SET_VERIFIED, [emailKey])
}
