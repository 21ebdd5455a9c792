// Parses a PaymentIntent of Stripe's list. Unlike a session, a PaymentIntent has the amount received.
import { z } from 'zod'
import type { Charge } from './backend.ts'
import { belongsToOtherInstallation, parseOrigin, PROJECT_KEY, TRANSACTION_KEY } from './metadata.ts'

const paymentIntent = z.object({
  object: z.literal('payment_intent'),
  id: z
    .string()
    .regex(/^[A-Za-z0-9_]+$/)
    .max(255),
  livemode: z.boolean(),
  status: z.string(),
  amount: z.int().nonnegative(),
  amount_received: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/),
  metadata: z.record(z.string(), z.string()),
})

/** A payment whose status is not in this list waits for the payer or for a capture, so it counts as requires_action. */
const STATUS: Readonly<Record<string, Charge['status']>> = {
  succeeded: 'succeeded',
  processing: 'processing',
  canceled: 'cancelled',
  requires_payment_method: 'failed',
}

/** Null: not a payment of this installation, or a payment of the other mode. */
export function parsePaymentIntent(
  value: unknown,
  { livemode, installationId }: { livemode: boolean; installationId: string },
): Charge | null {
  const { data: payment } = paymentIntent.safeParse(value)
  if (
    !payment ||
    payment.livemode !== livemode ||
    belongsToOtherInstallation(payment.metadata, installationId)
  )
    return null
  const { [TRANSACTION_KEY]: id, [PROJECT_KEY]: projectId = null } = payment.metadata
  if (id === undefined) return null
  const status = STATUS[payment.status] ?? 'requires_action'
  return {
    id,
    status,
    amount: BigInt(status === 'succeeded' ? payment.amount_received : payment.amount),
    currency: payment.currency.toUpperCase(),
    projectId,
    chargeId: payment.id,
    failureCode: null,
    actionUrl: null,
    origin: parseOrigin(payment.metadata),
  }
}
