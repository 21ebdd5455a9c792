// Disputes, and one payment with its refunds and disputes.
import { z } from 'zod'
import { refund } from './refunds.ts'
import { transaction } from './transactions.ts'
import { money, mode, projectId, queryLang, scale, time } from './values.ts'

export const disputeState = z.enum(['inquiry', 'open', 'won', 'lost'])

const dispute = z
  .object({
    id: z.string(),
    transactionId: z.string(),
    amount: money,
    currency: z.string(),
    scale,
    state: disputeState,
    reason: z.string().nullable(),
    respondBy: time.nullable().describe("By when the bank must have the operator's response"),
    openedAt: time,
    closedAt: time.nullable(),
  })
  .meta({ id: 'Dispute' })

/** Has no `status` and no `successful`, so that no merchant mistakes a dispute for the result of a payment. */
export const disputeCallbackBody = z
  .looseObject({
    event: z.enum(['dispute.opened', 'dispute.closed']),
    disputeStatus: disputeState.describe('State of the dispute'),
    projectId,
    transactionId: z.string(),
    disputeId: z.string().describe('ID of the dispute'),
    amount: money,
    currency: z.string(),
    customId: z.string().optional().describe('The order ID; only when the payment had one'),
    data: z.string().optional().describe('The description; only when the payment had one'),
    mode,
    createdAt: time,
    respondBy: time.optional().describe("By when the bank must have the operator's response"),
    hash: z.string().describe('JWT, HS256: all other fields, iat, and the webhook-id as jti'),
  })
  .meta({ id: 'DisputeCallbackBody' })

export const transactionDetails = z.object({
  transaction,
  refunds: z.array(refund).describe('Oldest first'),
  disputes: z.array(dispute).describe('Oldest first'),
})

export const openDisputesQuery = z.strictObject({ mode: mode.default('live'), lang: queryLang })

export const openDisputes = z.object({
  count: z.int(),
  disputes: z.array(dispute).describe('The disputes with the earliest deadlines, sorted by deadline'),
})

export type DisputeState = z.infer<typeof disputeState>
export type DisputeView = z.infer<typeof dispute>
export type OpenDisputesView = z.infer<typeof openDisputes>
export type TransactionDetails = z.infer<typeof transactionDetails>
