// Refunds. A refund has its own state. The state of its payment does not change.
import { z } from 'zod'
import { IDEMPOTENCY_KEY_MAX, REFUND_REASON_MAX } from './limits.ts'
import {
  amountFrom0,
  amountInput,
  INVISIBLE_PATTERN,
  mode,
  money,
  projectId,
  scale,
  time,
  TRANSACTION_ID_PATTERN,
} from './values.ts'

export const refundState = z.enum(['processing', 'succeeded', 'failed', 'returned'])
export const refundOrigin = z.enum(['portal', 'api', 'upstream'])

const REFUND_ID_PATTERN = /^re_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/

const visibleText = (max: number) =>
  z
    .string()
    .refine((text) => [...text].length <= max, { params: { code: 'too_long', max } })
    .refine((text) => !INVISIBLE_PATTERN.test(text), { params: { code: 'invisible_characters' } })

export const refundBody = z.strictObject({
  projectId,
  transactionId: z.string().regex(TRANSACTION_ID_PATTERN).describe('The payment, which must have succeeded'),
  amount: amountInput.optional().describe('If omitted: all that can still be refunded'),
  reason: visibleText(REFUND_REASON_MAX)
    .optional()
    .meta({ maxLength: REFUND_REASON_MAX, description: 'For your own records' }),
  idempotencyKey: visibleText(IDEMPOTENCY_KEY_MAX)
    .refine((text) => text.length > 0, { params: { code: 'required' } })
    .meta({
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_MAX,
      description: 'Your own key for this refund: the same request with the same key refunds once',
      examples: ['refund-order-7'],
    }),
})

export const refund = z
  .object({
    id: z.string().regex(REFUND_ID_PATTERN),
    transactionId: z.string(),
    projectId,
    mode,
    amount: money,
    currency: z.string(),
    scale,
    state: refundState.describe(
      'returned: the refund succeeded, but its money returned to the merchant later',
    ),
    pendingReason: z.string().nullable().describe('Why it is still processing, when that is known'),
    reason: z.string().nullable(),
    failureCode: z
      .string()
      .nullable()
      .describe('Why the refund failed, or why its money returned to the merchant'),
    origin: refundOrigin.describe('Where it was requested; upstream: directly at the payment provider'),
    createdAt: time,
    completedAt: time.nullable(),
    returnedAt: time.nullable(),
  })
  .meta({ id: 'Refund' })

export const refundAnswer = z.object({ refund })

/** Has no `status` and no `successful`, so that no merchant mistakes a refund for the result of a payment. */
export const refundCallbackBody = z
  .looseObject({
    event: z.literal('refund.result'),
    refundStatus: z.enum(['succeeded', 'failed', 'returned']),
    projectId,
    transactionId: z.string(),
    refundId: z.string().regex(REFUND_ID_PATTERN),
    amount: money,
    refundedTotal: amountFrom0.describe('What has been refunded of the payment in total, after this change'),
    currency: z.string(),
    customId: z.string().optional().describe('The order ID; only when the payment had one'),
    data: z.string().optional().describe('The description; only when the payment had one'),
    mode,
    createdAt: time,
    failureCode: z
      .string()
      .optional()
      .describe('Why the refund failed, or why its money returned to the merchant'),
    hash: z.string().describe('JWT, HS256: all other fields, iat, and the webhook-id as jti'),
  })
  .meta({ id: 'RefundCallbackBody' })

export type RefundState = z.infer<typeof refundState>
export type RefundOrigin = z.infer<typeof refundOrigin>
export type RefundBody = z.infer<typeof refundBody>
export type RefundView = z.infer<typeof refund>
