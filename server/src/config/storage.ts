// Where data is stored, and with which keys it is sealed.
import path from 'node:path'
import type { EnvReader } from './env-reader.ts'

export interface StorageSettings {
  dataDir: string
  /** Null: the embedded database in the data directory is used. */
  databaseUrl: string | null
  /** How long one statement may take before its connection is closed. */
  databaseQueryTimeoutMs: number
  /** Names the restore after which the service starts; each value stops payments once, until reconcile has run. */
  restoredFrom: string | null
  secretsKey: Buffer | null
  secretsKeyPrevious: Buffer | null
}

export function readStorage(read: EnvReader): StorageSettings {
  return {
    dataDir: path.resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'])?.href ?? null,
    // Longer than the 5 s after which a healthy database cancels a statement.
    databaseQueryTimeoutMs: read.whole('DATABASE_QUERY_TIMEOUT_MS', 7_000, 6_000, 60_000),
    restoredFrom: read.text('RESTORED_FROM'),
    secretsKey: read.key('SECRETS_KEY'),
    secretsKeyPrevious: read.key('SECRETS_KEY_PREVIOUS'),
  }
}
