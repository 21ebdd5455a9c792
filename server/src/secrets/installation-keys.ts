// Keys of the installation that must never change. They are stored sealed with the master key. They are random, because
// keys that are derived from the master key would change with it.
import { randomBytes } from 'node:crypto'
import type { Db, Queryable } from '../db/pool.ts'
import type { SealBox } from '../lib/seal.ts'
import { findSealedKey, insertSealedKey, listSealedKeys, resealKey } from './installation-keys-store.ts'

export type InstallationKeyName = 'custom-id-hash'

export interface InstallationKeyDeps {
  db: Db
  installationKeys: SealBox
}

function openKey(box: SealBox, name: string, sealed: Buffer): Buffer {
  const key = box.open(sealed, name)
  if (!key) throw new Error(`The installation key ${name} cannot be opened with SECRETS_KEY.`)
  return key
}

export async function findInstallationKey(
  db: Queryable,
  box: SealBox,
  name: InstallationKeyName,
): Promise<Buffer | null> {
  const sealed = await findSealedKey(db, name)
  return sealed && openKey(box, name, sealed)
}

export async function ensureInstallationKey(
  db: Queryable,
  box: SealBox,
  name: InstallationKeyName,
): Promise<Buffer> {
  const existing = await findInstallationKey(db, box, name)
  if (existing) return existing
  await insertSealedKey(db, name, box.seal(randomBytes(32), name))
  return (await findInstallationKey(db, box, name))!
}

export async function rekeyInstallationKeys({
  db,
  installationKeys: box,
}: InstallationKeyDeps): Promise<number> {
  return db.transaction(async (tx) => {
    const outdated = (await listSealedKeys(tx)).filter(({ sealed }) => !box.isCurrent(sealed))
    for (const { name, sealed } of outdated)
      await resealKey(tx, name, box.seal(openKey(box, name, sealed), name))
    return outdated.length
  })
}
