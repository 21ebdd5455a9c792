// The payer's routes as programs see them: what GET /pay tells of a link, POST /pay, and a payment's live state.
import { z } from 'zod'
import { mode, money } from './values.ts'

/**
 * The longest link there can be (2048 bytes of `data` that JSON has to write as six characters each), sealed and in
 * base64, stays below this.
 */
export const ATTEMPT_TOKEN_MAX = 20_000

export const payBody = z.strictObject({ token: z.string().min(1).max(ATTEMPT_TOKEN_MAX) })

/** Without `transactionId` where another attempt paid, or is paying: whose it is, is not this caller's business. */
export const payAnswer = z.object({
  status: z.enum(['succeeded', 'requires_action', 'processing']),
  transactionId: z.string().optional(),
  redirectUrl: z.string(),
})

export const payStateAnswer = z.object({
  status: z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'expired']),
  transactionId: z.string(),
  reference: z.string(),
  redirectUrl: z.string(),
})

/** A link that can be paid: what the page shows, and the token its button would send. */
export const payLinkAnswer = z.object({
  status: z.literal('ready'),
  merchant: z.string(),
  amount: money,
  currency: z.string(),
  mode,
  token: z.string(),
})
