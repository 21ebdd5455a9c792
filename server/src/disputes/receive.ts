// Upstreams report disputes in webhooks. The upstreams' lists are polled too, because a webhook can be lost.
import type { Backend, BackendDisputes, DisputeReport } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { listBackends } from '../payments/upstream.ts'
import { findPaymentOf } from '../payments/webhook/receive.ts'
import { findOldestOpenAt } from './disputes-store.ts'
import { recordDispute } from './record-dispute.ts'

/** False: this upstream has no payment of ours with the reported id. */
export async function receiveDispute(
  deps: PaymentDeps,
  backend: Backend,
  report: DisputeReport,
  findPayment = findPaymentOf,
): Promise<boolean> {
  const payment = await findPayment(deps, backend, report)
  // A report may have no payment id, because the upstream account may also have charges that Pazar did not create.
  if (!payment) return report.paymentId === null
  await recordDispute(deps, payment, report)
  return true
}

/** How often the loop checks which upstreams are due; each upstream has its own pollMs. */
export const DISPUTES_POLL_MS = 1_000
/** The first poll of a process reads at least this far back. */
const FIRST_MS = 3 * 24 * 3_600_000
/** Polls overlap by this much, because the clocks of upstreams differ from ours. */
const OVERLAP_MS = 10 * 60_000
/**
 * How often a poll goes back to the oldest open dispute, because the webhook about the end of that dispute may have been
 * lost. An upstream that is only for test mode is not polled that far back.
 */
const ENDS_MS = 24 * 3_600_000
/** Limits how long one poll takes; the next poll continues with the following page. */
const PAGES_MAX = 100

/** The part of an upstream's list that the next poll reads. */
interface Unread {
  sinceMs: number
  /** Null: the list is read from its beginning. */
  cursor: string | null
  /** When the first page was read. */
  beganMs: number
}

export function createDisputePoll(deps: PaymentDeps): () => Promise<void> {
  const polled = new Map<Backend, { atMs: number; unread: Unread }>()
  const endsReadMs = new Map<Backend, number>()

  async function chooseSince(backend: Backend, sinceMs: number, nowMs: number): Promise<number> {
    const isTest = backend === deps.backends.test && backend !== deps.backends.live
    if (isTest || nowMs - (endsReadMs.get(backend) ?? -Infinity) < ENDS_MS) return sinceMs
    const oldest = await findOldestOpenAt(deps.db)
    endsReadMs.set(backend, nowMs)
    // The upstream may have opened the dispute earlier than it reported the dispute here.
    return oldest ? Math.min(sinceMs, oldest.getTime() - FIRST_MS) : sinceMs
  }

  /** Returns the cursor of the first page that was not read. Null: every page was read. */
  async function pollUpstream(
    backend: Backend,
    { list }: BackendDisputes,
    { sinceMs, cursor: first }: Unread,
  ): Promise<string | null> {
    let cursor = first
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const page = await list({ since: toDate(sinceMs), cursor })
      for (const report of page.items) await receiveDispute(deps, backend, report)
      cursor = page.next
      if (cursor === null) return null
    }
    return cursor
  }

  /**
   * Returns what the next poll reads: the remaining pages, if there are any. Otherwise it reads the disputes since shortly
   * before the first page was read. Disputes that were opened after the first page was read may be missing from all pages.
   */
  function toUnread(read: Unread, cursor: string | null): Unread {
    if (cursor !== null) return { ...read, cursor }
    return { sinceMs: read.beganMs - OVERLAP_MS, cursor: null, beganMs: read.beganMs }
  }

  return async () => {
    for (const backend of listBackends(deps.backends)) {
      if (!backend.disputes) continue
      const nowMs = deps.clock.nowMs()
      const last = polled.get(backend)
      if (last && nowMs - last.atMs < backend.disputes.pollMs) continue
      const { sinceMs, cursor, beganMs } = last?.unread ?? {
        sinceMs: nowMs - FIRST_MS,
        cursor: null,
        beganMs: nowMs,
      }
      const unread = { sinceMs, cursor, beganMs: cursor === null ? nowMs : beganMs }
      try {
        if (cursor === null) unread.sinceMs = await chooseSince(backend, sinceMs, nowMs)
        if (!(await backend.disputes.isOffered())) {
          // During an outage, a proxy may respond with 404, and the upstream then seems to offer no disputes. So the next
          // poll reads the same part.
          polled.set(backend, { atMs: nowMs, unread })
          continue
        }
        const next = await pollUpstream(backend, backend.disputes, unread)
        polled.set(backend, { atMs: nowMs, unread: toUnread(unread, next) })
        if (next !== null)
          deps.log.warn(
            { backend: backend.name, pages: PAGES_MAX },
            'an upstream lists more disputes than one poll reads; the next poll continues',
          )
      } catch (error) {
        // The upstream may no longer accept the cursor, so the next poll reads the list from its beginning.
        polled.set(backend, { atMs: nowMs, unread: { ...unread, cursor: null } })
        deps.log.warn({ err: error, backend: backend.name }, 'polling the disputes of an upstream failed')
      }
    }
  }
}
