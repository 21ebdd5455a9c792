// Ids that sort by time (UUIDv7), so that new rows land at the right edge of every index.
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

export function newUuidV7(clock: Clock): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(clock.nowMs(), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** 256 bits, for cookies and mailed links: whoever holds it is let in, so it must not be guessable. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}
