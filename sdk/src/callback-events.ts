// Callbacks about refunds and disputes. They have no `status` and no `successful`, so that nothing written for payments
// takes one for a payment.
import type { Callback } from './callback.ts'
import type { DisputeState } from './records.ts'
import type { Mode } from './secret.ts'

export const CALLBACK_EVENTS = [
  'payment.result',
  'refund.result',
  'dispute.opened',
  'dispute.closed',
] as const
export type CallbackEvent = (typeof CALLBACK_EVENTS)[number]

interface EventCallbackFields {
  projectId: string
  transactionId: string
  /** Of the refund or dispute, in decimal digits of the currency's smallest unit. */
  amount: string
  currency: string
  /** Only if the payment had one. */
  customId?: string
  /** Only if the payment had one. */
  data?: string
  mode: Mode
  createdAt: string
  hash: string
}

export interface RefundCallback extends EventCallbackFields {
  event: 'refund.result'
  /** `returned`: the money was refunded and then came back. */
  refundStatus: 'succeeded' | 'failed' | 'returned'
  refundId: string
  /** What has been refunded of the payment in total. */
  refundedTotal: string
  failureCode?: string
}

export interface DisputeCallback extends EventCallbackFields {
  event: 'dispute.opened' | 'dispute.closed'
  disputeStatus: DisputeState
  disputeId: string
  /** Until when you can respond. */
  respondBy?: string
}

/** Told apart by `event`. */
export type AnyCallback = Callback | RefundCallback | DisputeCallback
