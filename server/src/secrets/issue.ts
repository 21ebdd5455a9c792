import { randomBytes } from 'node:crypto'
import type { Mode } from '@pazar/contract'

/** 32 random bytes in hex: long enough for HMAC-SHA256, safe to copy by double click, and its prefix names its mode. */
export function issueSecret(mode: Mode): string {
  return `sk_${mode}_${randomBytes(32).toString('hex')}`
}
