import type { DeliveryWaits } from '../callbacks/await-delivery.ts'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { SealBox } from '../lib/seal.ts'
import type { PaymentDeps } from '../payments/deps.ts'

export interface CheckoutDeps extends PaymentDeps {
  /** Seals the form's attempt token, and the cookies with a browser's last attempt for each link. */
  attemptTokens: SealBox
  /** Delays the redirect after a successful payment for a moment, so that the merchant can accept the callback first. */
  deliveryWaits: DeliveryWaits
}

export function toCurrentCurrency({ config }: Pick<CheckoutDeps, 'config'>): CurrencyAndScale {
  return { currency: config.currency, scale: config.amountScale }
}
