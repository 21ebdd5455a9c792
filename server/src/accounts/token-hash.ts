// Cookies and mailed links hold the token, the database only its SHA-256. A plain hash is enough for 256 random bits:
// there is nothing to guess that a slow hash would protect.
import { createHash, timingSafeEqual } from 'node:crypto'

export function toTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isTokenOf(token: string, hash: Buffer): boolean {
  const given = toTokenHash(token)
  return given.length === hash.length && timingSafeEqual(given, hash)
}
