// A dispute: the payer asks their bank for the money back. Only upstreams report disputes.
import type { DisputeState, DisputeView, Mode } from '@pazar/contract'
import type { Installation } from '../db/installation-store.ts'
import { toDisputeId } from '../lib/id.ts'

export interface Dispute {
  id: string
  projectId: string
  transactionId: string
  mode: Mode
  amount: bigint
  currency: string
  scale: number | null
  state: DisputeState
  reason: string | null
  respondBy: Date | null
  /**
   * The disputed charge, if the payment succeeded with a different charge. Otherwise null. If this is set, the dispute
   * changes neither the disputed amount of the payment nor the ledger.
   */
  chargeRef: string | null
  upstreamRef: string
  openedAt: Date
  closedAt: Date | null
}

export function isClosed(state: DisputeState): state is 'won' | 'lost' {
  return state === 'won' || state === 'lost'
}

export function toDisputeView(
  dispute: Dispute,
  { scaleOfOldPayments }: Pick<Installation, 'scaleOfOldPayments'>,
): DisputeView {
  return {
    id: toDisputeId(dispute.id),
    transactionId: dispute.transactionId,
    amount: dispute.amount.toString(),
    currency: dispute.currency,
    scale: dispute.scale ?? scaleOfOldPayments,
    state: dispute.state,
    reason: dispute.reason,
    respondBy: dispute.respondBy?.toISOString() ?? null,
    openedAt: dispute.openedAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString() ?? null,
  }
}
