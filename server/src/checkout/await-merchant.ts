// Waits a moment before the redirect, so that a quick merchant has the callback before the payer arrives.
import { REDIRECT_WAIT_MAX_MS } from '@pazar/contract'
import type { CheckoutDeps } from './deps.ts'

export async function awaitMerchant(
  deps: Pick<CheckoutDeps, 'deliveryWaits'>,
  transactionId: string,
): Promise<void> {
  await deps.deliveryWaits.waitForDelivery(transactionId, REDIRECT_WAIT_MAX_MS)
}
