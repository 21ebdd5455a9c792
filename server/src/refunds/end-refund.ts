// Ends a refund. One transaction writes its state, the sums of its payment, its event, and its callback if the project
// receives one.
import { insertEvent } from '../callbacks/outbox-store.ts'
import type { Tx } from '../db/pool.ts'
import { newCallbackId, toRefundId } from '../lib/id.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { closeOpenIncident } from '../payments/incidents.ts'
import type { RefundedPayment } from '../payments/refund-sums-store.ts'
import { lockRefundedPayment } from '../payments/refund-sums-store.ts'
import { subscribesTo } from '../projects/projects-store.ts'
import { addRefundEvent } from './feed-entry.ts'
import type { RefundEnd } from './reactions.ts'
import type { Refund } from './refund.ts'
import type { End } from './refunds-store.ts'
import { writeEnd } from './refunds-store.ts'

/**
 * How much the new state adds to the refunded total of the payment. A refund of a charge that is not the payment's own adds
 * nothing.
 */
function toChange({ chargeRef, amount }: Refund, state: RefundEnd): bigint {
  if (chargeRef !== null || state === 'failed') return 0n
  return state === 'succeeded' ? amount : -amount
}

async function notify(
  deps: PaymentDeps,
  tx: Tx,
  refund: Refund,
  state: RefundEnd,
  { payment, sums }: RefundedPayment,
): Promise<void> {
  const refundedTotal = sums.refunded + toChange(refund, state)
  await addRefundEvent(tx, 'refund.result', refund, refundedTotal)
  if (!(await subscribesTo(tx, refund.projectId, 'refund.result'))) return
  await insertEvent(tx, {
    id: newCallbackId(deps.clock),
    event: 'refund.result',
    projectId: refund.projectId,
    transactionId: refund.transactionId,
    refundId: refund.id,
    disputeId: null,
    mode: refund.mode,
    result: state === 'succeeded' ? 'success' : 'fail',
    customId: payment.customId,
    facts: {
      refundStatus: state,
      projectId: refund.projectId,
      transactionId: refund.transactionId,
      refundId: toRefundId(refund.id),
      amount: refund.amount.toString(),
      refundedTotal: refundedTotal.toString(),
      currency: refund.currency,
      amountScale: refund.scale,
      customId: payment.customId,
      data: payment.data,
      mode: refund.mode,
      createdAt: refund.createdAt.toISOString(),
      failureCode: refund.failureCode,
    },
  })
}

/** Null: the refund has another state by now, and nothing changes. `alsoWrite` runs in the same transaction. */
export async function endRefund(
  deps: PaymentDeps,
  refund: Refund,
  end: End,
  alsoWrite?: (tx: Tx) => Promise<void>,
): Promise<Refund | null> {
  const ended = await deps.db.transaction(async (tx) => {
    const locked = await lockRefundedPayment(tx, refund.projectId, refund.transactionId)
    if (!locked) throw new Error(`the payment of refund ${refund.id} does not exist any more`)
    const written = await writeEnd(tx, refund, end)
    if (!written) return null
    await notify(deps, tx, written, end.state, locked)
    await closeOpenIncident(tx, 'refund_unresolved', written.id)
    await alsoWrite?.(tx)
    return written
  })
  if (ended) {
    deps.metrics.countRefundState(ended.mode, ended.state)
    deps.wakeDelivery()
  }
  return ended
}
