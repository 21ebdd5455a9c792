// An account's second factors. Secrets and the hashes of codes are sealed, so a dump of these tables reveals neither.
import { RECOVERY_CODES_COUNT } from '@pazar/contract'
import type { SecondFactor } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

export interface Factors {
  totpSince: Date | null
  passkeys: number
  recoveryCodesLeft: number
}

const SELECT = statement(
  'factors.of_account',
  `select (select confirmed_at from totp_factors where account_id = $1) as totp_since,
     (select count(*)::integer from passkeys where account_id = $1) as passkeys,
     (select count(*)::integer from recovery_codes where account_id = $1 and used_at is null) as codes_left`,
)

export async function findFactors(db: Queryable, accountId: AccountId): Promise<Factors> {
  type Row = { totp_since: Date | null; passkeys: number; codes_left: number }
  const [row] = await db.query<Row>(SELECT, [accountId])
  return { totpSince: row!.totp_since, passkeys: row!.passkeys, recoveryCodesLeft: row!.codes_left }
}

/** The factors that the account's owner can use, recovery codes included; empty if there is no second factor. */
export function toFactorList({ totpSince, passkeys, recoveryCodesLeft }: Factors): SecondFactor[] {
  const factors: SecondFactor[] = []
  if (totpSince !== null) factors.push('totp')
  if (passkeys > 0) factors.push('passkey')
  return factors.length > 0 && recoveryCodesLeft > 0 ? [...factors, 'recovery'] : factors
}

/**
 * Whether the factors stayed the same during a step-up. Recovery codes are not compared, because the step-up itself may use
 * one. If the authenticator app was replaced, `totpSince` differs.
 */
export function hasSameFactors(one: Factors, other: Factors): boolean {
  return one.totpSince?.getTime() === other.totpSince?.getTime() && one.passkeys === other.passkeys
}

/** An SQL condition for queries in which `a` is the account. */
export const HAS_FACTOR = `(exists (select from totp_factors t where t.account_id = a.id and t.confirmed_at is not null)
  or exists (select from passkeys p where p.account_id = a.id))`

const SELECT_TOTP = statement(
  'factors.totp',
  'select sealed_secret, sealed_new_secret from totp_factors where account_id = $1',
)

export async function findTotp(
  db: Queryable,
  accountId: AccountId,
): Promise<{ sealedSecret: Buffer | null; sealedNewSecret: Buffer | null }> {
  type Row = { sealed_secret: Buffer | null; sealed_new_secret: Buffer | null }
  const [row] = await db.query<Row>(SELECT_TOTP, [accountId])
  return { sealedSecret: row?.sealed_secret ?? null, sealedNewSecret: row?.sealed_new_secret ?? null }
}

const USE_STEP = statement(
  'factors.use_step',
  `update totp_factors set last_step = $2
   where account_id = $1 and confirmed_at is not null and last_step < $2 returning 1`,
)

/** False when a code of this time step, or of a later one, was already used, or when no authenticator app is in use. */
export async function useTotpStep(db: Queryable, accountId: AccountId, step: number): Promise<boolean> {
  return (await db.query(USE_STEP, [accountId, step])).length > 0
}

const OFFER = statement(
  'factors.offer_totp',
  `insert into totp_factors (account_id, sealed_new_secret) values ($1, $2)
   on conflict (account_id) do update set sealed_new_secret = $2`,
)

export async function offerTotp(tx: Tx, accountId: AccountId, sealed: Buffer): Promise<void> {
  await tx.query(OFFER, [accountId, sealed])
}

const CONFIRM = statement(
  'factors.confirm_totp',
  `update totp_factors set sealed_secret = sealed_new_secret, sealed_new_secret = null, last_step = $3,
     confirmed_at = now()
   where account_id = $1 and sealed_new_secret = $2 returning 1`,
)

/** False when the offered secret was replaced, confirmed or removed in the meantime. */
export async function confirmTotp(
  tx: Tx,
  accountId: AccountId,
  confirmed: { sealed: Buffer; step: number },
): Promise<boolean> {
  return (await tx.query(CONFIRM, [accountId, confirmed.sealed, confirmed.step])).length > 0
}

const REMOVE_TOTP = statement(
  'factors.remove_totp',
  'delete from totp_factors where account_id = $1 returning confirmed_at',
)

/** Returns whether the authenticator app was in use. */
export async function deleteTotp(tx: Tx, accountId: AccountId): Promise<boolean> {
  const [row] = await tx.query<{ confirmed_at: Date | null }>(REMOVE_TOTP, [accountId])
  return (row?.confirmed_at ?? null) !== null
}

const SELECT_CODES = statement(
  'factors.codes',
  'select number, sealed_hash from recovery_codes where account_id = $1 and used_at is null order by number',
)

export async function findUnusedCodes(
  db: Queryable,
  accountId: AccountId,
): Promise<{ number: number; sealedHash: Buffer }[]> {
  const rows = await db.query<{ number: number; sealed_hash: Buffer }>(SELECT_CODES, [accountId])
  return rows.map((row) => ({ number: row.number, sealedHash: row.sealed_hash }))
}

const USE_CODE = statement(
  'factors.use_code',
  `with used as (
     update recovery_codes set used_at = now()
     where account_id = $1 and number = $2 and sealed_hash = $3 and used_at is null returning account_id
   )
   update accounts set recovery_used_at = now() where id in (select account_id from used) returning 1`,
)

/** Marks the code as used, and starts the wait of recovery-wait.ts. False: the code was used, replaced or removed before. */
export async function useRecoveryCode(
  tx: Tx,
  accountId: AccountId,
  code: { number: number; sealedHash: Buffer },
): Promise<boolean> {
  return (await tx.query(USE_CODE, [accountId, code.number, code.sealedHash])).length > 0
}

const REMOVE_CODES = statement('factors.remove_codes', 'delete from recovery_codes where account_id = $1')
const INSERT_CODES = statement(
  'factors.insert_codes',
  `insert into recovery_codes (account_id, number, sealed_hash)
   select $1, n, hash from unnest($2::bytea[]) with ordinality as codes (hash, n) where n <= ${RECOVERY_CODES_COUNT}`,
)

export async function replaceRecoveryCodes(
  tx: Tx,
  accountId: AccountId,
  sealedHashes: readonly Buffer[],
): Promise<void> {
  await tx.query(REMOVE_CODES, [accountId])
  if (sealedHashes.length > 0) await tx.query(INSERT_CODES, [accountId, sealedHashes])
}
