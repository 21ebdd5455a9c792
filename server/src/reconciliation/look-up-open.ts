// Looks up our open payments before lost payments are adopted. A lost payment is at the upstream but not in the database. An
// open payment may have failed long ago, and a lost payment may have paid the same order. Without the lookup, the lost
// payment would be stored as a duplicate.
import type { Backend } from '../backends/backend.ts'
import { listOpenOf } from '../payments/checks-store.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { closeNow, lookUpNow } from '../payments/lookup-now.ts'
import { waitForQuota } from './read-lists.ts'

/**
 * While the restore gate is closed, payments are stopped and no request is in progress. So a payment that the upstream does
 * not know can be closed.
 */
export async function lookUpOpen(
  deps: PaymentDeps,
  backend: Backend,
  isGateClosed: boolean,
): Promise<{ updated: number; failed: number }> {
  let updated = 0
  let failed = 0
  for (const open of await listOpenOf(deps.db, backend.name)) {
    await waitForQuota(deps, backend)
    const found = await lookUpNow(deps, open)
    const isUnknown = isGateClosed && found.reported === 'unknown'
    const { payment, reported } = isUnknown ? await closeNow(deps, open) : found
    if (reported === 'no response') failed += 1
    else if (payment.state !== open.state) updated += 1
  }
  return { updated, failed }
}
