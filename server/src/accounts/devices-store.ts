import { statement } from '../db/pool.ts'
import type { Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

const UPSERT = statement(
  'devices.upsert',
  `insert into devices (account_id, token_hash) values ($1, $2)
   on conflict (account_id, token_hash) do update set last_used_at = now()`,
)

export async function upsertDevice(tx: Tx, accountId: AccountId, tokenHash: Buffer): Promise<void> {
  await tx.query(UPSERT, [accountId, tokenHash])
}

const IS_KNOWN = statement('devices.is_known', 'select from devices where token_hash = $1 limit 1')

/** Of whatever account: a browser is one browser, whoever signs in there. */
export async function isKnownDevice(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  return (await tx.query(IS_KNOWN, [tokenHash])).length > 0
}

const REMOVE_ALL = statement('devices.remove_all', 'delete from devices where account_id = $1')

export async function deleteDevices(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.query(REMOVE_ALL, [accountId])
}
