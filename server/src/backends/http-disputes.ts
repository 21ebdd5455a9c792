// Disputes at an http upstream (docs/upstream.md): what a webhook reports, and the list for an upstream that declares both
// disputes and lists.
import { AMOUNT_PATTERN, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import { z } from 'zod'
import { toDate } from '../lib/clock.ts'
import type { BackendDisputes, DisputeReport } from './backend.ts'
import { GarbledResponseError, toStatusFault, UnknownOutcomeError } from './backend.ts'
import type { Answer, SignedCall } from './http-call.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { parseJson, reference, toCode } from './http-wire.ts'

const upstreamDispute = z.object({
  id: reference,
  paymentId: z.string().regex(TRANSACTION_ID_PATTERN),
  status: z.enum(['inquiry', 'open', 'won', 'lost']),
  amount: z
    .union([z.string(), z.int()])
    .transform(String)
    .refine((text) => AMOUNT_PATTERN.test(text)),
  currency: z.string().max(3),
  reason: z.string().nullish(),
  respondBy: z.iso.datetime({ offset: true }).nullish(),
})

/** Null: not a valid dispute. */
export function toDisputeReport(value: unknown): DisputeReport | null {
  const { data: dispute } = upstreamDispute.safeParse(value)
  if (!dispute) return null
  return {
    paymentId: dispute.paymentId,
    chargeId: null,
    status: dispute.status,
    amount: BigInt(dispute.amount),
    currency: dispute.currency,
    upstreamRef: dispute.id,
    reason: toCode(dispute.reason),
    respondBy: dispute.respondBy ? toDate(Date.parse(dispute.respondBy)) : null,
  }
}

const list = z.object({ items: z.array(z.unknown()).max(1000), next: z.string().max(512).nullish() })
/** The webhook is faster; this finds what was lost. */
const POLL_MS = 10 * 60_000

export function createHttpDisputes(options: {
  call: (call: SignedCall) => Promise<Answer>
  /** Null: the upstream has no /info. Throws when it gives no usable response. */
  fetchInfo: () => Promise<UpstreamInfo | null>
  timeoutMs: number
}): BackendDisputes {
  const { call, fetchInfo, timeoutMs } = options
  return {
    pollMs: POLL_MS,
    async isOffered() {
      const info = await fetchInfo()
      return info?.disputes === true && info.lists === true
    },
    async list({ since, cursor }) {
      const query = new URLSearchParams({ since: since.toISOString(), ...(cursor !== null && { cursor }) })
      const path = `/disputes?${query}`
      const { status, bytes } = await call({ verb: 'list', id: 'disputes', path, body: null, timeoutMs })
      const { data: page } = list.safeParse(parseJson(bytes))
      if (status !== 200)
        throw new UnknownOutcomeError(`the upstream responded ${status} to a list`, {
          fault: toStatusFault(status),
        })
      const items = page?.items.map(toDisputeReport)
      if (!page || !items?.every((one) => one !== null))
        throw new GarbledResponseError('the response of the upstream is not a list of disputes')
      return { items, next: page.next ?? null }
    },
  }
}
