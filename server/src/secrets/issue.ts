import { randomBytes } from 'node:crypto'
import type { Mode } from '@pazar/contract'

/** 32 random bytes in hex: long enough for HMAC-SHA256, and a double click selects the whole secret. */
export function issueSecret(mode: Mode): string {
  return `sk_${mode}_${randomBytes(32).toString('hex')}`
}
