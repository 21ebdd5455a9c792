// The lists of a Stripe account: payments and sessions that Pazar opened, and all refunds, also those made at Stripe. Entries
// of other installations are left out.
import { z } from 'zod'
import type { BackendLists, Charge } from './backend.ts'
import { GarbledResponseError } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { belongsToOtherInstallation, parseOrigin, TRANSACTION_KEY } from './metadata.ts'
import { createStripePager } from './stripe-pager.ts'
import { parsePaymentIntent } from './stripe-payment.ts'
import { parseRefund, toRefundReport } from './stripe-refund.ts'
import { parseSession, toCharge } from './stripe-session.ts'

/** Null: not a session of this installation, or a session of the other mode. */
function parseListedSession(value: unknown, { livemode, installationId }: StripeApiOptions): Charge | null {
  const session = parseSession(value, livemode)
  const { metadata } = value as { metadata?: Record<string, unknown> | null }
  if (!session || !metadata || belongsToOtherInstallation(metadata, installationId)) return null
  // The time affects only the failure code of a closed session. No reader of a list needs that code, so the time is 0.
  return { ...toCharge(session, 0), sessionId: session.id, origin: parseOrigin(metadata) }
}

const ownEntry = z.object({
  livemode: z.boolean().optional(),
  metadata: z.looseObject({ [TRANSACTION_KEY]: z.string() }),
})

function isOwn(value: unknown, { livemode, installationId }: StripeApiOptions): boolean {
  const { data: entry } = ownEntry.safeParse(value)
  if (!entry || belongsToOtherInstallation(entry.metadata, installationId)) return false
  return entry.livemode === undefined || entry.livemode === livemode
}

/** Returns a parser that throws if it cannot parse an entry of ours. If the entry were left out, nobody would notice. */
function requireOwn<Report>(
  options: StripeApiOptions,
  toReport: (value: unknown) => Report | null,
): (value: unknown) => Report | null {
  return (value) => {
    const report = toReport(value)
    if (!report && isOwn(value, options))
      throw new GarbledResponseError('a list of Stripe has an entry of ours that cannot be parsed')
    return report
  }
}

export function createStripeLists(options: StripeApiOptions): BackendLists {
  const { paymentIntents, refunds, checkout } = createStripeClient(options)
  return {
    isOffered: async () => true,
    payments: createStripePager(
      (params) => paymentIntents.list(params),
      requireOwn(options, (value) => parsePaymentIntent(value, options)),
    ),
    sessions: createStripePager(
      (params) => checkout.sessions.list(params),
      requireOwn(options, (value) => parseListedSession(value, options)),
    ),
    refunds: createStripePager(
      (params) => refunds.list(params),
      requireOwn(options, (value) => {
        const refund = parseRefund(value)
        return refund && toRefundReport(refund, options.installationId)
      }),
    ),
  }
}
