import { ATTEMPT_RETENTION_DEFAULT_DAYS } from '@pazar/contract'
import type { EnvReader } from './env-reader.ts'

export interface RetentionSettings {
  attemptRetentionDays: number
  /** After this many days customId and data of ended payments are erased; null: never. */
  paymentDataRetentionDays: number | null
}

export function readRetention(read: EnvReader): RetentionSettings {
  return {
    attemptRetentionDays: read.integer('ATTEMPT_RETENTION_DAYS', ATTEMPT_RETENTION_DEFAULT_DAYS, 1, 3650),
    paymentDataRetentionDays:
      read.text('PAYMENT_DATA_RETENTION_DAYS') === null
        ? null
        : read.integer('PAYMENT_DATA_RETENTION_DAYS', 0, 1, 36_500),
  }
}
