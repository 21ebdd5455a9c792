// The upstream payment backend, as small as it can be. Whatever moves the money stands behind this interface; the
// transaction's id is its idempotency key on every call.
import type { Mode } from '@pazar/contract'

export interface NewCharge {
  id: string
  amount: bigint
  currency: string
  projectId: string
  mode: Mode
  customId: string | null
  data: string | null
  /** Where the payer comes back to from a page of the bank. */
  returnUrl: string
}

export interface Charge {
  id: string
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled'
  amount: bigint
  currency: string
  failureCode: string | null
  /** The bank's page, while the payer has to act there. */
  actionUrl: string | null
}

/** Nobody knows whether money moved: the payment stays open until the upstream has been asked. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
}

export interface Backend {
  create(charge: NewCharge): Promise<Charge>
  /** Null: the upstream has never heard of it. */
  find(id: string): Promise<Charge | null>
  /** After this answers `cancelled`, a charge under this id can never happen. It may answer that it already did. */
  cancel(id: string): Promise<Charge>
}
