// The callback with the result of a payment.
import { z } from 'zod'
import { mode, money, projectId, time } from './values.ts'

/** The upstream may report further codes. The callback of a payment never contains `resolved_paid`. */
export const FAILURE_CODES = [
  'declined',
  'insufficient_funds',
  'kyc_required',
  'cancelled',
  'expired',
  'not_charged',
  'upstream_unavailable',
  'amount_too_small',
  'amount_too_large',
  'resolved_paid',
  'resolved_unpaid',
] as const

const CALLBACK_FAILURE_CODES = FAILURE_CODES.filter((code) => code !== 'resolved_paid').join(', ')
const CALLBACK_FAILURE_TEXT = `Why it failed: ${CALLBACK_FAILURE_CODES}, or the bank's own code`

export const FAILURE_CODE_TEXT = `${CALLBACK_FAILURE_TEXT}; resolved_paid: the operator decided that it counts as paid`

/** Not strict, because fields may be added later. Merchants must ignore unknown fields. */
export const callbackBody = z
  .looseObject({
    event: z.literal('payment.result'),
    status: z.enum(['success', 'fail']).describe('How the payment ended'),
    successful: z.boolean().describe('true exactly when status is success'),
    projectId,
    transactionId: z.string(),
    amount: money,
    currency: z.string(),
    customId: z.string().optional().describe('The order ID; only when the payment had one'),
    data: z.string().optional().describe('The description; only when the payment had one'),
    mode,
    createdAt: time,
    failureCode: z.string().optional().describe(CALLBACK_FAILURE_TEXT),
    hash: z.string().describe('JWT, HS256: all other fields, iat, and the webhook-id as jti'),
  })
  .meta({ id: 'CallbackBody' })

/** The headers of Standard Webhooks. */
export const callbackHeaders = z.object({
  'webhook-id': z.string().describe('The ID of this callback, the same on every attempt'),
  'webhook-timestamp': z.string().describe('When this attempt was signed, in Unix seconds'),
  'webhook-signature': z
    .string()
    .describe(
      "`v1,` followed by the base64 of HMAC-SHA256 over `id.timestamp.body`, with the project's live or test secret",
    ),
})
