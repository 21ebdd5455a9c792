// Time-based codes of authenticator apps (RFC 6238) with the usual values: SHA-1, six digits, 30 seconds.
// `useTotpStep` in second-factors-store.ts accepts each step at most once.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const TOTP_STEP_SEC = 30
const DIGITS = 6
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/**
 * How many steps before and after the current step are accepted. A phone's clock may be off by up to a step, and typing
 * takes time.
 */
const STEPS_AROUND = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function toTotpStep(nowMs: number): number {
  return Math.floor(nowMs / 1000 / TOTP_STEP_SEC)
}

export function toTotpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.at(-1)! & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns null for a wrong code. All steps are compared, so the response time reveals nothing. */
export function findTotpStep(secret: Buffer, code: string, nowMs: number): number | null {
  const given = Buffer.from(code)
  const currentStep = toTotpStep(nowMs)
  let found: number | null = null
  for (let step = currentStep - STEPS_AROUND; step <= currentStep + STEPS_AROUND; step += 1) {
    const expected = Buffer.from(toTotpCode(secret, step))
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step
  }
  return found
}

export function toTotpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  const query = [
    `secret=${secret}`,
    `issuer=${encodeURIComponent(issuer)}`,
    'algorithm=SHA1',
    `digits=${DIGITS}`,
    `period=${TOTP_STEP_SEC}`,
  ]
  return `otpauth://totp/${label}?${query.join('&')}`
}
