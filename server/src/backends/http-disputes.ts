// Disputes at an http upstream (docs/upstream.md).
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import { z } from 'zod'
import { toDate } from '../lib/clock.ts'
import type { BackendDisputes, DisputeReport } from './backend.ts'
import type { ListOptions } from './http-pager.ts'
import { createHttpPager } from './http-pager.ts'
import { amount, reference, toCode } from './http-wire.ts'

const upstreamDispute = z.object({
  id: reference,
  paymentId: z.string().regex(TRANSACTION_ID_PATTERN),
  status: z.enum(['inquiry', 'open', 'won', 'lost']),
  amount,
  currency: z.string().max(3),
  chargeId: reference.nullish(),
  reason: z.string().nullish(),
  respondBy: z.iso.datetime({ offset: true }).nullish(),
})

export function toDisputeReport(value: unknown): DisputeReport | null {
  const { data: dispute } = upstreamDispute.safeParse(value)
  if (!dispute) return null
  return {
    paymentId: dispute.paymentId,
    chargeId: dispute.chargeId ?? null,
    status: dispute.status,
    amount: BigInt(dispute.amount),
    currency: dispute.currency,
    upstreamRef: dispute.id,
    reason: toCode(dispute.reason),
    respondBy: dispute.respondBy ? toDate(Date.parse(dispute.respondBy)) : null,
  }
}

/** Long, because the list is needed only for disputes whose webhook was lost. */
const POLL_MS = 10 * 60_000

export function createHttpDisputes(options: ListOptions): BackendDisputes {
  return {
    pollMs: POLL_MS,
    async isOffered() {
      const info = await options.fetchInfo()
      return info?.disputes === true && info.lists === true
    },
    list: createHttpPager(options, 'disputes', toDisputeReport),
  }
}
