// Sign-ins that had the right password and still need a second factor.
import { PENDING_SIGN_IN_MAX_SEC } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { Account } from './account.ts'
import { ACCOUNT_COLUMNS, toAccount } from './accounts-store.ts'
import type { AccountRow } from './accounts-store.ts'

export interface PendingSignIn {
  account: Account
  /** The lockout bucket that a completed sign-in clears. */
  bucket: string
  deviceKnown: boolean
}

const INSERT = statement(
  'pending_sign_ins.insert',
  `insert into pending_sign_ins (token_hash, account_id, credential_version, bucket, device_known, expires_at)
   values ($1, $2, $3, $4, $5, now() + interval '${PENDING_SIGN_IN_MAX_SEC} seconds')`,
)

export async function insertPendingSignIn(
  db: Queryable,
  tokenHash: Buffer,
  { account, bucket, deviceKnown }: PendingSignIn,
): Promise<void> {
  await db.query(INSERT, [tokenHash, account.id, account.credentialVersion, bucket, deviceKnown])
}

const SELECT = statement(
  'pending_sign_ins.live',
  `select ${ACCOUNT_COLUMNS}, p.bucket, p.device_known
   from pending_sign_ins p join accounts a on a.id = p.account_id and a.credential_version = p.credential_version
   where p.token_hash = $1 and p.expires_at > now()`,
)

/** Null when the sign-in expired or was completed, or when the password changed. */
export async function findPendingSignIn(db: Queryable, tokenHash: Buffer): Promise<PendingSignIn | null> {
  type Row = AccountRow & { bucket: string; device_known: boolean }
  const [row] = await db.query<Row>(SELECT, [tokenHash])
  return row ? { account: toAccount(row), bucket: row.bucket, deviceKnown: row.device_known } : null
}

const REMOVE = statement(
  'pending_sign_ins.remove',
  'delete from pending_sign_ins where token_hash = $1 and expires_at > now() returning 1',
)

/** False when another request has completed the sign-in, or when it expired. */
export async function usePendingSignIn(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  return (await tx.query(REMOVE, [tokenHash])).length > 0
}
