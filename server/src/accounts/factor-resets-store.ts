// Requested removals of all second factors. A removal takes effect after FACTOR_RESET_WAIT_HOURS, if nobody cancels it.
import { FACTOR_RESET_WAIT_HOURS } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

const REQUEST = statement(
  'factor_resets.request',
  `insert into factor_resets (account_id, due_at) values ($1, now() + interval '${FACTOR_RESET_WAIT_HOURS} hours')
   on conflict (account_id) do nothing returning due_at`,
)

/** Returns when the new removal takes effect. Null: a removal was already requested, and its time does not change. */
export async function insertFactorReset(tx: Tx, accountId: AccountId): Promise<Date | null> {
  const [row] = await tx.query<{ due_at: Date }>(REQUEST, [accountId])
  return row?.due_at ?? null
}

const REMOVE = statement(
  'factor_resets.remove',
  'delete from factor_resets where account_id = $1 returning 1',
)

export async function deleteFactorReset(tx: Tx, accountId: AccountId): Promise<boolean> {
  return (await tx.query(REMOVE, [accountId])).length > 0
}

const REMOVE_ALL = statement('factor_resets.remove_all', 'delete from factor_resets')

/**
 * Called after a restore or a failover that lost writes. If the cancellation of a removal was lost, the removal would still
 * take effect.
 */
export async function deleteAllFactorResets(tx: Tx): Promise<void> {
  await tx.query(REMOVE_ALL)
}

const SELECT = statement('factor_resets.of_account', 'select due_at from factor_resets where account_id = $1')

export async function findFactorReset(db: Queryable, accountId: AccountId): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date }>(SELECT, [accountId])
  return row?.due_at ?? null
}

const SELECT_DUE = statement(
  'factor_resets.due',
  'select account_id from factor_resets where due_at <= now() order by due_at limit 100',
)

export async function findDueFactorResets(db: Queryable): Promise<AccountId[]> {
  const rows = await db.query<{ account_id: AccountId }>(SELECT_DUE, [])
  return rows.map((row) => row.account_id)
}

const USE_DUE = statement(
  'factor_resets.use_due',
  'delete from factor_resets where account_id = $1 and due_at <= now() returning 1',
)

/** False when the removal was cancelled, or when another process has applied it. */
export async function useDueFactorReset(tx: Tx, accountId: AccountId): Promise<boolean> {
  return (await tx.query(USE_DUE, [accountId])).length > 0
}

const REMOVE_FACTORS = [
  statement('factor_resets.totp', 'delete from totp_factors where account_id = $1'),
  statement('factor_resets.passkeys', 'delete from passkeys where account_id = $1'),
  statement('factor_resets.codes', 'delete from recovery_codes where account_id = $1'),
  // Starts the same wait as the use of a recovery code (recovery-wait.ts).
  statement('factor_resets.wait', 'update accounts set recovery_used_at = now() where id = $1'),
] as const

export async function deleteAllFactors(tx: Tx, accountId: AccountId): Promise<void> {
  for (const one of REMOVE_FACTORS) await tx.query(one, [accountId])
}
