// Lists of Stripe, newest first. The cursor is the id of the last item of the previous page.
import { z } from 'zod'
import { toDate, toUnixSeconds } from '../lib/clock.ts'
import { findStripeDecimals } from '../lib/stripe-decimals.ts'
import type { Listed, Pager } from './pager.ts'
import { GarbledResponseError } from './backend.ts'
import { lookUp } from './stripe-faults.ts'

/** The largest page that Stripe returns. */
const PAGE_MAX = 100

const list = z.object({
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string(), created: z.int().positive() })),
})

interface PageParams {
  created: { gte: number; lte?: number }
  limit: number
  starting_after?: string
}

/** Items for which `toReport` returns null are left out. */
export function createStripePager<Report extends { currency: string }>(
  fetchPage: (params: PageParams) => Promise<unknown>,
  toReport: (value: unknown) => Report | null,
): Pager<Listed<Report>> {
  return async ({ since, until, cursor }) => {
    const params: PageParams = {
      created: {
        gte: toUnixSeconds(since.getTime()),
        ...(until && { lte: toUnixSeconds(until.getTime()) }),
      },
      limit: PAGE_MAX,
      ...(cursor !== null && { starting_after: cursor }),
    }
    const { data: page } = list.safeParse(await lookUp(() => fetchPage(params)))
    if (!page) throw new GarbledResponseError('the response of Stripe is not a list')
    const items = page.data.flatMap((one) => {
      const report = toReport(one)
      if (!report) return []
      const scale = findStripeDecimals(report.currency)
      return [{ ...report, createdAt: toDate(one.created * 1000), scale }]
    })
    return { items, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
  }
}
