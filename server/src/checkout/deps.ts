import type { DeliveryWaits } from '../callbacks/await-delivery.ts'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { SealBox } from '../lib/seal.ts'
import type { PaymentDeps } from '../payments/deps.ts'

export interface CheckoutDeps extends PaymentDeps {
  /** Seals the form's attempt token and the cookie of the browser's last attempt. */
  attemptTokens: SealBox
  /** Lets the redirect of a payer who has paid wait a moment for the merchant to accept the callback. */
  deliveryWaits: DeliveryWaits
}

export function toCurrentCurrency({ config }: Pick<CheckoutDeps, 'config'>): CurrencyAndScale {
  return { currency: config.currency, scale: config.amountScale }
}
