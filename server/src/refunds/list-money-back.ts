// Lists the refunds and disputes of a payment, for the operator who decides whether its order counts as paid.
import type { Queryable } from '../db/pool.ts'
import { listDisputes } from '../disputes/disputes-store.ts'
import { toDisputeId, toRefundId } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { listRefunds } from './refunds-store.ts'

/** One text for each refund and dispute, with its current state. */
export async function listMoneyBack(
  db: Queryable,
  { projectId, id, upstreamRef }: Pick<Payment, 'projectId' | 'id' | 'upstreamRef'>,
): Promise<string[]> {
  const refunds = await listRefunds(db, projectId, id)
  const disputes = await listDisputes(db, projectId, id)
  return [
    ...refunds.map(
      (one) =>
        `refund ${toRefundId(one.id)} of ${one.amount} ${one.currency} (${one.chargeRef ?? upstreamRef ?? '-'}): ${one.state}`,
    ),
    ...disputes.map((one) => `dispute ${toDisputeId(one.id)} of ${one.amount} ${one.currency}: ${one.state}`),
  ]
}
