// An operator who asks about many payments at once spends from the same budget as the reconciler: payers come first.
import type { PaymentDeps } from './deps.ts'
import { lockBudget, saveBudget } from './lookup-budget-store.ts'
import { refill, spend, toWaitingMax } from './lookup-budget.ts'
import { findQuota } from './upstream.ts'

/** How many of the wanted lookups the upstream's quota allows now. */
export async function takeLookups(deps: PaymentDeps, backend: string, wanted: number): Promise<number> {
  const quota = findQuota(deps, backend)
  if (!quota) return wanted
  return deps.db.transaction(async (tx) => {
    const stored = await lockBudget(tx, backend, null)
    const budget = refill(stored, quota, stored.elapsedMs)
    const taken = Math.min(wanted, toWaitingMax(budget, 0))
    await saveBudget(tx, backend, spend(budget, 0, taken), stored.nowMs)
    return taken
  })
}
