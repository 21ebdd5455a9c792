// Events of Stripe's webhooks, signed with the helper of Stripe's SDK.
import { randomBytes } from 'node:crypto'
import { Stripe } from 'stripe'
import type { StandInSession } from './stripe-sessions-stand-in.ts'

export const STRIPE_WEBHOOK_SECRET = 'whsec_standInForStripe0123456789abcdef'

export interface SignedEvent {
  body: string
  headers: Record<string, string>
}

export function signText(body: string, fields: { secret?: string; agoSec?: number } = {}): SignedEvent {
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: fields.secret ?? STRIPE_WEBHOOK_SECRET,
    timestamp: Math.floor(Date.now() / 1000) - (fields.agoSec ?? 0),
  })
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } }
}

export function signEvent(
  type: string,
  object: object,
  fields: { secret?: string; agoSec?: number; livemode?: boolean } = {},
): SignedEvent {
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type,
    livemode: fields.livemode ?? false,
    data: { object },
  })
  return signText(body, fields)
}

/** Returns the session as a webhook contains it: with only the id of its payment. A lookup returns the whole payment. */
export function toEventObject(session: StandInSession): object {
  return { ...session, payment_intent: session.payment_intent?.id ?? null }
}
