// Cookies and mailed links contain the token, the database only its SHA-256. A fast hash is enough, because the 256
// random bits of a token (`newToken` in lib/id.ts) cannot be guessed.
import { createHash, timingSafeEqual } from 'node:crypto'

export function toTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isTokenOf(token: string, hash: Buffer): boolean {
  const given = toTokenHash(token)
  return given.length === hash.length && timingSafeEqual(given, hash)
}
