// Parses the payments and refunds that an http upstream reports, in responses and webhooks. Unknown fields are ignored,
// so that upstreams can add some.
import { parseStrictJson, StrictJsonError } from '@pazar/sdk'
import { z } from 'zod'
import { AMOUNT_PATTERN, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Charge, RefundReport } from './backend.ts'
import { parseOrigin, parseRefundOrigin } from './metadata.ts'

/** Our fields need two levels, because metadata is an object. Further levels are for the upstream's own fields. */
const DEPTH_MAX = 4
const BANK_URL_LENGTH_MAX = 2048
const REFERENCE_LENGTH_MAX = 128

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function isHttpUrl(text: string): boolean {
  return text.length <= BANK_URL_LENGTH_MAX && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

export const reference = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .max(REFERENCE_LENGTH_MAX)

export const amount = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((text) => AMOUNT_PATTERN.test(text))

const upstreamRefund = z.object({
  // The id is ours for a refund that we requested, and the upstream's for any other refund.
  id: reference,
  paymentId: z.string().regex(TRANSACTION_ID_PATTERN),
  status: z.enum(['processing', 'succeeded', 'failed']),
  amount,
  currency: z.string().max(3),
  chargeId: reference.nullish(),
  refundRef: reference.nullish(),
  pendingReason: z.string().nullish(),
  failureCode: z.string().nullish(),
  metadata: z.unknown().optional(),
})

const upstreamPayment = z
  .object({
    id: z.string().min(1).max(REFERENCE_LENGTH_MAX),
    status: z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'cancelled']),
    // Zero: the payment was cancelled before the create request arrived.
    amount: z
      .union([z.string(), z.int()])
      .transform(String)
      .refine((text) => /^(?:0|[1-9][0-9]{0,11})$/.test(text)),
    currency: z.string().max(3),
    projectId: z.string().max(REFERENCE_LENGTH_MAX).nullish(),
    chargeId: reference.nullish(),
    redirectUrl: z.string().refine(isHttpUrl).nullish(),
    failureCode: z.string().nullish(),
    sequence: z.int().nonnegative().nullish(),
    metadata: z.unknown().optional(),
  })
  .refine((payment) => payment.status !== 'requires_action' || typeof payment.redirectUrl === 'string')

/**
 * Accepts only a plain identifier, because merchants and payers see the code. Codes that only this service may set are
 * not accepted.
 */
export function toCode(code: string | null | undefined): string | null {
  return code && /^(?!resolved_|in_review$|duplicate$)[a-z][a-z0-9_]{0,63}$/.test(code) ? code : null
}

export function parseJson(bytes: Uint8Array, maxDepth = DEPTH_MAX): unknown {
  try {
    return parseStrictJson(utf8.decode(bytes), { maxDepth })
  } catch (error) {
    // The decoder throws a TypeError for bytes that are not UTF-8.
    if (error instanceof StrictJsonError || error instanceof TypeError) return null
    throw error
  }
}

export function parseUpstreamPayment(bytes: Uint8Array): Charge | null {
  return toCharge(parseJson(bytes))
}

export function parseUpstreamRefund(bytes: Uint8Array): RefundReport | null {
  return toRefundReport(parseJson(bytes))
}

export function toRefundReport(value: unknown): RefundReport | null {
  const { data: refund } = upstreamRefund.safeParse(value)
  if (!refund) return null
  const isOurs = TRANSACTION_ID_PATTERN.test(refund.id)
  return {
    id: isOurs ? refund.id : null,
    paymentId: refund.paymentId,
    chargeId: refund.chargeId ?? null,
    status: refund.status === 'processing' ? 'pending' : refund.status,
    amount: BigInt(refund.amount),
    currency: refund.currency,
    upstreamRef: refund.refundRef ?? (isOurs ? null : refund.id),
    lookupId: refund.id,
    pendingReason: toCode(refund.pendingReason),
    failureCode: toCode(refund.failureCode),
    origin: parseRefundOrigin(refund.metadata),
  }
}

export function toCharge(value: unknown): Charge | null {
  const { data: payment } = upstreamPayment.safeParse(value)
  if (!payment) return null
  return {
    id: payment.id,
    status: payment.status,
    amount: BigInt(payment.amount),
    currency: payment.currency,
    projectId: payment.projectId ?? null,
    chargeId: payment.chargeId ?? null,
    sequence: payment.sequence ?? null,
    failureCode: toCode(payment.failureCode),
    actionUrl: payment.status === 'requires_action' ? (payment.redirectUrl ?? null) : null,
    origin: parseOrigin(payment.metadata),
  }
}
