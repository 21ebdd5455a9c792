import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import path from 'node:path'
import { listFactorKeyIds } from '../../accounts/factor-seals-store.ts'
import type { Config } from '../../config.ts'
import { openDb } from '../../db/pool.ts'
import { readMasterKeys } from '../../lib/master-key.ts'
import { createSealBox } from '../../lib/seal.ts'
import { StartError } from '../../lib/start-error.ts'
import { listKeyIds } from '../../secrets/secrets-store.ts'
import { toCode, problemFinding, warningFinding } from '../../lib/finding.ts'
import type { Finding } from '../../lib/finding.ts'

/** A disk counts as almost full if its free space is below one of these. */
const FREE_BYTES_MIN = 1024 ** 3
const FREE_SHARE_MIN = 0.05

export interface Disk {
  freeBytes: number
  totalBytes: number
}

async function readDisk(dir: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(dir)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** DATA_DIR may not exist yet: the service creates it when it starts. */
async function findNearestExisting(dir: string): Promise<string> {
  const exists = await access(dir).then(
    () => true,
    () => false,
  )
  return exists || path.dirname(dir) === dir ? dir : findNearestExisting(path.dirname(dir))
}

export function findFullDisk(
  { freeBytes, totalBytes }: Disk,
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Finding[] {
  if (freeBytes >= FREE_BYTES_MIN && freeBytes >= totalBytes * FREE_SHARE_MIN) return []
  // With DATABASE_URL, the database is usually not on this disk.
  const toFinding = config.databaseUrl === null ? problemFinding : warningFinding
  const what = `The disk of ${config.dataDir} has ${Math.floor(freeBytes / 1024 ** 2)} MB left.`
  return [
    toFinding(
      'disk',
      'DATA_DIR',
      what,
      `Free some space or move DATA_DIR to a larger disk. See: df -h ${config.dataDir}`,
    ),
  ]
}

export async function examineDisk(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Finding[]> {
  const dir = await findNearestExisting(config.dataDir)
  try {
    // If DATA_DIR is a file instead of a directory, X_OK usually fails, because few files are executable.
    await access(dir, constants.W_OK | constants.X_OK)
    return findFullDisk(await readDisk(dir), config)
  } catch (error) {
    const fix = `Create it, owned by the service’s user: install -d -m 0700 -o pazar ${config.dataDir}`
    return [
      problemFinding('data_dir', 'DATA_DIR', `${config.dataDir} cannot be written (${toCode(error)}).`, fix),
    ]
  }
}

/** Needs a migrated database. */
export async function examineMasterKey(config: Config, databaseUrl: string): Promise<Finding[]> {
  const db = openDb(databaseUrl, {
    directUrl: config.databaseDirectUrl,
    poolMax: 1,
    queryTimeoutMs: config.databaseQueryTimeoutMs,
    onError: () => undefined,
  })
  const fix =
    'Set SECRETS_KEY to the key that sealed the secrets of this database. If you are changing the key, set the old one as SECRETS_KEY_PREVIOUS.'
  try {
    const ids = [...(await listKeyIds(db)), ...(await listFactorKeyIds(db))]
    if (ids.length === 0) return []
    const box = createSealBox(await readMasterKeys(config, false), 'project-secret')
    if (ids.every((id) => box.isKnown(id))) return []
    return [
      problemFinding(
        'secrets_key',
        'SECRETS_KEY',
        'The database holds secrets that are sealed under another key.',
        fix,
      ),
    ]
  } catch (error) {
    if (error instanceof StartError) return [problemFinding('secrets_key', 'SECRETS_KEY', error.message, fix)]
    throw error
  } finally {
    await db.close()
  }
}
