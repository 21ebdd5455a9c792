// The list of disputes at Stripe, which is polled besides the webhooks.
import type { Stripe } from 'stripe'
import { z } from 'zod'
import { toUnixSeconds } from '../lib/clock.ts'
import type { BackendDisputes } from './backend.ts'
import { GarbledResponseError } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { parseDispute } from './stripe-dispute.ts'
import { lookUp } from './stripe-faults.ts'

/** Deadlines are days away; the webhook is faster. */
const POLL_MS = 10 * 60_000
/** The largest page that Stripe returns. */
const PAGE_MAX = 100

const list = z.object({ has_more: z.boolean(), data: z.array(z.looseObject({ id: z.string() })) })

export function createStripeDisputes(options: StripeApiOptions): BackendDisputes {
  const { disputes } = createStripeClient(options)
  return {
    isOffered: async () => true,
    pollMs: POLL_MS,
    async list({ since, cursor }) {
      const params: Stripe.DisputeListParams = {
        created: { gte: toUnixSeconds(since.getTime()) },
        limit: PAGE_MAX,
        ...(cursor === null ? {} : { starting_after: cursor }),
      }
      const { data: page } = list.safeParse(await lookUp(() => disputes.list(params)))
      if (!page) throw new GarbledResponseError('the response of Stripe is not a list')
      const items = page.data.flatMap((one) => parseDispute(one) ?? [])
      return { items, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
    },
  }
}
