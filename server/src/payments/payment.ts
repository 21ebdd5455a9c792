// A payment's states and the transitions between them. Final states never change; a trigger in the database enforces the
// same transitions.
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
  /** Decimals that the amount was shown with; null: written by a release that did not store them. */
  scale: number | null
  customId: string | null
  data: string | null
  state: PaymentState
  failureCode: string | null
  actionUrl: string | null
  /** The upstream it was opened with; no other one knows it. */
  backend: string
  /** Its account; null: written by a release that did not store it. */
  upstreamAccount: string | null
  /** The upstream's own id of the charge, once it has reported one. */
  upstreamRef: string | null
  needsReview: boolean
  /** What an operator decided after a review. It outweighs the state in whether this counts as paid. */
  resolution: Resolution | null
  resolvedAt: Date | null
  createdAt: Date
}

/** What a payer confirms. Its attempt id makes the same form, sent twice, the same payment. */
export interface Order {
  attemptId: string
  /** Links the attempts of one checkout where no customId does. */
  checkoutId?: string | null
  projectId: string
  mode: Mode
  amount: bigint
  currency: string
  scale: number
  customId: string | null
  data: string | null
}

export function isPaid({ state, resolution }: Pick<Payment, 'state' | 'resolution'>): boolean {
  return resolution === null ? state === 'succeeded' : resolution === 'paid'
}

type Reviewed = Pick<Payment, 'state' | 'resolution' | 'needsReview'>

/**
 * The upstream reported a charge that does not match: after the end, or of another amount. Until an operator has decided,
 * it is unknown whether money was taken, so the order is held and no page says "not charged".
 */
export function isInReview(payment: Reviewed): boolean {
  return payment.needsReview && !isPaid(payment)
}

/** It ended and does not count as paid, so another payment of the order cannot charge twice. */
export function isUnpaid(payment: Reviewed): boolean {
  return isFinal(payment.state) && !isPaid(payment) && !payment.needsReview
}

/** Short enough to read out on the phone: the random end of the id, which a merchant's search finds. */
export function toReference(transactionId: string): string {
  const end = transactionId.replaceAll('-', '').slice(-10).toUpperCase()
  return `${end.slice(0, 5)}-${end.slice(5)}`
}
