// Upstreams store these fields and return them in lists, so that payments and refunds can be rebuilt after a restore.
import type { Mode } from '@pazar/contract'

export interface Origin {
  installationId: string
  projectId: string
  mode: Mode
  attemptId: string
  /** Links the attempts of one checkout if there is no customId. */
  checkoutId: string | null
  customId: string | null
  data: string | null
  scale: number
  createdAt: Date
}

export interface RefundOrigin {
  installationId: string
  requestedBy: 'portal' | 'api'
  idempotencyKey: string | null
  /** Null: everything that had not been refunded yet. */
  requestedAmount: bigint | null
  reason: string | null
  createdAt: Date
}
