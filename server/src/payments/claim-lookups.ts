// Claims lookups that can wait: lookups of refunds, an operator's bulk lookups, and requests for the upstream's lists. All
// these requests share the upstream's budget with the lookups of payments, so that together they stay within the upstream's
// rate limit.
import type { PaymentDeps } from './deps.ts'
import { lockBudget, saveBudget } from './lookup-budget-store.ts'
import { refill, spend, toWaitingMax } from './lookup-budget.ts'
import { findQuota } from './upstream.ts'

/** Returns how many of the requested lookups were claimed. */
export async function claimLookups(deps: PaymentDeps, backend: string, requested: number): Promise<number> {
  const quota = findQuota(deps, backend)
  if (!quota) return requested
  return deps.db.transaction(async (tx) => {
    const stored = await lockBudget(tx, backend, null)
    const budget = refill(stored, quota, stored.elapsedMs)
    const allowed = Math.min(requested, toWaitingMax(budget, 0))
    await saveBudget(tx, backend, spend(budget, 0, allowed), stored.nowMs)
    return allowed
  })
}
