// What a payment does about each thing that can be learnt of it, as one table: every state, every event. The rules of
// money are read here; the other files only carry them out.
import type { Charge } from '../backends/backend.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import type { Payment, PaymentState } from './payment.ts'
import { isFinal } from './payment.ts'

export const UPSTREAM_EVENTS = [
  'charged', // This payment, this amount.
  'charged_again', // The same, under another charge of the upstream's.
  'charged_otherwise', // Money moved, but not as the payer confirmed it.
  'misfit', // Speaks of another payment or another amount, and of no charge.
  'declined',
  'cancelled', // The upstream's promise that no charge can happen any more.
  'action_required',
  'pending',
  'garbled', // It answered as if all was well, and the answer is no payment.
  'silent', // It was asked and nothing usable came back.
  'never_sent', // The request that opened the payment certainly did not reach it.
] as const
export type UpstreamEvent = (typeof UPSTREAM_EVENTS)[number]

export type EndState = 'succeeded' | 'failed' | 'expired'

export type Reaction =
  | { act: 'end'; state: EndState }
  | { act: 'send_to_bank' }
  /** The payer has done his part there; what is left is the bank's. */
  | { act: 'leave_bank' }
  /** Nothing changes, but that a charge without a name gets the one that is reported. */
  | { act: 'name_charge' }
  /** Nothing changes; while the payment is open the reconciler asks again. */
  | { act: 'keep' }
  /** Nothing changes, and a person is told. */
  | { act: 'raise'; kind: IncidentKind }
  /** A person is told and must decide: money moved where the payment says it did not, or moved twice. */
  | { act: 'review'; kind: IncidentKind }

const KEEP: Reaction = { act: 'keep' }
const MISMATCH: Reaction = { act: 'raise', kind: 'mismatch' }
// Money moved, so a person decides, also while the payment is open: asking again brings the same answer.
const MISMATCHED_CHARGE: Reaction = { act: 'review', kind: 'mismatch' }
const CONTRADICTION: Reaction = { act: 'raise', kind: 'contradiction' }
const LATE_CHARGE: Reaction = { act: 'review', kind: 'charged_after_end' }

const ENDED_UNPAID: Record<UpstreamEvent, Reaction> = {
  charged: LATE_CHARGE,
  charged_again: LATE_CHARGE,
  charged_otherwise: LATE_CHARGE,
  misfit: MISMATCH,
  declined: KEEP,
  cancelled: KEEP,
  // News from before the end that comes late.
  action_required: KEEP,
  pending: KEEP,
  garbled: KEEP,
  silent: KEEP,
  never_sent: KEEP,
}

export const REACTIONS: Readonly<Record<PaymentState, Readonly<Record<UpstreamEvent, Reaction>>>> = {
  processing: {
    charged: { act: 'end', state: 'succeeded' },
    charged_again: { act: 'end', state: 'succeeded' },
    charged_otherwise: MISMATCHED_CHARGE,
    misfit: MISMATCH,
    declined: { act: 'end', state: 'failed' },
    cancelled: { act: 'end', state: 'failed' },
    action_required: { act: 'send_to_bank' },
    pending: KEEP,
    garbled: MISMATCH,
    silent: KEEP,
    never_sent: { act: 'end', state: 'failed' },
  },
  requires_action: {
    charged: { act: 'end', state: 'succeeded' },
    charged_again: { act: 'end', state: 'succeeded' },
    charged_otherwise: MISMATCHED_CHARGE,
    misfit: MISMATCH,
    declined: { act: 'end', state: 'failed' },
    cancelled: { act: 'end', state: 'expired' },
    action_required: { act: 'send_to_bank' },
    pending: { act: 'leave_bank' },
    garbled: MISMATCH,
    silent: KEEP,
    // The upstream has answered before, so this cannot be true of it.
    never_sent: KEEP,
  },
  succeeded: {
    charged: { act: 'name_charge' },
    charged_again: { act: 'review', kind: 'charged_twice' },
    charged_otherwise: MISMATCHED_CHARGE,
    misfit: MISMATCH,
    declined: CONTRADICTION,
    cancelled: CONTRADICTION,
    action_required: KEEP,
    pending: KEEP,
    garbled: KEEP,
    silent: KEEP,
    never_sent: KEEP,
  },
  failed: ENDED_UNPAID,
  expired: ENDED_UNPAID,
}

/** An operator decided that it was paid: a charge is weighed as before, and who denies one contradicts the decision. */
const RESOLVED_PAID: typeof ENDED_UNPAID = {
  ...ENDED_UNPAID,
  declined: CONTRADICTION,
  cancelled: CONTRADICTION,
}

/** What counts is whether the payment counts as paid, which an operator's decision may say otherwise than the state. */
export function toReaction(payment: Pick<Payment, 'state' | 'resolution'>, event: UpstreamEvent): Reaction {
  const { state, resolution } = payment
  if (resolution === null || !isFinal(state)) return REACTIONS[state][event]
  if (resolution === 'unpaid') return ENDED_UNPAID[event]
  return state === 'succeeded' ? REACTIONS.succeeded[event] : RESOLVED_PAID[event]
}

/** What an upstream was heard to say, or why it was not heard. */
export type Report = Charge | Unheard
export type Unheard = 'garbled' | 'silent' | 'never_sent'

const EVENT_OF_STATUS: Record<Exclude<Charge['status'], 'succeeded'>, UpstreamEvent> = {
  processing: 'pending',
  requires_action: 'action_required',
  failed: 'declined',
  cancelled: 'cancelled',
}

export function toEvent(payment: Payment, report: Report): UpstreamEvent {
  if (typeof report === 'string') return report
  if (report.id !== payment.id) return 'misfit'
  // The promise not to charge is made of an id alone; an upstream that never saw the payment knows no amount.
  if (report.status === 'cancelled') return 'cancelled'
  const fits =
    report.amount === payment.amount &&
    report.currency === payment.currency &&
    (report.projectId === null || report.projectId === payment.projectId)
  if (report.status !== 'succeeded') return fits ? EVENT_OF_STATUS[report.status] : 'misfit'
  if (!fits) return 'charged_otherwise'
  const known = payment.upstreamRef
  return known !== null && report.chargeId !== null && known !== report.chargeId ? 'charged_again' : 'charged'
}
