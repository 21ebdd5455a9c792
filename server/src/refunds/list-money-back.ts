import type { Queryable } from '../db/pool.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { listDisputes } from '../disputes/disputes-store.ts'
import { toDisputeId, toRefundId } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import type { Refund } from './refund.ts'
import { listRefunds } from './refunds-store.ts'

/** Returns one text for each refund and dispute, with its current state. */
export async function listMoneyBack(
  db: Queryable,
  { projectId, id, upstreamRef }: Pick<Payment, 'projectId' | 'id' | 'upstreamRef'>,
): Promise<string[]> {
  const refunds = await listRefunds(db, projectId, id)
  const disputes = await listDisputes(db, projectId, id)
  const toText = (name: string, one: Refund | Dispute) =>
    `${name} of ${one.amount} ${one.currency} (${one.chargeRef ?? upstreamRef ?? '-'}): ${one.state}`
  return [
    ...refunds.map((one) => toText(`refund ${toRefundId(one.id)}`, one)),
    ...disputes.map((one) => toText(`dispute ${toDisputeId(one.id)}`, one)),
  ]
}
