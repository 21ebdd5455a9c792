// Lookups of refunds and an operator's bulk lookups use the same budget as lookups of payments. So together they cannot
// exhaust the upstream's rate limit.
import type { PaymentDeps } from './deps.ts'
import { lockBudget, saveBudget } from './lookup-budget-store.ts'
import { refill, spend, toWaitingMax } from './lookup-budget.ts'
import { findQuota } from './upstream.ts'

/** Claims lookups, and returns how many of the requested ones the upstream's quota allows now. */
export async function claimLookups(deps: PaymentDeps, backend: string, requested: number): Promise<number> {
  const quota = findQuota(deps, backend)
  if (!quota) return requested
  return deps.db.transaction(async (tx) => {
    const stored = await lockBudget(tx, backend, null)
    const budget = refill(stored, quota, stored.elapsedMs)
    // None of these lookups is urgent, so all of them count as lookups of waiting payments.
    const allowed = Math.min(requested, toWaitingMax(budget, 0))
    await saveBudget(tx, backend, spend(budget, 0, allowed), stored.nowMs)
    return allowed
  })
}
