// What the Pay button sends: the link's values, sealed, with a nonce that makes this one attempt. The payer's browser
// carries it but can neither read nor change it, so the amount confirmed is the amount shown.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ServiceError } from '../lib/service-error.ts'
import type { SealBox } from '../lib/seal.ts'
import type { PayLink } from '../paylinks/pay-link.ts'

/** A page may stay open over lunch; after that prices and secrets may have changed, and a fresh look costs one click. */
const TOKEN_MAX_AGE_MS = 60 * 60 * 1000
const CONTEXT = 'attempt-token/1'

const sealedAttempt = z.object({
  id: z.uuid(),
  at: z.int(),
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

export interface Attempt {
  id: string
  link: PayLink
  isTooOld: boolean
}

export function sealAttempt(box: SealBox, link: PayLink, nowMs: number): string {
  const plain = JSON.stringify({ id: randomUUID(), at: nowMs, link })
  return box.seal(Buffer.from(plain), CONTEXT).toString('base64url')
}

export function openAttempt(box: SealBox, token: string, nowMs: number): Attempt {
  const bytes = Buffer.from(token, 'base64url')
  // The decoder skips what it does not know; only the one spelling we wrote may pass.
  const plain = bytes.toString('base64url') === token ? box.open(bytes, CONTEXT) : null
  if (!plain) throw new ServiceError('invalid_request', { fields: [{ path: 'token', code: 'invalid' }] })
  const { id, at, link } = sealedAttempt.parse(JSON.parse(plain.toString('utf8')))
  return { id, link, isTooOld: nowMs - at > TOKEN_MAX_AGE_MS }
}
