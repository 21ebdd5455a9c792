// The list of disputes at Stripe, which is polled in addition to the webhooks.
import type { BackendDisputes } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { parseDispute } from './stripe-dispute.ts'
import { createStripePager } from './stripe-pager.ts'

/** Deadlines are days away; the webhook is faster. */
const POLL_MS = 10 * 60_000

export function createStripeDisputes(options: StripeApiOptions): BackendDisputes {
  const { disputes } = createStripeClient(options)
  return {
    isOffered: async () => true,
    pollMs: POLL_MS,
    list: createStripePager((params) => disputes.list(params), parseDispute),
  }
}
