// Where data is stored, under which keys, and how long texts stay.
import path from 'node:path'
import { ATTEMPT_RETENTION_DEFAULT_DAYS } from '@pazar/contract'
import type { EnvReader } from './env-reader.ts'

export interface StorageSettings {
  dataDir: string
  /** Null: the embedded database in the data directory. */
  databaseUrl: string | null
  /** How long the database may take for one statement before its connection is given up. */
  databaseQueryTimeoutMs: number
  secretsKey: Buffer | null
  secretsKeyPrevious: Buffer | null
  attemptRetentionDays: number
  /** After so many days customId and data of ended payments are erased; null: never. */
  paymentDataRetentionDays: number | null
}

export function readStorage(read: EnvReader): StorageSettings {
  return {
    dataDir: path.resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:'])?.href ?? null,
    // Longer than the 5 s after which a healthy database ends a statement by itself.
    databaseQueryTimeoutMs: read.whole('DATABASE_QUERY_TIMEOUT_MS', 7_000, 6_000, 60_000),
    secretsKey: read.key('SECRETS_KEY'),
    secretsKeyPrevious: read.key('SECRETS_KEY_PREVIOUS'),
    attemptRetentionDays: read.whole('ATTEMPT_RETENTION_DAYS', ATTEMPT_RETENTION_DEFAULT_DAYS, 1, 3650),
    paymentDataRetentionDays:
      read.text('PAYMENT_DATA_RETENTION_DAYS') === null
        ? null
        : read.whole('PAYMENT_DATA_RETENTION_DAYS', 0, 1, 36_500),
  }
}
