import { z } from 'zod'
import { toDate } from '../lib/clock.ts'
import type { DisputeReport } from './backend.ts'

const stripeId = z
  .string()
  .regex(/^[A-Za-z0-9_]+$/)
  .max(255)

const stripeDispute = z.object({
  object: z.literal('dispute'),
  id: stripeId,
  amount: z.int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/),
  payment_intent: stripeId.nullish(),
  status: z.string(),
  reason: z.string().nullish(),
  evidence_details: z.object({ due_by: z.int().positive().nullish() }).nullish(),
})

/**
 * Stripe's states of an inquiry begin with `warning_`. A closed inquiry took no money, so it counts as won. So does a
 * dispute that was prevented.
 */
const STATUS: Readonly<Record<string, DisputeReport['status']>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
}

/** Null: not a dispute, or its status is unknown to this release. */
export function parseDispute(value: unknown): DisputeReport | null {
  const { data: dispute } = stripeDispute.safeParse(value)
  const status = dispute && STATUS[dispute.status]
  if (!dispute || !status) return null
  const dueBy = dispute.evidence_details?.due_by ?? null
  const { reason } = dispute
  return {
    paymentId: null,
    chargeId: dispute.payment_intent ?? null,
    status,
    amount: BigInt(dispute.amount),
    currency: dispute.currency.toUpperCase(),
    upstreamRef: dispute.id,
    reason: reason && /^[a-z][a-z0-9_]{0,63}$/.test(reason) ? reason : null,
    respondBy: dueBy === null ? null : toDate(dueBy * 1000),
  }
}
