// Parses a refund of Stripe, from responses, lists and webhooks.
import { z } from 'zod'
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { RefundReport } from './backend.ts'
import { belongsToOtherInstallation, parseRefundOrigin, REFUND_KEY, TRANSACTION_KEY } from './metadata.ts'

const stripeId = z
  .string()
  .regex(/^[A-Za-z0-9_]+$/)
  .max(255)

const stripeRefund = z.object({
  object: z.literal('refund'),
  id: stripeId,
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  amount: z.int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/),
  payment_intent: stripeId.nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
  pending_reason: z.string().nullish(),
})
export type StripeRefund = z.output<typeof stripeRefund>

export function parseRefund(value: unknown): StripeRefund | null {
  return stripeRefund.safeParse(value).data ?? null
}

/** Returns the text only if it is a plain identifier, because it is sent to merchants as a code. */
function toCode(text: string | null | undefined): string | null {
  return text && /^[a-z][a-z0-9_]{0,63}$/.test(text) ? text : null
}

const STATUS: Record<StripeRefund['status'], RefundReport['status']> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

/** Null: the refund belongs to another installation that uses the same Stripe account. */
export function toRefundReport(refund: StripeRefund, installationId: string): RefundReport | null {
  const metadata = refund.metadata ?? {}
  if (belongsToOtherInstallation(metadata, installationId)) return null
  const { [REFUND_KEY]: id = '', [TRANSACTION_KEY]: paymentId = null } = metadata
  const needsPayerAction = refund.status === 'requires_action'
  return {
    id: TRANSACTION_ID_PATTERN.test(id) ? id : null,
    paymentId,
    chargeId: refund.payment_intent ?? null,
    status: STATUS[refund.status],
    amount: BigInt(refund.amount),
    currency: refund.currency.toUpperCase(),
    upstreamRef: refund.id,
    pendingReason: needsPayerAction ? 'requires_action' : toCode(refund.pending_reason),
    failureCode: toCode(refund.failure_reason),
    origin: parseRefundOrigin(metadata),
  }
}
