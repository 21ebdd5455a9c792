// Callbacks about refunds and disputes. They have neither `status` nor `successful`, unlike payments.
import type { Callback, CommonCallbackFields } from './callback-build.ts'
import type { DisputeState } from './records.ts'

export type CallbackEvent = 'payment.result' | 'refund.result' | 'dispute.opened' | 'dispute.closed'

export interface RefundCallback extends CommonCallbackFields {
  event: 'refund.result'
  /** `returned`: the money was refunded, and then the bank sent it back to the merchant. */
  refundStatus: 'succeeded' | 'failed' | 'returned'
  refundId: string
  /** How much of the payment has been refunded in total. */
  refundedTotal: string
  failureCode?: string
}

export interface DisputeCallback extends CommonCallbackFields {
  event: 'dispute.opened' | 'dispute.closed'
  disputeStatus: DisputeState
  disputeId: string
  /** By when the bank must have the operator's response. */
  respondBy?: string
}

/** Check `event` to know the kind of callback. */
export type AnyCallback = Callback | RefundCallback | DisputeCallback
