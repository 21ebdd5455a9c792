// The sealed token that the Pay button sends, with the link's values and the id of this attempt. The payer's browser
// cannot change the token, so the amount confirmed is the amount shown.
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
  // Tokens of an earlier release lack `checkoutId` and `shown`.
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
  /** The id of a payment that is still open at the bank and must be cancelled before this attempt may begin. */
  replaces: string | null
  /** The id of the checkout's first attempt. Absent: this attempt is the first. */
  checkoutId?: string
  /** The currency and decimals of the amount on the page. */
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

/** The id is computed from the previous id, so retries in several windows of a browser are one attempt. */
export function nextAttemptId(id: string): string {
  const bytes = createHash('sha256').update(`attempt after ${id}`).digest().subarray(0, 16)
  bytes[6] = 0x80 | (bytes[6]! & 0x0f) // UUID version 8: defined by the application.
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Within ATTEMPT_COOKIE_MAX_AGE_MIN, a payer makes fewer attempts than this. */
const ATTEMPTS_FOLLOWED_MAX = 256

/** Whether both ids are the same, or `laterId` was computed from `earlierId` in one or more steps. */
export function isLaterAttempt(earlierId: string, laterId: string): boolean {
  let id = earlierId
  for (let step = 0; step < ATTEMPTS_FOLLOWED_MAX && id !== laterId; step += 1) id = nextAttemptId(id)
  return id === laterId
}

/** Returns the given id and the next id. The next attempt may exist too, if the response that named it was lost. */
export function toLatestIds(id: string): [string, string] {
  return [id, nextAttemptId(id)]
}

export function sealAttempt(box: SealBox, attempt: NewAttempt, nowMs: number): string {
  const plain = JSON.stringify({ ...attempt, at: nowMs })
  return box.seal(Buffer.from(plain), CONTEXT).toString('base64url')
}

/** Null: this is not a token that we issued. */
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
