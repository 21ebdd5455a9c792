// Stripe tells of sessions by itself. The SDK checks the signature over the raw bytes; what is believed then is the
// session in the event, as it would be in an answer.
import { Stripe } from 'stripe'
import { z } from 'zod'
import { toUnixSeconds } from '../lib/clock.ts'
import type { Charge, WebhookMessage, WebhookWord } from './backend.ts'
import { isOfOther, parseSession, toCharge, TRANSACTION_KEY } from './stripe-session.ts'

/** As long as Stripe's own libraries take: it signs anew at each try, so what is older is a recording. */
const TOLERANCE_SEC = 300

const PAYMENT_LOST = 'checkout.session.async_payment_failed'
const EVENT_TYPES = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  PAYMENT_LOST,
  'checkout.session.expired',
])

const event = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) })
const marked = z.object({ metadata: z.looseObject({ [TRANSACTION_KEY]: z.string() }) })

export interface StripeWebhookOptions {
  webhookSecret: string
  /** Accepted too while the secret is being replaced. */
  webhookSecretPrevious: string | null
  livemode: boolean
  installationId: string
}

function isGenuine(secret: string, { rawBody, headers }: WebhookMessage, nowMs: number): boolean {
  const header = headers['stripe-signature']
  try {
    const given = typeof header === 'string' ? header : ''
    const { signature } = Stripe.webhooks
    return signature?.verifyHeader(rawBody, given, secret, TOLERANCE_SEC, undefined, nowMs) ?? false
  } catch {
    // Why is lost on purpose: the SDK's error holds the whole message, and for some headers it stumbles rather than say no.
    return false
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // What is no JSON is no event, and is told as such.
    return null
  }
}

export function readStripeWebhook(
  { webhookSecret, webhookSecretPrevious, livemode, installationId }: StripeWebhookOptions,
  message: WebhookMessage,
  nowMs: number,
): WebhookWord {
  const secrets = [webhookSecret, webhookSecretPrevious]
  if (!secrets.some((secret) => secret !== null && isGenuine(secret, message, nowMs)))
    return { kind: 'forged', reason: 'the signature does not fit' }
  const value = parseJson(message.rawBody)
  const { data: told } = event.safeParse(value)
  if (!told) return { kind: 'unusable', reason: 'no event' }
  // The same account may have other business than ours.
  const { data: mark } = marked.safeParse(told.data.object)
  if (!EVENT_TYPES.has(told.type) || !mark || isOfOther(mark.metadata, installationId))
    return { kind: 'ignored' }
  const session = parseSession(told.data.object, livemode)
  if (!session) return { kind: 'unusable', reason: 'a session of the other mode, or none' }
  const charge = toCharge(session, toUnixSeconds(nowMs))
  // A payment began there, and only its name is told: how it stands is asked when the payment is next looked at.
  if (session.status === 'expired' && charge.status === 'processing') return { kind: 'ignored' }
  return { kind: 'said', charge: told.type === PAYMENT_LOST ? toLost(charge) : charge }
}

/** The payment stands there by its name alone, so only the kind of the event says that it did not arrive. */
function toLost(charge: Charge): Charge {
  return charge.status === 'processing'
    ? { ...charge, status: 'failed', failureCode: 'declined', sequence: 3 }
    : charge
}
