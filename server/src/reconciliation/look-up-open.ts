// Before anything is adopted: an open payment of ours may have ended long ago, and its order may have been paid by one that
// we lack. If it still held the order, the one that paid would be a duplicate, and a late fail would be sent for a paid order.
import type { Backend } from '../backends/backend.ts'
import { listOpenOf } from '../payments/checks-store.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { closeNow, lookUpNow } from '../payments/lookup-now.ts'
import { waitForQuota } from './read-lists.ts'

/** While the gate is closed nothing is on its way, so a payment that the upstream does not know is closed there. */
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
