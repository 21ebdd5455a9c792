import { statement } from '../db/pool.ts'
import type { Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

const upsert = statement(
  'devices-upsert',
  `insert into devices (account_id, token_hash) values ($1, $2)
   on conflict (account_id, token_hash) do update set last_used_at = now()`,
)

export async function upsertDevice(tx: Tx, accountId: AccountId, tokenHash: Buffer): Promise<void> {
  await tx.query(upsert, [accountId, tokenHash])
}

const removeAll = statement('devices-remove-all', 'delete from devices where account_id = $1')

export async function deleteDevices(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.query(removeAll, [accountId])
}
