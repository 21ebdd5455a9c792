// Lists and replaces the sealed values of second factors when the master key changes.
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

export const SEALED_FACTORS = ['totp', 'new_totp', 'recovery'] as const

export interface SealedFactor {
  accountId: AccountId
  /** The number of a recovery code, or 0 for an authenticator app. */
  number: number
  sealed: Buffer
}

const AFTER = '($1::uuid is null or (account_id, number) > ($1, $2::smallint)) order by account_id, number'

const listIn = (rows: string) =>
  `select account_id as "accountId", number, sealed from (${rows}) as sealed_values where sealed is not null and ${AFTER} limit $3`

const LIST = {
  totp: statement(
    'factor_seals.totp',
    listIn('select account_id, 0::smallint as number, sealed_secret as sealed from totp_factors'),
  ),
  new_totp: statement(
    'factor_seals.new_totp',
    listIn('select account_id, 0::smallint as number, sealed_new_secret as sealed from totp_factors'),
  ),
  recovery: statement(
    'factor_seals.recovery',
    listIn('select account_id, number, sealed_hash as sealed from recovery_codes'),
  ),
}

const SET = {
  totp: statement(
    'factor_seals.set_totp',
    'update totp_factors set sealed_secret = $4 where account_id = $1 and $2::smallint = 0 and sealed_secret = $3 returning 1',
  ),
  new_totp: statement(
    'factor_seals.set_new_totp',
    'update totp_factors set sealed_new_secret = $4 where account_id = $1 and $2::smallint = 0 and sealed_new_secret = $3 returning 1',
  ),
  recovery: statement(
    'factor_seals.set_recovery',
    'update recovery_codes set sealed_hash = $4 where account_id = $1 and number = $2 and sealed_hash = $3 returning 1',
  ),
}

export async function listSealedFactors(
  tx: Tx,
  kind: (typeof SEALED_FACTORS)[number],
  after: SealedFactor | null,
  limit: number,
): Promise<SealedFactor[]> {
  return tx.query<SealedFactor>(LIST[kind], [after?.accountId ?? null, after?.number ?? 0, limit])
}

/** False when the value has changed or was removed since it was read. */
export async function resealFactor(
  tx: Tx,
  kind: (typeof SEALED_FACTORS)[number],
  { accountId, number, sealed }: SealedFactor,
  resealed: Buffer,
): Promise<boolean> {
  return (await tx.query(SET[kind], [accountId, number, sealed, resealed])).length > 0
}

const KEY_IDS = statement(
  'factor_seals.key_ids',
  `select distinct substring(sealed_secret from 1 for 4) as id from totp_factors where sealed_secret is not null
   union select substring(sealed_hash from 1 for 4) from recovery_codes`,
)

/** The ids of the master keys with which the factors in use are sealed. */
export async function listFactorKeyIds(db: Queryable): Promise<Buffer[]> {
  const rows = await db.query<{ id: Buffer }>(KEY_IDS)
  return rows.map((row) => row.id)
}
