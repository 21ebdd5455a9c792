import type { Tx } from '../db/pool.ts'
import { addEvent } from '../feed/inbox-store.ts'
import { toRefundId } from '../lib/id.ts'
import type { Refund } from './refund.ts'

export async function addRefundEvent(
  tx: Tx,
  type: 'refund.created' | 'refund.result',
  refund: Refund,
  refundedTotal: bigint,
): Promise<void> {
  await addEvent(tx, {
    type,
    projectId: refund.projectId,
    mode: refund.mode,
    transactionId: refund.transactionId,
    refundId: toRefundId(refund.id),
    facts: {
      amount: refund.amount.toString(),
      state: refund.state,
      failureCode: refund.failureCode,
      origin: refund.origin,
      refundedTotal: refundedTotal.toString(),
      upstreamRef: refund.upstreamRef,
      createdAt: refund.createdAt.toISOString(),
      completedAt: refund.completedAt?.toISOString() ?? null,
      // Only the ledger uses this field: it posts nothing for a refund of a charge that is not the payment's own. The API hides
      // the field.
      ...(refund.chargeRef !== null && { chargeRef: refund.chargeRef }),
    },
  })
}
