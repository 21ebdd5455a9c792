// How a refund reacts to each report of its upstream.
import type { RefundState } from '@pazar/contract'
import type { RefundReport } from '../backends/backend.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import type { Refund } from './refund.ts'

export const REFUND_EVENTS = [
  'succeeded', // Refunded, with the right payment and amount.
  'failed', // Refused, or the money came back.
  'pending',
  'mismatched', // The payment, amount or currency is not as requested. For a failed refund, the amount does not matter.
  'absent', // The upstream has no such refund, but a request may still be on its way.
  'absent_for_good', // The upstream has no such refund, and it is too late for a request to arrive.
  'garbled', // The HTTP status is a success, but the response does not contain this refund.
  'no_response', // Nothing usable came back.
] as const
export type RefundEvent = (typeof REFUND_EVENTS)[number]

export type RefundEnd = Exclude<RefundState, 'processing'>

export type RefundReaction =
  | { act: 'end'; state: RefundEnd }
  /** The upstream is still processing the refund. */
  | { act: 'wait' }
  /** The refund is sent again under the same idempotency key, so that it cannot happen twice. */
  | { act: 'send' }
  | { act: 'keep' }
  /** Money moved although the refund ended as failed. A second refund with the origin `upstream` records the money. */
  | { act: 'adopt' }
  | { act: 'raise'; kind: IncidentKind }
  /** The operator is notified and must decide. Until that decision, merchants cannot refund more of the payment. */
  | { act: 'review'; kind: IncidentKind }

const KEEP: RefundReaction = { act: 'keep' }
const MISMATCH: RefundReaction = { act: 'review', kind: 'refund_mismatch' }
const CONTRADICTION: RefundReaction = { act: 'review', kind: 'refund_contradiction' }

export const REFUND_REACTIONS: Readonly<Record<RefundState, Readonly<Record<RefundEvent, RefundReaction>>>> =
  {
    processing: {
      succeeded: { act: 'end', state: 'succeeded' },
      failed: { act: 'end', state: 'failed' },
      pending: { act: 'wait' },
      mismatched: MISMATCH,
      absent: { act: 'send' },
      absent_for_good: { act: 'end', state: 'failed' },
      garbled: { act: 'raise', kind: 'refund_mismatch' },
      no_response: KEEP,
    },
    succeeded: {
      succeeded: KEEP,
      failed: { act: 'end', state: 'returned' },
      // This report is late: it describes the refund as it was before its end.
      pending: KEEP,
      mismatched: MISMATCH,
      absent: CONTRADICTION,
      absent_for_good: CONTRADICTION,
      garbled: KEEP,
      no_response: KEEP,
    },
    failed: {
      succeeded: { act: 'adopt' },
      failed: KEEP,
      // The refund may still succeed. If it does, it is adopted.
      pending: { act: 'raise', kind: 'refund_contradiction' },
      mismatched: MISMATCH,
      absent: KEEP,
      absent_for_good: KEEP,
      garbled: KEEP,
      no_response: KEEP,
    },
    returned: {
      succeeded: CONTRADICTION,
      failed: KEEP,
      pending: KEEP,
      mismatched: MISMATCH,
      absent: KEEP,
      absent_for_good: KEEP,
      garbled: KEEP,
      no_response: KEEP,
    },
  }

export type Report =
  | RefundReport
  | Extract<RefundEvent, 'absent' | 'absent_for_good' | 'garbled' | 'no_response'>

export function toRefundEvent(refund: Refund, report: Report): RefundEvent {
  if (typeof report === 'string') return report
  // The upstream must return our id, unless the refund was made there. Another id belongs to another refund.
  if (report.id !== null && report.id !== refund.id && refund.origin !== 'upstream') return 'garbled'
  const isSameRefund =
    (report.paymentId === null || report.paymentId === refund.transactionId) &&
    // A failed refund moved no money, so its amount does not matter. If any amount moves later, that amount is adopted.
    (report.amount === refund.amount || refund.state === 'failed') &&
    report.currency === refund.currency
  return isSameRefund ? report.status : 'mismatched'
}
