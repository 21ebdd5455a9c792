// A fast hash is enough, because a token has 256 random bits.
import { createHash, timingSafeEqual } from 'node:crypto'

export function toTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isTokenOf(token: string, hash: Buffer): boolean {
  const given = toTokenHash(token)
  return given.length === hash.length && timingSafeEqual(given, hash)
}
