// The timers of a payment: when it is looked up next, when it is closed upstream, and when an operator has to decide.
import type { Charge } from '../backends/backend.ts'
import type { PaymentState } from './payment.ts'
import { isFinal } from './payment.ts'
import type { UpstreamEvent } from './reactions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Times are from the database's clock. */
export interface OpenPayment {
  state: PaymentState
  actionUrl: string | null
  needsReview: boolean
  createdMs: number
  /** When the payer was last sent to a page of the bank. */
  actionMs: number | null
  /** How often the reconciler has looked the payment up. */
  checks: number
}

export const PHASES = [
  'unknown', // It is not known yet whether money moved; the payer may be waiting.
  'at_bank', // The payer has something to do on a page of the bank.
  'overdue', // The payer did not finish within ACTION_TIMEOUT_MIN.
  'settling', // The payer has finished; the bank decides, which may take days.
  'overlong', // The payment has taken longer than any payment method takes.
  'unconfirmed', // An operator ended the payment as unpaid; the upstream has not confirmed yet that it cannot be charged.
] as const
export type Phase = (typeof PHASES)[number]

/** The longest planned interval between lookups. The upstream's lookup quota can delay a lookup further. */
export const SLOWEST_CHECK_MS = HOUR_MS

/** Bank transfers arrive within days, and debits are returned within two weeks. */
const SETTLE_MAX_MS = 14 * DAY_MS

/** A payer may still have the waiting page open for this long. */
const WATCHED_MS = 10 * MINUTE_MS

/**
 * How long a phase may last before an operator has to decide. An upstream that does not respond for a day, or does not
 * cancel an overdue payment for six hours, will not recover without help.
 */
const REVIEW_AFTER_MS: Record<Phase, number> = {
  unknown: DAY_MS,
  at_bank: Infinity, // The payment becomes `overdue` first.
  overdue: 6 * HOUR_MS,
  settling: Infinity, // The payment becomes `overlong` first.
  overlong: DAY_MS,
  unconfirmed: Infinity, // An operator has decided; only a charge reopens the decision.
}

export function phaseOf(payment: OpenPayment, nowMs: number, actionTimeoutMin: number): Phase {
  if (isFinal(payment.state)) return 'unconfirmed'
  if (payment.state === 'requires_action' && payment.actionUrl !== null)
    return nowMs < toOverdueMs(payment, actionTimeoutMin) ? 'at_bank' : 'overdue'
  if (nowMs - payment.createdMs >= SETTLE_MAX_MS) return 'overlong'
  return payment.state === 'requires_action' ? 'settling' : 'unknown'
}

/**
 * Each page of the bank gives the payer the full timeout again. But the payment is overdue after SETTLE_MAX_MS at the latest,
 * so that an upstream cannot keep it open forever with ever new pages.
 */
function toOverdueMs(payment: OpenPayment, actionTimeoutMin: number): number {
  const pageEndMs = (payment.actionMs ?? payment.createdMs) + actionTimeoutMin * MINUTE_MS
  return Math.min(pageEndMs, payment.createdMs + SETTLE_MAX_MS)
}

function toPhaseStartMs(phase: Phase, payment: OpenPayment, actionTimeoutMin: number): number {
  if (phase === 'overdue') return toOverdueMs(payment, actionTimeoutMin)
  if (phase === 'overlong') return payment.createdMs + SETTLE_MAX_MS
  return phase === 'at_bank' ? (payment.actionMs ?? payment.createdMs) : payment.createdMs
}

function clamp(ms: number, minMs: number, maxMs: number): number {
  return Math.min(Math.max(ms, minMs), maxMs)
}

function toUnknownPauseMs(ageMs: number, checks: number): number {
  if (ageMs < WATCHED_MS) return Math.min(15, 2 ** Math.min(checks, 4)) * 1000
  return ageMs < DAY_MS ? MINUTE_MS : 15 * MINUTE_MS
}

/**
 * In most phases, the lookups become rarer with time. They are only a fallback, because a webhook or the payer's return
 * usually comes first.
 */
export function toNextCheckMs(payment: OpenPayment, nowMs: number, actionTimeoutMin: number): number {
  // An operator has to decide, unless a lookup reports the end first.
  if (payment.needsReview) return nowMs + SLOWEST_CHECK_MS
  const phase = phaseOf(payment, nowMs, actionTimeoutMin)
  const inPhaseMs = nowMs - toPhaseStartMs(phase, payment, actionTimeoutMin)
  switch (phase) {
    case 'unknown':
      return nowMs + toUnknownPauseMs(inPhaseMs, payment.checks)
    case 'at_bank': {
      const pauseMs = clamp(inPhaseMs, MINUTE_MS, 10 * MINUTE_MS)
      return Math.min(nowMs + pauseMs, toOverdueMs(payment, actionTimeoutMin))
    }
    case 'settling':
      return nowMs + clamp(inPhaseMs / 4, MINUTE_MS, SLOWEST_CHECK_MS)
    case 'overdue':
    case 'overlong':
      return nowMs + clamp(inPhaseMs, MINUTE_MS, SLOWEST_CHECK_MS)
    case 'unconfirmed':
      return nowMs + SLOWEST_CHECK_MS
  }
}

/**
 * `waiting_for_payer`: the payment is cancelled unless the payer has finished. `underway`: it is cancelled even if the payer
 * has finished.
 */
export type Closing = 'none' | 'waiting_for_payer' | 'underway'

/** How to close the payment upstream, so that it cannot be charged later. `found`: the status that a lookup returned. */
export function toClosing(phase: Phase, found: Charge['status'] | null): Closing {
  // The upstream has no such payment. A cancel makes the upstream refuse a create request that is still on its way.
  if (found === null) return 'waiting_for_payer'
  if (phase === 'overlong' || phase === 'unconfirmed')
    return found === 'processing' || found === 'requires_action' ? 'underway' : 'none'
  return phase === 'overdue' && found === 'requires_action' ? 'waiting_for_payer' : 'none'
}

export function needsOperator(
  payment: OpenPayment,
  event: UpstreamEvent,
  nowMs: number,
  actionTimeoutMin: number,
): boolean {
  const phase = phaseOf(payment, nowMs, actionTimeoutMin)
  // The upstream knows the payment and is still processing it.
  if (phase === 'unknown' && event === 'pending') return false
  return nowMs - toPhaseStartMs(phase, payment, actionTimeoutMin) >= REVIEW_AFTER_MS[phase]
}
