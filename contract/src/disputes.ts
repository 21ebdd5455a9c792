// Disputes, and one payment with everything that happened to it.
import { z } from 'zod'
import { refund } from './refunds.ts'
import { transaction } from './transactions.ts'
import { money, mode, time } from './values.ts'

export const disputeState = z.enum(['inquiry', 'open', 'won', 'lost'])

export const dispute = z
  .object({
    id: z.string(),
    transactionId: z.string(),
    amount: money,
    currency: z.string(),
    state: disputeState,
    reason: z.string().nullable(),
    respondBy: time.nullable().describe('By when the bank must have the response'),
    openedAt: time,
    closedAt: time.nullable(),
  })
  .meta({ id: 'Dispute' })

export const transactionDetails = z.object({
  transaction,
  refunds: z.array(refund).describe('Oldest first'),
  disputes: z.array(dispute).describe('Oldest first'),
})

export const openDisputesQuery = z.strictObject({ mode: mode.default('live') })

/** The disputes and inquiries that the merchant can still respond to. */
export const openDisputes = z.object({
  count: z.int(),
  disputes: z.array(dispute).describe('The most urgent ones, by their deadline'),
})

export type DisputeState = z.infer<typeof disputeState>
export type DisputeView = z.infer<typeof dispute>
export type OpenDisputesView = z.infer<typeof openDisputes>
export type TransactionDetails = z.infer<typeof transactionDetails>
