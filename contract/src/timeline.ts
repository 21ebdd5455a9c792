// Two parts of a payment's timeline: when the payer was sent to the bank, and the callbacks.
import { z } from 'zod'
import { callback, callbackAttempt } from './deliveries.ts'
import { projectId, time, TRANSACTION_ID_PATTERN } from './values.ts'

export const timelineParams = z.strictObject({
  id: projectId,
  transactionId: z.string().regex(TRANSACTION_ID_PATTERN),
})

export const transactionTimeline = z.object({
  /** When the payer was first sent to the bank's page. */
  atBankAt: time.nullable(),
  /** The callbacks of the payment, its refunds and its disputes, oldest first. */
  callbacks: z.array(z.object({ callback, attempts: z.array(callbackAttempt) })),
})

export type TransactionTimeline = z.infer<typeof transactionTimeline>
