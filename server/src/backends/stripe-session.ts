// What Stripe may say of a Checkout Session, in answers and in webhooks alike. Nothing that does not have this shape is
// believed; the many other fields are passed over.
import { z } from 'zod'
import type { Charge } from './backend.ts'

/** Under these a session, and the payment it becomes, say whose they are. Sessions without them are not ours. */
export const TRANSACTION_KEY = 'pazar_transaction'
export const PROJECT_KEY = 'pazar_project'
/** Which installation opened it; sessions of before it was written have none. */
export const INSTALLATION_KEY = 'pazar_installation'

/** The same account may serve two installations, and each knows its own payments only. */
export function isOfOther(metadata: Readonly<Record<string, unknown>>, installationId: string): boolean {
  const told = metadata[INSTALLATION_KEY]
  return told !== undefined && told !== installationId
}

const NAME_LENGTH_MAX = 255
/** Stripe's addresses carry a long fragment; what is longer than this fits no Location header. */
const URL_LENGTH_MAX = 4096

function isHttpUrl(text: string): boolean {
  return text.length <= URL_LENGTH_MAX && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const name = z
  .string()
  .regex(/^[A-Za-z0-9_]+$/)
  .max(NAME_LENGTH_MAX)
const failure = z.object({ code: z.string().nullish(), decline_code: z.string().nullish() })

const checkoutSession = z
  .object({
    object: z.literal('checkout.session'),
    id: name,
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
    // A name alone in webhooks; whole where we asked for it to be.
    payment_intent: z
      .union([name, z.object({ id: name, status: z.string(), last_payment_error: failure.nullish() })])
      .nullable(),
  })
  // A payer cannot be sent to a page that has no address.
  .refine((session) => session.status !== 'open' || typeof session.url === 'string')

export type CheckoutSession = z.output<typeof checkoutSession>

/** Null when it is no session of ours, or one of the other mode: a test session must never settle a live payment. */
export function parseSession(value: unknown, livemode: boolean): CheckoutSession | null {
  const { data: session } = checkoutSession.safeParse(value)
  return session?.livemode === livemode ? session : null
}

/** A payment that was on its way and did not arrive; a new try would be a new session. */
const ENDED_UNPAID = new Set(['requires_payment_method', 'canceled'])

function toStatus({
  status,
  payment_status: paid,
  payment_intent: payment,
}: CheckoutSession): Charge['status'] {
  // Where money moved, that comes before everything else.
  if (paid === 'paid') return 'succeeded'
  if (status === 'open') return 'requires_action'
  const isLost = payment !== null && typeof payment !== 'string' && ENDED_UNPAID.has(payment.status)
  // A closed page is no promise while a payment that began on it may still arrive.
  if (status === 'expired') return payment === null || isLost ? 'cancelled' : 'processing'
  if (!isLost) return 'processing'
  // Stopped by us or in the dashboard: it cannot be charged any more, and no bank has refused it.
  return payment.status === 'canceled' ? 'cancelled' : 'failed'
}

/** Stripe knows dozens of reasons; payers and shops are told those they can do something about. */
function toFailureCode({ payment_intent: payment }: CheckoutSession): string {
  const reason = payment === null || typeof payment === 'string' ? null : payment.last_payment_error
  return [reason?.code, reason?.decline_code].includes('insufficient_funds')
    ? 'insufficient_funds'
    : 'declined'
}

/** A page is open, then done, then the money is there or not: never the other way, whatever arrives last. */
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
