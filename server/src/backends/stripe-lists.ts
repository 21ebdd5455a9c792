// The lists of a Stripe account: payments and sessions of this installation, and refunds except those of other
// installations.
import type { BackendLists, Charge } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { belongsToOtherInstallation, parseOrigin } from './metadata.ts'
import { createStripePager } from './stripe-pager.ts'
import { parsePaymentIntent } from './stripe-payment.ts'
import { parseRefund, toRefundReport } from './stripe-refund.ts'
import { parseSession, toCharge } from './stripe-session.ts'

/** Null: not a session of this installation, or a session of the other mode. */
function parseListedSession(value: unknown, { livemode, installationId }: StripeApiOptions): Charge | null {
  const session = parseSession(value, livemode)
  const { metadata } = value as { metadata?: Record<string, unknown> | null }
  if (!session || !metadata || belongsToOtherInstallation(metadata, installationId)) return null
  // The time is 0, because it decides only the failure code of a closed session, which no reader of a list needs.
  return { ...toCharge(session, 0), sessionId: session.id, origin: parseOrigin(metadata) }
}

export function createStripeLists(options: StripeApiOptions): BackendLists {
  const { paymentIntents, refunds, checkout } = createStripeClient(options)
  return {
    isOffered: async () => true,
    payments: createStripePager(
      (params) => paymentIntents.list(params),
      (value) => parsePaymentIntent(value, options),
    ),
    sessions: createStripePager(
      (params) => checkout.sessions.list(params),
      (value) => parseListedSession(value, options),
    ),
    refunds: createStripePager(
      (params) => refunds.list(params),
      (value) => {
        const refund = parseRefund(value)
        return refund && toRefundReport(refund, options.installationId)
      },
    ),
  }
}
