// Runs in every process and notices that the database was restored or has lost writes. PostgreSQL starts a new timeline
// at a failover and after a recovery from archived WAL. At the start and after a change of the timeline, the database
// is compared with the upstreams. Every step checks that the last live payment of this process is still stored.
import { readTimeline } from '../db/gate-store.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { findPayment } from '../payments/payments-store.ts'
import { closeGate, findKnownUntil, findNewestAt, finishClosing, SLACK_MS } from './close-gate.ts'
import { findLost } from './find-lost.ts'
import { UncheckableError } from './read-lists.ts'

/** The pause after a failed comparison. An upstream that does not respond cannot charge either, so nothing is urgent. */
const RETRY_MS = 30_000
/** The pause after a list that did not end. Each attempt reads a thousand pages, in every process. */
const ENDLESS_RETRY_MS = 10 * 60_000

async function hasLostWrite({ db, lastWrite }: PaymentDeps): Promise<boolean> {
  const id = lastWrite.find()
  return id !== null && (await findPayment(db, id)) === null
}

/** Each call of the returned function is one step. */
export function createRestoreWatch(deps: PaymentDeps): () => Promise<void> {
  let timeline: string | null = null
  let isCompared = false
  let retryAtMs = -Infinity
  /** Entries from this time on are compared. Until a comparison has succeeded, the time does not change. */
  let knownUntil = toDate(0)
  /** Whether the database had a payment or refund when `knownUntil` was computed. */
  let hasOwnRows = false
  /** The start time of the latest step that left nothing to compare. Infinity: there was no such step yet. */
  let completeMs = Infinity

  async function computeKnownUntil(): Promise<Date> {
    const newest = await findKnownUntil(deps)
    return toDate(Math.min(newest.getTime(), completeMs - SLACK_MS))
  }

  async function compare(): Promise<void> {
    if (isCompared || deps.clock.nowMs() < retryAtMs) return
    retryAtMs = deps.clock.nowMs() + RETRY_MS
    const lost = await findLost(deps, knownUntil).catch((error: unknown) => {
      if (error instanceof UncheckableError) {
        retryAtMs = deps.clock.nowMs() + ENDLESS_RETRY_MS
        // Without a payment or refund of ours, the list begins at our first start. If such a list does not end, it is full of
        // entries of other installations, so reading it again would not help.
        if (!hasOwnRows) isCompared = true
      }
      throw error
    })
    // An upstream has not said whether it has lists, for example because it has not started yet after a restore, and its
    // proxy responds 404 to /info. A later step compares again.
    if (lost === 'unstated') return
    retryAtMs = -Infinity
    if (lost) {
      deps.log.error(lost, 'the upstream has an entry that the database lacks')
      await closeGate(deps, { reason: 'upstream_ahead', since: knownUntil })
    }
    // Set last, so that the comparison is repeated if the gate could not be closed.
    isCompared = true
  }

  async function checkForRestore(): Promise<void> {
    if (deps.restoreGate.isClosed()) {
      // The operator's reconcile run compares everything, so this process must not close the gate again afterwards.
      deps.lastWrite.forget()
      isCompared = true
      await finishClosing(deps)
      return
    }
    if (await hasLostWrite(deps))
      await closeGate(deps, {
        reason: 'write_lost',
        since: isCompared ? await computeKnownUntil() : knownUntil,
      })
    else await compare()
  }

  return async () => {
    const startMs = deps.clock.nowMs()
    await deps.restoreGate.refresh()
    const current = await readTimeline(deps.db)
    if (current !== timeline) {
      if (isCompared || timeline === null) {
        knownUntil = await computeKnownUntil()
        hasOwnRows = (await findNewestAt(deps.db)) !== null
      }
      isCompared = false
      retryAtMs = -Infinity
    }
    timeline = current
    await checkForRestore()
    if (isCompared) completeMs = startMs
  }
}
