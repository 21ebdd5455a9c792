// The service's responses about payments, refunds, disputes and events. Amounts are decimal digits of the currency's
// smallest unit. Times are ISO 8601 in UTC.
import type { Mode } from './secret.ts'

export type TransactionState = 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'expired'
export type RefundState = 'processing' | 'succeeded' | 'failed' | 'returned'
export type RefundOrigin = 'portal' | 'api' | 'upstream'
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost'

export interface Transaction {
  readonly id: string
  /** The short form of `id` that payers see. */
  readonly reference: string
  readonly projectId: string
  readonly amount: string
  readonly currency: string
  /** How many decimals the amount has. */
  readonly scale: number
  readonly state: TransactionState
  /** Whether the payment counts as paid. */
  readonly successful: boolean
  readonly mode: Mode
  readonly customId: string | null
  readonly data: string | null
  readonly failureCode: string | null
  readonly needsReview: boolean
  readonly resolution: 'paid' | 'unpaid' | null
  readonly refunded: string
  /** The amount that can still be refunded. */
  readonly refundable: string
  readonly disputed: string
  /** The bank's reference for the charge. */
  readonly upstreamRef: string | null
  readonly createdAt: string
  readonly completedAt: string | null
}

export interface Refund {
  readonly id: string
  readonly transactionId: string
  readonly projectId: string
  readonly mode: Mode
  readonly amount: string
  readonly currency: string
  readonly state: RefundState
  readonly pendingReason: string | null
  readonly reason: string | null
  readonly failureCode: string | null
  readonly origin: RefundOrigin
  readonly createdAt: string
  readonly completedAt: string | null
}

export interface Dispute {
  readonly id: string
  readonly transactionId: string
  readonly amount: string
  readonly currency: string
  readonly state: DisputeState
  readonly reason: string | null
  readonly respondBy: string | null
  readonly openedAt: string
  readonly closedAt: string | null
}

export interface TransactionDetails {
  readonly transaction: Transaction
  /** Oldest first. */
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

interface CommonPayload {
  readonly amount: string
  readonly currency: string
  readonly scale: number
  readonly mode: Mode
  /** Null if the payment had no customId, or if the customId was erased. */
  readonly customId: string | null
  readonly data: string | null
}

interface EventFields {
  /** The same every time the event is read. */
  readonly id: string
  readonly at: string
  readonly transactionId: string
}

/** A change of a payment, refund or dispute, with its state at that time. */
export type FeedEvent = EventFields &
  (
    | {
        readonly type: 'payment.created' | 'payment.result' | 'payment.review'
        readonly payload: CommonPayload &
          Pick<
            Transaction,
            | 'state'
            | 'successful'
            | 'failureCode'
            | 'needsReview'
            | 'resolution'
            | 'upstreamRef'
            | 'createdAt'
            | 'completedAt'
          >
      }
    | {
        readonly type: 'refund.created' | 'refund.result'
        readonly refundId: string
        readonly payload: CommonPayload &
          Pick<Refund, 'state' | 'failureCode' | 'origin' | 'createdAt' | 'completedAt'> & {
            readonly refundedTotal: string
            readonly upstreamRef: string | null
          }
      }
    | {
        readonly type: 'dispute.opened' | 'dispute.closed'
        readonly disputeId: string
        readonly payload: CommonPayload &
          Pick<Dispute, 'state' | 'reason' | 'respondBy' | 'openedAt' | 'closedAt'>
      }
  )
