// Runs in every process. Notices that the database was restored or has lost writes: at the start and after a change of its
// timeline by comparing it with the upstream, and always by a payment of this process that is gone. A switchover without
// loss changes the timeline too, and closes nothing.
import { readTimeline } from '../db/gate-store.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { findPayment } from '../payments/payments-store.ts'
import { closeGate, findKnownUntil, finishClosing, SLACK_MS } from './close-gate.ts'
import { findLost } from './find-lost.ts'

/** After a check that failed because the upstream did not respond. It cannot charge either, so nothing is urgent. */
const RETRY_MS = 30_000

async function hasLostWrite({ db, lastWrite }: PaymentDeps): Promise<boolean> {
  const id = lastWrite.find()
  return id !== null && (await findPayment(db, id)) === null
}

/** Each call is one step. The first one is made before this process serves anybody. */
export function createRestoreWatch(deps: PaymentDeps): () => Promise<void> {
  let timeline: string | null = null
  let isCompared = false
  let retryMs = -Infinity
  /** Kept until a comparison has succeeded: rows that are made meanwhile say nothing about what was lost. */
  let knownUntil: Date | null = null
  /** When nothing was lost. */
  let completeMs = Infinity

  async function takeKnownUntil(): Promise<Date | null> {
    const newest = await findKnownUntil(deps)
    return newest && toDate(Math.min(newest.getTime(), completeMs - SLACK_MS))
  }

  async function compare(): Promise<void> {
    if (isCompared || deps.clock.nowMs() < retryMs) return
    retryMs = deps.clock.nowMs() + RETRY_MS
    const lost = await findLost(deps, knownUntil)
    retryMs = -Infinity
    if (lost) {
      deps.log.error(lost, 'the upstream has what the database lacks')
      await closeGate(deps, { reason: 'upstream_ahead', since: knownUntil })
    }
    // Last: a loss is not forgotten because the gate could not be closed.
    isCompared = true
  }

  async function check(): Promise<void> {
    if (deps.restoreGate.isClosed()) {
      // The operator's run compares everything, so that what this process knew closes nothing after it.
      deps.lastWrite.forget()
      isCompared = true
      await finishClosing(deps)
      return
    }
    if (await hasLostWrite(deps))
      await closeGate(deps, { reason: 'write_lost', since: isCompared ? await takeKnownUntil() : knownUntil })
    else await compare()
  }

  return async () => {
    const startMs = deps.clock.nowMs()
    await deps.restoreGate.refresh()
    const current = await readTimeline(deps.db)
    if (current !== timeline) {
      if (isCompared || timeline === null) knownUntil = await takeKnownUntil()
      isCompared = false
      retryMs = -Infinity
    }
    timeline = current
    await check()
    if (isCompared) completeMs = startMs
  }
}
