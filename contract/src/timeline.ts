// The bank's page and the callbacks in the timeline of one payment.
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
  /** Of the payment, its refunds and its disputes. Oldest first. */
  callbacks: z.array(z.object({ callback, attempts: z.array(callbackAttempt) })),
})

export type TransactionTimeline = z.infer<typeof transactionTimeline>
