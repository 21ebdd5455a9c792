import path from 'node:path'
import type { EnvReader } from './env-reader.ts'

/** A healthy database cancels a statement after 5 s, so this must be longer. */
export const QUERY_TIMEOUT_MS = 7_000

export interface StorageSettings {
  dataDir: string
  /** Null: the embedded database in the data directory is used. */
  databaseUrl: string | null
  /** `transaction`: DATABASE_URL leads to a pooler that assigns a connection to each transaction. */
  databasePooler: (typeof POOLERS)[number]
  /** The address of the database server itself, for work that needs one session. Null: no pooler is used. */
  databaseDirectUrl: string | null
  databaseQueryTimeoutMs: number
  /** The name of a restore. Each new name stops payments until `reconcile --since` allows them again. */
  restoredFrom: string | null
  /** Null: the key is in DATA_DIR/secrets.key. */
  secretsKey: Buffer | null
  /** The key before SECRETS_KEY. It opens older secrets until `rekey` has sealed them with the new key. */
  secretsKeyPrevious: Buffer | null
}

const POOLERS = ['none', 'transaction'] as const
const PROTOCOLS = ['postgres:', 'postgresql:']

function readPooler(read: EnvReader): Pick<StorageSettings, 'databasePooler' | 'databaseDirectUrl'> {
  const databasePooler = read.oneOf('DATABASE_POOLER', POOLERS, 'none')
  const databaseDirectUrl = read.url('DATABASE_DIRECT_URL', PROTOCOLS)?.href ?? null
  if (databasePooler === 'none' && read.text('DATABASE_DIRECT_URL') !== null)
    read.addProblem('DATABASE_DIRECT_URL is used only with DATABASE_POOLER=transaction.')
  const isComplete = read.text('DATABASE_URL') !== null && read.text('DATABASE_DIRECT_URL') !== null
  if (databasePooler === 'transaction' && !isComplete)
    read.addProblem(
      'DATABASE_POOLER=transaction needs DATABASE_URL (the pooler) and DATABASE_DIRECT_URL (the server itself).',
    )
  return { databasePooler, databaseDirectUrl }
}

export function readStorage(read: EnvReader): StorageSettings {
  return {
    dataDir: path.resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl: read.url('DATABASE_URL', PROTOCOLS)?.href ?? null,
    ...readPooler(read),
    databaseQueryTimeoutMs: read.integer('DATABASE_QUERY_TIMEOUT_MS', QUERY_TIMEOUT_MS, 6_000, 60_000),
    restoredFrom: read.text('RESTORED_FROM'),
    secretsKey: read.key('SECRETS_KEY'),
    secretsKeyPrevious: read.key('SECRETS_KEY_PREVIOUS'),
  }
}
