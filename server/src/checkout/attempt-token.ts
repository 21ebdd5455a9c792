// The token that the Pay button sends: the link's values and the id of this attempt, sealed. The payer's browser can
// neither read nor change the token, so the amount confirmed is the amount shown.
import { createHash, randomUUID } from 'node:crypto'
import { ATTEMPT_TOKEN_MAX_AGE_MIN } from '@pazar/contract'
import { z } from 'zod'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { SealBox } from '../lib/seal.ts'
import type { PayLink } from '../paylinks/pay-link.ts'

const CONTEXT = 'attempt-token/1'

const sealedAttempt = z.object({
  id: z.uuid(),
  at: z.int(),
  replaces: z.uuid().nullable(),
  // Tokens of the previous release have neither `checkoutId` nor `shown`.
  checkoutId: z.uuid().optional(),
  shown: z.object({ currency: z.string(), scale: z.int() }).optional(),
  link: z.object({
    projectId: z.string(),
    amount: z.string(),
    data: z.string(),
    customId: z.string().nullable(),
    mode: z.enum(['live', 'test']),
    exp: z.string().nullable(),
    sig: z.string().nullable(),
  }),
})

export interface NewAttempt {
  id: string
  link: PayLink
  /** A payment that is still open at the bank, and must be cancelled before this one may begin. */
  replaces: string | null
  /** The id of the checkout's first attempt. All later attempts of the checkout have it; the first attempt omits it. */
  checkoutId?: string
  /** The currency and decimals of the amount on the page. The payment is charged only in these. */
  shown: CurrencyAndScale
}

export interface Attempt extends Omit<NewAttempt, 'shown'> {
  checkoutId: string
  shown: CurrencyAndScale | null
  sealedMs: number
  isTooOld: boolean
}

export function newAttemptId(): string {
  return randomUUID()
}

/**
 * The id of the attempt after this one. It is computed, so it is the same in every window: if a link is open in several
 * windows of a browser, pressing Pay again in each of them is one attempt.
 */
export function nextAttemptId(id: string): string {
  const bytes = createHash('sha256').update(`attempt after ${id}`).digest().subarray(0, 16)
  bytes[6] = 0x80 | (bytes[6]! & 0x0f) // UUID version 8: defined by the application.
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A browser's attempts are remembered for an hour. No payer makes this many attempts in that time. */
const ATTEMPTS_FOLLOWED_MAX = 256

/**
 * Whether the later id is the earlier one, or was computed from it in one or more steps. Then both are attempts of one
 * browser.
 */
export function isLaterAttempt(earlierId: string, laterId: string): boolean {
  let id = earlierId
  for (let step = 0; step < ATTEMPTS_FOLLOWED_MAX && id !== laterId; step += 1) id = nextAttemptId(id)
  return id === laterId
}

/**
 * The attempt that the browser's cookie names, and the next one. If a response was lost, its cookie was lost too, so the
 * next attempt may exist.
 */
export function toLatestIds(id: string): [string, string] {
  return [id, nextAttemptId(id)]
}

export function sealAttempt(box: SealBox, attempt: NewAttempt, nowMs: number): string {
  const plain = JSON.stringify({ ...attempt, at: nowMs })
  return box.seal(Buffer.from(plain), CONTEXT).toString('base64url')
}

/** Null: the token was not sealed with our keys. */
export function openAttempt(box: SealBox, token: string, nowMs: number): Attempt | null {
  const bytes = Buffer.from(token, 'base64url')
  // The decoder ignores unknown characters, so only the exact text that was issued is accepted.
  const plain = bytes.toString('base64url') === token ? box.open(bytes, CONTEXT) : null
  if (!plain) return null
  const { at, ...attempt } = sealedAttempt.parse(JSON.parse(plain.toString('utf8')))
  const { checkoutId = attempt.id, shown = null } = attempt
  return {
    ...attempt,
    checkoutId,
    shown,
    sealedMs: at,
    isTooOld: nowMs - at > ATTEMPT_TOKEN_MAX_AGE_MIN * 60_000,
  }
}
