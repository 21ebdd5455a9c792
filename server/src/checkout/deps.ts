import type { SealBox } from '../lib/seal.ts'
import type { PaymentDeps } from '../payments/deps.ts'

export interface CheckoutDeps extends PaymentDeps {
  /** Seals the form's attempt token. */
  attemptTokens: SealBox
}
