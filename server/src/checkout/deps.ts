import type { DeliveryWaits } from '../callbacks/await-delivery.ts'
import type { Money } from '../db/installation-store.ts'
import type { SealBox } from '../lib/seal.ts'
import type { PaymentDeps } from '../payments/deps.ts'

export interface CheckoutDeps extends PaymentDeps {
  /** Seals the form's attempt token. */
  attemptTokens: SealBox
  /** Lets a paid payer's browser wait until the merchant has accepted the result. */
  deliveryWaits: DeliveryWaits
}

/** The currency and decimals in which a new payment is charged. */
export function moneyNow({ config }: Pick<CheckoutDeps, 'config'>): Money {
  return { currency: config.currency, scale: config.amountScale }
}
