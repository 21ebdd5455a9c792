// Seals the secrets of authenticator apps and the hashes of recovery codes, and compares codes with them.
import { timingSafeEqual } from 'node:crypto'
import type { SealBox } from '../lib/seal.ts'
import type { AccountId } from './account.ts'
import { newRecoveryCodes, toCodeHash } from './recovery-code.ts'
import { findTotpStep } from './totp.ts'

export interface FactorSecrets {
  sealTotp(accountId: AccountId, secret: Buffer): Buffer
  /** Returns the time step of a correct code. Null for a wrong code, or if the secret cannot be opened. */
  findStep(accountId: AccountId, sealed: Buffer, code: string, nowMs: number): number | null
  newCodes(accountId: AccountId): { codes: string[]; sealedHashes: Buffer[] }
  isCode(accountId: AccountId, sealedHash: Buffer, code: string): boolean
  countEvaluation(): void
  /** How often `countEvaluation` was called; for tests. */
  evaluations(): number
  /** Null if the value is already sealed with the current key, or if the key that sealed it is not configured. */
  reseal(kind: 'totp' | 'recovery', accountId: AccountId, sealed: Buffer): Buffer | null
  /** Whether a value was sealed with a configured key. Its first four bytes are enough, because they are the id of the key. */
  isKnown(sealed: Buffer): boolean
}

const toContext = (kind: 'totp' | 'recovery', accountId: AccountId) => `${kind}:${accountId}`

export function createFactorSecrets(box: SealBox): FactorSecrets {
  let evaluations = 0
  return {
    sealTotp: (accountId, secret) => box.seal(secret, toContext('totp', accountId)),
    findStep(accountId, sealed, code, nowMs) {
      const secret = box.open(sealed, toContext('totp', accountId))
      return secret === null ? null : findTotpStep(secret, code, nowMs)
    },
    newCodes(accountId) {
      const codes = newRecoveryCodes()
      const sealedHashes = codes.map((code) => box.seal(toCodeHash(code), toContext('recovery', accountId)))
      return { codes, sealedHashes }
    },
    isCode(accountId, sealedHash, code) {
      const hash = box.open(sealedHash, toContext('recovery', accountId))
      return hash !== null && timingSafeEqual(hash, toCodeHash(code))
    },
    countEvaluation() {
      evaluations += 1
    },
    evaluations: () => evaluations,
    reseal(kind, accountId, sealed) {
      if (box.isCurrent(sealed)) return null
      const plain = box.open(sealed, toContext(kind, accountId))
      return plain && box.seal(plain, toContext(kind, accountId))
    },
    isKnown: (sealed) => box.isKnown(sealed),
  }
}
