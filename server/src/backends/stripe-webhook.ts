// Webhooks of Stripe. Stripe's SDK checks the signature of the raw bytes.
import { Stripe } from 'stripe'
import { z } from 'zod'
import { toUnixSeconds } from '../lib/clock.ts'
import type { Charge, WebhookMessage, WebhookResult } from './backend.ts'
import { parseDispute } from './stripe-dispute.ts'
import { parseRefund, toRefundReport } from './stripe-refund.ts'
import { belongsToOtherInstallation, TRANSACTION_KEY } from './metadata.ts'
import { parseSession, toCharge } from './stripe-session.ts'

/**
 * How old a signature may be. Stripe's own libraries use the same limit. Stripe signs each attempt again, so a webhook that
 * is sent again hours later is accepted too.
 */
const TOLERANCE_SEC = 300

const ASYNC_FAILED = 'checkout.session.async_payment_failed'
const EVENT_TYPES = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  ASYNC_FAILED,
  'checkout.session.expired',
])

/** In older API versions, the names of these events begin with `charge.refund.`. */
const REFUND_EVENT = /^(?:refund|charge\.refund)\.[a-z_]+$/
/** This event does not contain the refund, so the list of refunds must be read after it. */
const CHARGE_REFUNDED = 'charge.refunded'
const DISPUTE_EVENT = /^charge\.dispute\.[a-z_]+$/
const refundedCharge = z.object({ payment_intent: z.string().max(255) })

const event = z.object({
  type: z.string(),
  livemode: z.boolean().optional(),
  data: z.object({ object: z.unknown() }),
})
const withTransactionId = z.object({ metadata: z.looseObject({ [TRANSACTION_KEY]: z.string() }) })

export interface StripeWebhookOptions {
  webhookSecret: string
  /** While the secret is being replaced, webhooks that are signed with the previous secret are accepted too. */
  webhookSecretPrevious: string | null
  livemode: boolean
  installationId: string
}

function isGenuine(secret: string, { rawBody, headers }: WebhookMessage, nowMs: number): boolean {
  const header = headers['stripe-signature']
  try {
    const headerText = typeof header === 'string' ? header : ''
    const { signature } = Stripe.webhooks
    return signature?.verifyHeader(rawBody, headerText, secret, TOLERANCE_SEC, undefined, nowMs) ?? false
  } catch {
    // The error is dropped, because it contains the whole message.
    return false
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

export function readStripeWebhook(
  { webhookSecret, webhookSecretPrevious, livemode, installationId }: StripeWebhookOptions,
  message: WebhookMessage,
  nowMs: number,
): WebhookResult {
  const secrets = [webhookSecret, webhookSecretPrevious]
  if (!secrets.some((secret) => secret !== null && isGenuine(secret, message, nowMs)))
    return { kind: 'forged', reason: 'the signature does not match' }
  const value = parseJson(message.rawBody)
  const { data: parsed } = event.safeParse(value)
  if (!parsed) return { kind: 'unusable', reason: 'no event' }
  if (REFUND_EVENT.test(parsed.type) || parsed.type === CHARGE_REFUNDED)
    return parsed.livemode === livemode ? readRefund(parsed, installationId) : { kind: 'ignored' }
  if (DISPUTE_EVENT.test(parsed.type)) {
    if (parsed.livemode !== livemode) return { kind: 'ignored' }
    const dispute = parseDispute(parsed.data.object)
    return dispute ? { kind: 'dispute', dispute } : { kind: 'unusable', reason: 'no dispute' }
  }
  // The Stripe account may also have sessions that Pazar did not create.
  const { data: ours } = withTransactionId.safeParse(parsed.data.object)
  if (!EVENT_TYPES.has(parsed.type) || !ours || belongsToOtherInstallation(ours.metadata, installationId))
    return { kind: 'ignored' }
  const session = parseSession(parsed.data.object, livemode)
  if (!session) return { kind: 'unusable', reason: 'no session, or a session of the other mode' }
  const charge = toCharge(session, toUnixSeconds(nowMs))
  // A payment had begun before the session expired. The event has only the payment's id, so the next lookup reads the
  // payment's status.
  if (session.status === 'expired' && charge.status === 'processing') return { kind: 'ignored' }
  return { kind: 'report', charge: parsed.type === ASYNC_FAILED ? toFailed(charge) : charge }
}

function readRefund({ type, data }: z.output<typeof event>, installationId: string): WebhookResult {
  if (type === CHARGE_REFUNDED) {
    // At Stripe, our chargeId is the id of the PaymentIntent.
    const chargeId = refundedCharge.safeParse(data.object).data?.payment_intent
    return chargeId ? { kind: 'refunds_changed', paymentId: null, chargeId } : { kind: 'ignored' }
  }
  const parsed = parseRefund(data.object)
  if (!parsed) return { kind: 'unusable', reason: 'no refund' }
  const refund = toRefundReport(parsed, installationId)
  return refund ? { kind: 'refund', refund } : { kind: 'ignored' }
}

/** The event has only the payment's id, so only the event's type says that the payment failed. */
function toFailed(charge: Charge): Charge {
  return charge.status === 'processing'
    ? { ...charge, status: 'failed', failureCode: 'declined', sequence: 3 }
    : charge
}
