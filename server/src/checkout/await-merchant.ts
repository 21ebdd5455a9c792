// Before a payer is redirected after a payment, the merchant gets a moment to accept the callback. A merchant who responds
// quickly then has the result before the payer arrives.
import { REDIRECT_WAIT_MAX_MS } from '@pazar/contract'
import type { CheckoutDeps } from './deps.ts'

export async function awaitMerchant(
  deps: Pick<CheckoutDeps, 'deliveryWaits'>,
  transactionId: string,
): Promise<void> {
  await deps.deliveryWaits.waitForDelivery(transactionId, REDIRECT_WAIT_MAX_MS)
}
