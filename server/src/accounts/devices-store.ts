import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

/**
 * Wrong passwords are counted separately for each known browser. So this maximum also limits how many passwords can be
 * tried with stolen device cookies.
 */
export const DEVICES_PER_ACCOUNT_MAX = 20

// Without the lock, two sign-ins at the same time would not count each other's device.
const LOCK = statement(
  'devices.lock',
  'select from devices where account_id = $1 order by token_hash for update',
)
const UPSERT = statement(
  'devices.upsert',
  `insert into devices (account_id, token_hash) values ($1, $2)
   on conflict (account_id, token_hash) do update set last_used_at = now()`,
)

const FORGET_OLDEST = statement(
  'devices.forget_oldest',
  `delete from devices where account_id = $1 and token_hash in (
     select token_hash from devices where account_id = $1 and token_hash <> $2
     order by last_used_at desc, created_at desc offset ${DEVICES_PER_ACCOUNT_MAX - 1})`,
)

export async function upsertDevice(tx: Tx, accountId: AccountId, tokenHash: Buffer): Promise<void> {
  await tx.query(LOCK, [accountId])
  await tx.query(UPSERT, [accountId, tokenHash])
  await tx.query(FORGET_OLDEST, [accountId, tokenHash])
}

const IS_KNOWN = statement('devices.is_known', 'select from devices where token_hash = $1 limit 1')

/** Whether any account knows this browser. A browser has one token for all accounts that sign in there. */
export async function isKnownDevice(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  return (await tx.query(IS_KNOWN, [tokenHash])).length > 0
}

const SELECT_ALL = statement(
  'devices.list',
  `select created_at as "createdAt", last_used_at as "lastUsedAt",
     coalesce(token_hash = $2, false) as current
   from devices where account_id = $1 order by last_used_at desc, created_at desc, token_hash`,
)

export interface DeviceEntry {
  createdAt: Date
  lastUsedAt: Date
  current: boolean
}

export async function findDevices(
  db: Queryable,
  accountId: AccountId,
  currentHash: Buffer | null,
): Promise<DeviceEntry[]> {
  return db.query<DeviceEntry>(SELECT_ALL, [accountId, currentHash])
}

const REMOVE_OTHERS = statement(
  'devices.remove_others',
  'delete from devices where account_id = $1 and ($2::bytea is null or token_hash <> $2) returning 1',
)

export async function deleteOtherDevices(
  tx: Tx,
  accountId: AccountId,
  currentHash: Buffer | null,
): Promise<number> {
  return (await tx.query(REMOVE_OTHERS, [accountId, currentHash])).length
}

const REMOVE_ALL = statement('devices.remove_all', 'delete from devices where account_id = $1')

export async function deleteDevices(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.query(REMOVE_ALL, [accountId])
}
