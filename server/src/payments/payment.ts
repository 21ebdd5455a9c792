// The states of a payment, and the allowed transitions (MOVES), which a trigger in the database enforces too.
import type { Mode, Resolution } from '@pazar/contract'

export const PAYMENT_STATES = ['processing', 'requires_action', 'succeeded', 'failed', 'expired'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

export const MOVES: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  processing: ['requires_action', 'succeeded', 'failed'],
  requires_action: ['succeeded', 'failed', 'expired'],
  succeeded: [],
  failed: [],
  expired: [],
}

export function isFinal(state: PaymentState): boolean {
  return MOVES[state].length === 0
}

export interface Payment {
  id: string
  projectId: string
  mode: Mode
  amount: bigint
  currency: string
  /** The number of decimals with which the amount was shown. Null: a release without this column stored the payment. */
  scale: number | null
  customId: string | null
  data: string | null
  /**
   * True: the link was signed, so the merchant wrote customId and data. False: the link was not signed, or this is not
   * known.
   */
  isLinkSigned: boolean
  state: PaymentState
  failureCode: string | null
  actionUrl: string | null
  /** The upstream that the payment was opened with. No other upstream knows the payment. */
  backend: string
  /** The account at that upstream. Null: a release without this column stored the payment. */
  upstreamAccount: string | null
  /** The upstream's own id of the charge; null until the upstream has reported it. */
  upstreamRef: string | null
  needsReview: boolean
  /** An operator's decision after a review. It decides, instead of the state, whether the payment counts as paid. */
  resolution: Resolution | null
  resolvedAt: Date | null
  createdAt: Date
}

/** What a payer confirms. If a form is sent twice, only one payment is opened, because the attempt id is the same. */
export interface Order {
  attemptId: string
  /** Links the attempts of one checkout if there is no customId. */
  checkoutId?: string | null
  projectId: string
  mode: Mode
  amount: bigint
  currency: string
  scale: number
  customId: string | null
  data: string | null
  /** Whether the merchant signed the link, so that customId and data can be shown to payers. */
  isLinkSigned?: boolean
  /** The registered name of the project if its owner is verified. The upstream may show it. */
  merchantName?: string | null
}

/**
 * Whether the payment is for this order, and not for another order with the same customId. The data of an erased payment
 * is not known any more, so only the amount is compared.
 */
export function isSameOrder(
  payment: Pick<Order, 'amount' | 'data'> & { isErased: boolean },
  order: Pick<Order, 'amount' | 'data'>,
): boolean {
  return payment.amount === order.amount && (payment.isErased || payment.data === order.data)
}

export function isPaid({ state, resolution }: Pick<Payment, 'state' | 'resolution'>): boolean {
  return resolution === null ? state === 'succeeded' : resolution === 'paid'
}

type Reviewed = Pick<Payment, 'state' | 'resolution' | 'needsReview'>

/**
 * An operator has to decide whether the payment counts as paid. The payer may have been charged. So until the operator
 * decides, no other payment of the order can be opened, and no page says "not charged".
 */
export function isInReview(payment: Reviewed): boolean {
  return payment.needsReview && !isPaid(payment)
}

/** The payment has ended, does not count as paid and is not in review. So the order may be paid again. */
export function isUnpaid(payment: Reviewed): boolean {
  return isFinal(payment.state) && !isPaid(payment) && !payment.needsReview
}

/** Returns `chargeId` if the payment has succeeded with another charge (`upstreamRef`). Otherwise null. */
export function toOtherCharge(
  { state, upstreamRef }: Pick<Payment, 'state' | 'upstreamRef'>,
  chargeId: string | null,
): string | null {
  return state === 'succeeded' && upstreamRef !== null && chargeId !== upstreamRef ? chargeId : null
}

/** The random end of the id, short enough to read out on the phone. A merchant can search for it. */
export function toReference(transactionId: string): string {
  const end = transactionId.replaceAll('-', '').slice(-10).toUpperCase()
  return `${end.slice(0, 5)}-${end.slice(5)}`
}
