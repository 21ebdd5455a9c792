// What a payer got back of a payment: refunds of the merchant, and disputes that the bank decided in favour of the payer.
import type { Queryable } from '../db/pool.ts'
import { listDisputes } from '../disputes/disputes-store.ts'
import { listRefunds } from '../refunds/refunds-store.ts'
import type { ShownPayment } from './shown-payment.ts'

export interface MoneyBack {
  refunded: bigint
  /** When the last successful refund of the payment's own charge ended. */
  refundedAt: Date | null
  refunding: bigint
  /** The sum of lost disputes: the bank returned this money to the payer. */
  byBank: bigint
  byBankAt: Date | null
}

const toLatest = (dates: readonly (Date | null)[]) =>
  dates.reduce((latest, one) => (one && (!latest || one > latest) ? one : latest), null)

/** Null: nothing was returned, and no refund is in progress. */
export async function findMoneyBack(
  db: Queryable,
  { id, projectId, sums }: Pick<ShownPayment, 'id' | 'projectId' | 'sums'>,
): Promise<MoneyBack | null> {
  const { refunded, processing, disputed } = sums
  const refunds = refunded > 0n ? await listRefunds(db, projectId, id) : []
  // A refund or dispute with a `chargeRef` is not of the payment's own charge, but of another charge.
  const lost = (disputed > 0n ? await listDisputes(db, projectId, id) : []).filter(
    ({ state, chargeRef }) => state === 'lost' && chargeRef === null,
  )
  if (refunded === 0n && processing === 0n && lost.length === 0) return null
  const ended = refunds.filter(({ state, chargeRef }) => state === 'succeeded' && chargeRef === null)
  return {
    refunded,
    refundedAt: toLatest(ended.map(({ completedAt }) => completedAt)),
    refunding: processing,
    byBank: lost.reduce((sum, { amount }) => sum + amount, 0n),
    byBankAt: toLatest(lost.map(({ closedAt }) => closedAt)),
  }
}

/** The amount less all returned money. Never below 0, even if an upstream reports that more was returned than paid. */
export function toNet(amount: bigint, { refunded, byBank }: Pick<MoneyBack, 'refunded' | 'byBank'>): bigint {
  const net = amount - refunded - byBank
  return net > 0n ? net : 0n
}
