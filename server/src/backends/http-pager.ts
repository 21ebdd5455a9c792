// Lists of an http upstream (docs/upstream.md): payments, refunds and disputes since a time.
import { AMOUNT_SCALE_MAX } from '@pazar/contract'
import { z } from 'zod'
import { toDate } from '../lib/clock.ts'
import type { Listed, Pager } from './pager.ts'
import { GarbledResponseError, toStatusFault, UnknownOutcomeError } from './backend.ts'
import type { UpstreamResponse, SignedCall } from './http-call.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { parseJson } from './http-wire.ts'

export interface ListOptions {
  call: (call: SignedCall) => Promise<UpstreamResponse>
  fetchInfo: () => Promise<UpstreamInfo | null>
  timeoutMs: number
}

const ITEMS_MAX = 1000
/** This is enough for a thousand payments of a kilobyte each. */
const BYTES_MAX = 1024 * 1024
/** The page and its list of items are two levels of nesting. An item may have four more. */
const DEPTH_MAX = 6

const list = z.object({ items: z.array(z.unknown()).max(ITEMS_MAX), next: z.string().max(512).nullish() })
const item = z.object({
  createdAt: z.iso.datetime({ offset: true }).nullish(),
  scale: z.int().min(0).max(AMOUNT_SCALE_MAX).nullish(),
})

function toListed<Report extends object>(
  value: unknown,
  toReport: (value: unknown) => Report | null,
): Listed<Report> | null {
  const report = toReport(value)
  const { data } = item.safeParse(value)
  if (!report || !data) return null
  const createdAt = data.createdAt ? toDate(Date.parse(data.createdAt)) : null
  return { ...report, createdAt, scale: data.scale ?? null }
}

export function createHttpPager<Report extends object>(
  { call, timeoutMs }: ListOptions,
  name: 'payments' | 'refunds' | 'disputes',
  toReport: (value: unknown) => Report | null,
): Pager<Listed<Report>> {
  return async ({ since, until, cursor }) => {
    const query = new URLSearchParams({ since: since.toISOString(), ...(cursor !== null && { cursor }) })
    const request = { verb: 'list', id: name, path: `/${name}?${query}`, body: null, timeoutMs } as const
    const { status, bytes } = await call({ ...request, bytesMax: BYTES_MAX })
    if (status !== 200)
      throw new UnknownOutcomeError(`the upstream responded ${status} to a list`, {
        fault: toStatusFault(status),
      })
    const { data: page } = list.safeParse(parseJson(bytes, DEPTH_MAX))
    const items = page?.items.map((value) => toListed(value, toReport))
    const next = page?.next ?? null
    // If a page named its own cursor as the next one, the same page would be read forever.
    if (!items?.every((one) => one !== null) || (next !== null && next === cursor))
      throw new GarbledResponseError(`the response of the upstream is not a list of ${name}`)
    const isLater = ({ createdAt }: Listed<Report>) =>
      until !== undefined && createdAt !== null && createdAt > until
    // The oldest items come first, so the items of the following pages are later than `until` too.
    const isPastEnd = items.length > 0 && items.every(isLater)
    return { items: items.filter((one) => !isLater(one)), next: isPastEnd ? null : next }
  }
}
