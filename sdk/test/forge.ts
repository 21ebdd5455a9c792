// Signs tokens without the code under test.
import { createHmac } from 'node:crypto'

export const TEST_SECRET = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
export const LIVE_SECRET = 'sk_live_GFEDCBAzyxwvutsrqponmlkjihgfedcba9876543210'
export const PROJECT_ID = 'tz4a98xxat96iws9zmbrgj3a'
export const NOW_SEC = 1_790_000_000

export function encodeBase64url(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64url')
}

/** Does not encode the two parts. */
export function signParts(header: string, payload: string, secret: string, algorithm = 'sha256'): string {
  const signed = `${header}.${payload}`
  return `${signed}.${createHmac(algorithm, secret).update(signed).digest('base64url')}`
}

export function forgeToken(header: unknown, payload: string | Uint8Array, secret: string): string {
  return signParts(encodeBase64url(JSON.stringify(header)), encodeBase64url(payload), secret)
}

/**
 * Returns texts that decode to the same bytes but have another last character. If the length is a multiple of four, there
 * are none.
 */
export function listRespellings(text: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const bytes = Buffer.from(text, 'base64url')
  return Array.from(alphabet, (char) => text.slice(0, -1) + char).filter(
    (other) => other !== text && Buffer.from(other, 'base64url').equals(bytes),
  )
}
