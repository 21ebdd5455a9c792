// Parses a Checkout Session of Stripe, from responses, lists and webhooks.
import { z } from 'zod'
import type { Charge } from './backend.ts'
import { PROJECT_KEY, TRANSACTION_KEY } from './metadata.ts'

const NAME_LENGTH_MAX = 255
/** Stripe's addresses have long fragments, but an address must fit into a Location header. */
const URL_LENGTH_MAX = 4096

function isHttpUrl(text: string): boolean {
  return text.length <= URL_LENGTH_MAX && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const stripeId = z
  .string()
  .regex(/^[A-Za-z0-9_]+$/)
  .max(NAME_LENGTH_MAX)
const failure = z.object({ code: z.string().nullish(), decline_code: z.string().nullish() })

const checkoutSession = z
  .object({
    object: z.literal('checkout.session'),
    id: stripeId,
    livemode: z.boolean(),
    status: z.enum(['open', 'complete', 'expired']),
    payment_status: z.enum(['paid', 'unpaid']),
    amount_total: z.int().nonnegative(),
    currency: z.string().regex(/^[a-z]{3}$/),
    expires_at: z.int(),
    url: z.string().refine(isHttpUrl).nullish(),
    metadata: z.object({
      [TRANSACTION_KEY]: z.string().max(NAME_LENGTH_MAX),
      [PROJECT_KEY]: z.string().max(NAME_LENGTH_MAX),
    }),
    // An object if our request asked Stripe to expand it, otherwise an id. Null: no payment has begun.
    payment_intent: z
      .union([
        stripeId,
        z.object({ id: stripeId, status: z.string(), last_payment_error: failure.nullish() }),
      ])
      .nullable(),
  })
  .refine((session) => session.status !== 'open' || typeof session.url === 'string')

export type CheckoutSession = z.output<typeof checkoutSession>

/** Null: not a session of ours, or a session of the other mode. */
export function parseSession(value: unknown, livemode: boolean): CheckoutSession | null {
  const { data: session } = checkoutSession.safeParse(value)
  return session?.livemode === livemode ? session : null
}

const ENDED_UNPAID = new Set(['requires_payment_method', 'canceled'])

function toStatus({
  status,
  payment_status: paymentStatus,
  payment_intent: payment,
}: CheckoutSession): Charge['status'] {
  // A paid session has succeeded, even if its other fields say something else.
  if (paymentStatus === 'paid') return 'succeeded'
  if (status === 'open') return 'requires_action'
  const hasEndedUnpaid = payment !== null && typeof payment !== 'string' && ENDED_UNPAID.has(payment.status)
  // The page is closed, but a payment that began on it may still arrive.
  if (status === 'expired') return payment === null || hasEndedUnpaid ? 'cancelled' : 'processing'
  if (!hasEndedUnpaid) return 'processing'
  // The payment was cancelled by us or in the dashboard, not declined by a bank.
  return payment.status === 'canceled' ? 'cancelled' : 'failed'
}

function toFailureCode({ payment_intent: payment }: CheckoutSession): string {
  const reason = payment === null || typeof payment === 'string' ? null : payment.last_payment_error
  return [reason?.code, reason?.decline_code].includes('insufficient_funds')
    ? 'insufficient_funds'
    : 'declined'
}

/** Later states have higher numbers, so a late report of an earlier state cannot change the payment back. */
function toSequence(status: Charge['status']): number {
  if (status === 'requires_action') return 1
  return status === 'processing' ? 2 : 3
}

export function toCharge(session: CheckoutSession, nowSec: number): Charge {
  const status = toStatus(session)
  const { payment_intent: payment } = session
  const isTimeUp = status === 'cancelled' && session.expires_at <= nowSec
  return {
    id: session.metadata[TRANSACTION_KEY],
    status,
    amount: BigInt(session.amount_total),
    currency: session.currency.toUpperCase(),
    projectId: session.metadata[PROJECT_KEY],
    chargeId: typeof payment === 'string' ? payment : (payment?.id ?? null),
    failureCode: status === 'failed' ? toFailureCode(session) : isTimeUp ? 'expired' : null,
    actionUrl: status === 'requires_action' ? (session.url ?? null) : null,
    sequence: toSequence(status),
  }
}
