import type { BackendDisputes } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { parseDispute } from './stripe-dispute.ts'
import { createStripePager } from './stripe-pager.ts'

/** Long, because the list is needed only for disputes whose webhook was lost. */
const POLL_MS = 10 * 60_000

export function createStripeDisputes(options: StripeApiOptions): BackendDisputes {
  const { disputes } = createStripeClient(options)
  return {
    isOffered: async () => true,
    pollMs: POLL_MS,
    list: createStripePager((params) => disputes.list(params), parseDispute),
  }
}
