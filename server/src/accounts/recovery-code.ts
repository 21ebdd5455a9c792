// Recovery codes are for people who have lost their other second factors. Each code has 50 random bits, so it cannot be
// guessed with 20 attempts a day.
import { createHash, randomInt } from 'node:crypto'
import { RECOVERY_CODES_COUNT } from '@pazar/contract'

/** Without I, L, O and U, which are easily confused with 1, 0 and V. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'
const HALF_LENGTH = 5

const newHalf = () => Array.from({ length: HALF_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES_COUNT }, () => `${newHalf()}-${newHalf()}`)
}

export function toPlainCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toUpperCase()
}

export function toCodeHash(code: string): Buffer {
  return createHash('sha256').update(toPlainCode(code)).digest()
}
