// The only file of the SDK that computes HMAC-SHA256 and compares signatures. So every comparison takes constant time.
import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { requireSecret } from './secret.ts'

const MAC_BYTES = 32

export function createMac(secret: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  // The key is passed as text, because a Buffer costs five times as much in Node 24 (42 instead of 9 µs).
  const hmac = createHmac('sha256', requireSecret(secret))
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** The same MAC as text, which avoids a Buffer for each signature. */
export function createMacText(
  secret: string,
  encoding: 'base64' | 'base64url',
  ...parts: readonly (string | Uint8Array)[]
): string {
  const hmac = createHmac('sha256', requireSecret(secret))
  for (const part of parts) hmac.update(part)
  return hmac.digest(encoding)
}

/** `candidate` is null if its text was not valid or not canonical. */
export function isSameMac(expected: Uint8Array, candidate: Uint8Array | null): boolean {
  // timingSafeEqual throws on unequal lengths.
  if (candidate === null || candidate.length !== MAC_BYTES || expected.length !== MAC_BYTES) return false
  return timingSafeEqual(expected, candidate)
}

/**
 * Null unless `text` is the canonical encoding of its bytes. Buffer skips white space, mixes both alphabets and ignores
 * spare bits, so without this check one signature would have many accepted spellings.
 */
export function decodeCanonical(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}
