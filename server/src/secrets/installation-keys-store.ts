import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

const FIND = statement('installation_keys.find', 'select sealed from installation_keys where name = $1')

export async function findSealedKey(db: Queryable, name: string): Promise<Buffer | null> {
  const [row] = await db.query<{ sealed: Buffer }>(FIND, [name])
  return row?.sealed ?? null
}

const INSERT = statement(
  'installation_keys.insert',
  'insert into installation_keys (name, sealed) values ($1, $2) on conflict (name) do nothing',
)

/** Does not replace an existing key, so that two processes that create the key at the same time use the same one. */
export async function insertSealedKey(db: Queryable, name: string, sealed: Buffer): Promise<void> {
  await db.query(INSERT, [name, sealed])
}

const IS_OLDER = statement(
  'installation_keys.is_older',
  'select from installation_keys where name = $1 and created_at <= now() - make_interval(mins => $2)',
)

export async function isKeyOlderThan(db: Queryable, name: string, minutes: number): Promise<boolean> {
  return (await db.query(IS_OLDER, [name, minutes])).length > 0
}

const LIST = statement(
  'installation_keys.list',
  'select name, sealed from installation_keys order by name for update',
)

export async function listSealedKeys(tx: Tx): Promise<{ name: string; sealed: Buffer }[]> {
  return tx.query<{ name: string; sealed: Buffer }>(LIST)
}

const RESEAL = statement(
  'installation_keys.reseal',
  'update installation_keys set sealed = $2 where name = $1',
)

export async function resealKey(tx: Tx, name: string, sealed: Buffer): Promise<void> {
  await tx.query(RESEAL, [name, sealed])
}
