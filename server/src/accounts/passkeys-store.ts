import { PASSKEY_CHALLENGE_MAX_SEC } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { Account, AccountId } from './account.ts'
import { ACCOUNT_COLUMNS, toAccount } from './accounts-store.ts'
import type { AccountRow } from './accounts-store.ts'

export interface Passkey {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export interface StoredPasskey {
  id: string
  credentialId: Buffer
  publicKey: Buffer
  transports: string[]
  name: string
}

const SELECT_ALL = statement(
  'passkeys.list',
  `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
   where account_id = $1 order by created_at, id`,
)

export async function findPasskeys(db: Queryable, accountId: AccountId): Promise<Passkey[]> {
  return db.query<Passkey>(SELECT_ALL, [accountId])
}

const CREDENTIALS = `p.id, p.credential_id as "credentialId", p.public_key as "publicKey", p.transports, p.name`

const SELECT_CREDENTIALS = statement(
  'passkeys.credentials',
  `select ${CREDENTIALS} from passkeys p where p.account_id = $1 order by p.created_at, p.id`,
)

export async function findCredentials(db: Queryable, accountId: AccountId): Promise<StoredPasskey[]> {
  return db.query<StoredPasskey>(SELECT_CREDENTIALS, [accountId])
}

const SELECT_OWNED = statement(
  'passkeys.owned',
  `select ${CREDENTIALS}, ${ACCOUNT_COLUMNS}, a.passkeys_need_password and not p.password_given as needs_password,
     exists (select from devices d where d.account_id = a.id and d.token_hash = $2) as device_known
   from passkeys p join accounts a on a.id = p.account_id where p.credential_id = $1`,
)

export interface OwnedPasskey {
  passkey: StoredPasskey
  account: Account
  needsPassword: boolean
  deviceKnown: boolean
}

export async function findOwnedPasskey(
  db: Queryable,
  credentialId: Buffer,
  deviceHash: Buffer | null,
): Promise<OwnedPasskey | null> {
  type Row = AccountRow & StoredPasskey & { needs_password: boolean; device_known: boolean }
  const [row] = await db.query<Row>(SELECT_OWNED, [credentialId, deviceHash])
  if (!row) return null
  const { id, publicKey, transports, name } = row
  return {
    passkey: { id, credentialId: row.credentialId, publicKey, transports, name },
    account: toAccount(row),
    needsPassword: row.needs_password,
    deviceKnown: row.device_known,
  }
}

const INSERT = statement(
  'passkeys.insert',
  `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, password_given)
   values ($1, $2, $3, $4, $5, $6, $7, true)
   on conflict (credential_id) do nothing
   returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`,
)

/** Null when this credential is already registered. */
export async function insertPasskey(
  tx: Tx,
  accountId: AccountId,
  passkey: StoredPasskey & { counter: number },
): Promise<Passkey | null> {
  const { id, credentialId, publicKey, counter, transports, name } = passkey
  const values = [id, accountId, credentialId, publicKey, counter, transports, name]
  const [row] = await tx.query<Passkey>(INSERT, values)
  return row ?? null
}

const USE = statement(
  'passkeys.use',
  `update passkeys set counter = $2, last_used_at = now()
   where id = $1 and ($2 > counter or ($2 = 0 and counter = 0)) returning 1`,
)

/** False when the counter did not increase (0 may stay 0), or when the passkey was removed in the meantime. */
export async function usePasskey(db: Queryable, id: string, counter: number): Promise<boolean> {
  return (await db.query(USE, [id, counter])).length > 0
}

// The subquery sees the row as it was before the update, so it returns the former name.
const RENAME = statement(
  'passkeys.rename',
  `update passkeys p set name = $3 from (select id, name from passkeys where account_id = $1 and id = $2 for update) former
   where p.id = former.id returning former.name`,
)

/** Returns the former name; null when the account has no such passkey. */
export async function setPasskeyName(
  tx: Tx,
  accountId: AccountId,
  { id, name }: { id: string; name: string },
): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(RENAME, [accountId, id, name])
  return row?.name ?? null
}

const REMOVE = statement(
  'passkeys.remove',
  'delete from passkeys where account_id = $1 and id = $2 returning name',
)

/** Returns the name; null when the account has no such passkey. */
export async function deletePasskey(tx: Tx, accountId: AccountId, id: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(REMOVE, [accountId, id])
  return row?.name ?? null
}

const NEED_PASSWORD = statement(
  'passkeys.need_password',
  `with needed as (update accounts set passkeys_need_password = true where id = $1 and not passkeys_need_password)
   update passkeys set password_given = false where account_id = $1 and password_given`,
)

/**
 * Called after a password reset. From then on, a sign-in with an existing passkey needs the password too, until the
 * passkey was used with the password once (`markPasswordGiven`). A passkey that is added later does not need the password.
 */
export async function requirePasswordWithPasskeys(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.query(NEED_PASSWORD, [accountId])
}

const GIVE_PASSWORD = statement(
  'passkeys.give_password',
  'update passkeys set password_given = true where account_id = $1 and id = $2 and not password_given',
)

/**
 * From now on this passkey is enough for a sign-in, without the password. The account's other passkeys still need the
 * password, because one of them may be a stranger's.
 */
export async function markPasswordGiven(tx: Tx, accountId: AccountId, id: string): Promise<void> {
  await tx.query(GIVE_PASSWORD, [accountId, id])
}

export type ChallengePurpose = 'register' | 'sign_in' | 'step_up'

const INSERT_CHALLENGE = statement(
  'passkeys.insert_challenge',
  `insert into passkey_challenges (challenge, purpose, account_id, expires_at)
   values ($1, $2, $3, now() + interval '${PASSKEY_CHALLENGE_MAX_SEC} seconds')`,
)

export async function insertChallenge(
  db: Queryable,
  challenge: { bytes: Buffer; purpose: ChallengePurpose; accountId: AccountId | null },
): Promise<void> {
  await db.query(INSERT_CHALLENGE, [challenge.bytes, challenge.purpose, challenge.accountId])
}

const USE_CHALLENGE = statement(
  'passkeys.use_challenge',
  `delete from passkey_challenges
   where challenge = $1 and purpose = $2 and account_id is not distinct from $3 and expires_at > now() returning 1`,
)

/** True if the challenge was made for this purpose and account, was not used before and has not expired. */
export async function useChallenge(
  db: Queryable,
  challenge: { bytes: Buffer; purpose: ChallengePurpose; accountId: AccountId | null },
): Promise<boolean> {
  const { bytes, purpose, accountId } = challenge
  return (await db.query(USE_CHALLENGE, [bytes, purpose, accountId])).length > 0
}
