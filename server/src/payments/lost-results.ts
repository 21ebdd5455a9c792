// Finds the lost results of the last days: payments that ended and have no callback, and callbacks that are marked as
// delivered although no attempt was accepted. Nothing else would notice them, because only queued callbacks are retried.
import { findLostResults } from '../callbacks/lost-store.ts'
import type { LostResult } from '../callbacks/lost-store.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'
import { listEndedPayments } from './lost-results-store.ts'

export const LOST_RESULTS_POLL_MS = 24 * 60 * 60_000

type CheckDeps = Pick<PaymentDeps, 'config' | 'db'>

export interface LostResultsCheck {
  checked: number
  lost: LostResult[]
}

export async function checkLostResults(deps: CheckDeps): Promise<LostResultsCheck> {
  const lost: LostResult[] = []
  let checked = 0
  let after: string | null = null
  for (;;) {
    const ended = await listEndedPayments(deps.db, after)
    if (ended.ids.length > 0)
      lost.push(...(await findLostResults(deps.db, ended.ids, deps.config.attemptRetentionDays)))
    checked += ended.ids.length
    if (ended.after === null) return { checked, lost }
    after = ended.after
  }
}

/** Raises one incident a day, however many results are lost, because they usually have one cause. */
export async function reportLostResults(deps: PaymentDeps): Promise<LostResultsCheck> {
  const found = await checkLostResults(deps)
  const [first] = found.lost
  if (first)
    await raiseIncident(deps, {
      kind: 'callbacks_lost',
      transactionId: null,
      subject: toDate(deps.clock.nowMs()).toISOString().slice(0, 10),
      facts: { count: String(found.lost.length), payment: first.transactionId, callback: first.callbackId },
    })
  return found
}
