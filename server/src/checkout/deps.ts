import type { DeliveryWaits } from '../callbacks/await-delivery.ts'
import type { SealBox } from '../lib/seal.ts'
import type { PaymentDeps } from '../payments/deps.ts'

export interface CheckoutDeps extends PaymentDeps {
  /** Seals the form's attempt token. */
  attemptTokens: SealBox
  /** Holds a payer's way back until the shop has accepted the result. */
  deliveryWaits: DeliveryWaits
}
