// How a payment reacts to each report of its upstream.
import type { Charge } from '../backends/backend.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import type { Payment, PaymentState } from './payment.ts'
import { isFinal } from './payment.ts'

export const UPSTREAM_EVENTS = [
  'charged', // Charged, and the report matches the payment.
  'charged_again', // Charged, but with another charge id than the stored one.
  'charged_differently', // Charged, but with another amount, currency or project than the payment has.
  'mismatched', // Not charged, and the amount, currency or project is wrong. Or the report is about another payment.
  'declined',
  'cancelled', // The upstream guarantees that no charge can happen any more.
  'action_required',
  'pending',
  'garbled', // The HTTP status is a success, but the response contains no valid payment.
  'no_response', // Nothing usable came back.
  'never_sent', // The request that opened the payment certainly did not reach the upstream.
] as const
export type UpstreamEvent = (typeof UPSTREAM_EVENTS)[number]

export type EndState = 'succeeded' | 'failed' | 'expired'

export type Reaction =
  | { act: 'end'; state: EndState }
  | { act: 'send_to_bank' }
  /** The payer has finished at the bank, which now decides. */
  | { act: 'leave_bank' }
  /** The upstream's id of the charge is stored if it was missing. Nothing else changes. */
  | { act: 'store_charge_id' }
  /** Nothing changes. While the payment is open, the reconciler looks it up again. */
  | { act: 'keep' }
  | { act: 'raise'; kind: IncidentKind }
  /** The operator is notified and must decide, because money moved in an unexpected way. */
  | { act: 'review'; kind: IncidentKind }

const KEEP: Reaction = { act: 'keep' }
const MISMATCH: Reaction = { act: 'raise', kind: 'mismatch' }
// Money moved, so the operator has to decide even while the payment is open. Another lookup would report the same.
const MISMATCHED_CHARGE: Reaction = { act: 'review', kind: 'mismatch' }
const CONTRADICTION: Reaction = { act: 'raise', kind: 'contradiction' }
const LATE_CHARGE: Reaction = { act: 'review', kind: 'charged_after_end' }

const ENDED_UNPAID: Record<UpstreamEvent, Reaction> = {
  charged: LATE_CHARGE,
  charged_again: LATE_CHARGE,
  charged_differently: LATE_CHARGE,
  mismatched: MISMATCH,
  declined: KEEP,
  cancelled: KEEP,
  // These reports are late, or do not contradict the end.
  action_required: KEEP,
  pending: KEEP,
  garbled: KEEP,
  no_response: KEEP,
  never_sent: KEEP,
}

export const REACTIONS: Readonly<Record<PaymentState, Readonly<Record<UpstreamEvent, Reaction>>>> = {
  processing: {
    charged: { act: 'end', state: 'succeeded' },
    charged_again: { act: 'end', state: 'succeeded' },
    charged_differently: MISMATCHED_CHARGE,
    mismatched: MISMATCH,
    declined: { act: 'end', state: 'failed' },
    cancelled: { act: 'end', state: 'failed' },
    action_required: { act: 'send_to_bank' },
    pending: KEEP,
    garbled: MISMATCH,
    no_response: KEEP,
    never_sent: { act: 'end', state: 'failed' },
  },
  requires_action: {
    charged: { act: 'end', state: 'succeeded' },
    charged_again: { act: 'end', state: 'succeeded' },
    charged_differently: MISMATCHED_CHARGE,
    mismatched: MISMATCH,
    declined: { act: 'end', state: 'failed' },
    cancelled: { act: 'end', state: 'expired' },
    action_required: { act: 'send_to_bank' },
    pending: { act: 'leave_bank' },
    garbled: MISMATCH,
    no_response: KEEP,
    // The upstream has responded before, so the request did reach the upstream.
    never_sent: KEEP,
  },
  succeeded: {
    charged: { act: 'store_charge_id' },
    charged_again: { act: 'review', kind: 'charged_twice' },
    charged_differently: MISMATCHED_CHARGE,
    mismatched: MISMATCH,
    declined: CONTRADICTION,
    cancelled: CONTRADICTION,
    action_required: KEEP,
    pending: KEEP,
    garbled: KEEP,
    no_response: KEEP,
    never_sent: KEEP,
  },
  failed: ENDED_UNPAID,
  expired: ENDED_UNPAID,
}

const RESOLVED_PAID: typeof ENDED_UNPAID = {
  ...ENDED_UNPAID,
  declined: CONTRADICTION,
  cancelled: CONTRADICTION,
}

export function toReaction(payment: Pick<Payment, 'state' | 'resolution'>, event: UpstreamEvent): Reaction {
  const { state, resolution } = payment
  if (resolution === null || !isFinal(state)) return REACTIONS[state][event]
  if (resolution === 'unpaid') return ENDED_UNPAID[event]
  return state === 'succeeded' ? REACTIONS.succeeded[event] : RESOLVED_PAID[event]
}

export type Report = Charge | NoResponse
export type NoResponse = 'garbled' | 'no_response' | 'never_sent'

const EVENT_OF_STATUS: Record<Exclude<Charge['status'], 'succeeded'>, UpstreamEvent> = {
  processing: 'pending',
  requires_action: 'action_required',
  failed: 'declined',
  cancelled: 'cancelled',
}

export function toEvent(payment: Payment, report: Report): UpstreamEvent {
  if (typeof report === 'string') return report
  if (report.id !== payment.id) return 'mismatched'
  // If the status is `cancelled`, only the id has to match. An upstream can cancel a payment that it never received. It
  // then does not know the amount.
  if (report.status === 'cancelled') return 'cancelled'
  const isSameCharge =
    report.amount === payment.amount &&
    report.currency === payment.currency &&
    (report.projectId === null || report.projectId === payment.projectId)
  if (report.status !== 'succeeded') return isSameCharge ? EVENT_OF_STATUS[report.status] : 'mismatched'
  if (!isSameCharge) return 'charged_differently'
  const storedChargeId = payment.upstreamRef
  return storedChargeId !== null && report.chargeId !== null && storedChargeId !== report.chargeId
    ? 'charged_again'
    : 'charged'
}
