// Runs in every process. Notices that the database was restored or has lost writes: at the start and after a change of its
// timeline by comparing it with the upstream, and always by a payment of this process that is gone. A switchover without
// loss changes the timeline too, and closes nothing.
import { readTimeline } from '../db/gate-store.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { findPayment } from '../payments/payments-store.ts'
import { closeGate } from './close-gate.ts'
import { findLost } from './find-lost.ts'

/** After a check that failed because the upstream did not respond. It cannot charge either, so nothing is urgent. */
const RETRY_MS = 30_000

async function hasLostWrite({ db, lastWrite }: PaymentDeps): Promise<boolean> {
  const id = lastWrite.find()
  return id !== null && (await findPayment(db, id)) === null
}

/** Each call is one step. */
export function createRestoreWatch(deps: PaymentDeps): () => Promise<void> {
  let timeline: string | null = null
  let isCompared = false
  let retryMs = -Infinity

  async function compare(): Promise<void> {
    if (isCompared || deps.clock.nowMs() < retryMs) return
    retryMs = deps.clock.nowMs() + RETRY_MS
    const lost = await findLost(deps)
    isCompared = true
    retryMs = -Infinity
    if (!lost) return
    deps.log.error(lost, 'the upstream has what the database lacks')
    await closeGate(deps, { reason: 'upstream_ahead' })
  }

  return async () => {
    await deps.restoreGate.refresh()
    const current = await readTimeline(deps.db)
    if (current !== timeline) isCompared = false
    timeline = current
    if (deps.restoreGate.isClosed()) return
    if (await hasLostWrite(deps)) await closeGate(deps, { reason: 'write_lost' })
    else await compare()
  }
}
