// A refund returns all or part of a payment and does not change the state of the payment. A trigger in the database
// refuses a change of state that MOVES does not list.
import type { Mode, RefundOrigin, RefundState, RefundView } from '@pazar/contract'
import type { Installation } from '../db/installation-store.ts'
import { toRefundId } from '../lib/id.ts'

export const MOVES: Readonly<Record<RefundState, readonly RefundState[]>> = {
  processing: ['succeeded', 'failed'],
  // The bank can return the money of a successful refund.
  succeeded: ['returned'],
  failed: [],
  returned: [],
}

export interface Refund {
  /** If the service sends the refund, the id is also the idempotency key at the upstream. */
  id: string
  projectId: string
  transactionId: string
  mode: Mode
  amount: bigint
  currency: string
  scale: number | null
  state: RefundState
  origin: RefundOrigin
  /** The amount as requested. Null: everything that was left, or the refund was made at the upstream. */
  requestedAmount: bigint | null
  idempotencyKey: string | null
  reason: string | null
  /** The refunded charge, if it is not the payment's own: an operator named it, or the upstream reported it. */
  chargeRef: string | null
  upstreamRef: string | null
  /** The id under which the upstream finds a refund that was made at the upstream. Null: the id is `upstreamRef`. */
  lookupId: string | null
  pendingReason: string | null
  failureCode: string | null
  createdAt: Date
  completedAt: Date | null
  returnedAt: Date | null
}

export function toRefundView(
  refund: Refund,
  { scaleOfOldPayments }: Pick<Installation, 'scaleOfOldPayments'>,
): RefundView {
  return {
    id: toRefundId(refund.id),
    transactionId: refund.transactionId,
    projectId: refund.projectId,
    mode: refund.mode,
    amount: refund.amount.toString(),
    currency: refund.currency,
    scale: refund.scale ?? scaleOfOldPayments,
    state: refund.state,
    pendingReason: refund.state === 'processing' ? refund.pendingReason : null,
    reason: refund.reason,
    failureCode: refund.failureCode,
    origin: refund.origin,
    createdAt: refund.createdAt.toISOString(),
    completedAt: refund.completedAt?.toISOString() ?? null,
    returnedAt: refund.returnedAt?.toISOString() ?? null,
  }
}
