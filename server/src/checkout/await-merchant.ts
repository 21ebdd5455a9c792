// Before a paid payer's browser goes back, the merchant gets a moment to accept the callback: if they respond quickly,
// they already have the result when the payer arrives.
import { REDIRECT_WAIT_MAX_MS } from '@pazar/contract'
import type { CheckoutDeps } from './deps.ts'

export async function awaitMerchant(
  deps: Pick<CheckoutDeps, 'deliveryWaits'>,
  transactionId: string,
): Promise<void> {
  await deps.deliveryWaits.waitForDelivery(transactionId, REDIRECT_WAIT_MAX_MS)
}
