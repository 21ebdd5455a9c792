// POST /pay as JSON, and what the live state page tells programs.
import { z } from 'zod'

export const payBody = z.strictObject({ token: z.string().min(1).max(8192) })

export const payAnswer = z.object({
  status: z.enum(['succeeded', 'requires_action', 'processing', 'already_paid']),
  transactionId: z.string().optional(),
  redirectUrl: z.string(),
})

export const payStateAnswer = z.object({
  status: z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'expired']),
  transactionId: z.string(),
  reference: z.string(),
  redirectUrl: z.string(),
})
