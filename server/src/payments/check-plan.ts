// When an open payment, or one that a person ended without the upstream, is next looked up at its upstream, when it is closed there, and when a person has to decide: every
// timer of an open payment, as pure functions of its facts and the time.
import type { Charge } from '../backends/backend.ts'
import type { PaymentState } from './payment.ts'
import { isFinal } from './payment.ts'
import type { UpstreamEvent } from './reactions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What is known of an open payment's time, by the database's clock. */
export interface OpenPayment {
  state: PaymentState
  actionUrl: string | null
  needsReview: boolean
  createdMs: number
  /** When the payer was first sent to the bank's page. */
  actionMs: number | null
  /** How often the reconciler has looked it up. */
  checks: number
}

export const PHASES = [
  'unknown', // Nobody knows yet whether money moved; a payer may be watching.
  'at_bank', // The payer has something to do on a page of the bank.
  'overdue', // The payer has had all the time there is for that.
  'settling', // The payer has finished; what is left is the bank's, and may take days.
  'overlong', // It has taken longer than any method takes.
  'unconfirmed', // A person ended it as unpaid; the upstream has not confirmed yet that it cannot charge.
] as const
export type Phase = (typeof PHASES)[number]

/** Nothing open waits longer for its next lookup, apart from the queue that the quota makes (backends/backend.ts). */
export const SLOWEST_CHECK_MS = HOUR_MS

/** Bank transfers arrive within days, debits are returned within two weeks; what is not there by then will not come. */
export const SETTLE_MAX_MS = 14 * DAY_MS

/** While the payer may still be watching the page that waits. */
const WATCHED_MS = 10 * MINUTE_MS

/**
 * How long a phase may bring no end before a person has to decide. An upstream that cannot be asked for a day, or does
 * not close a page for six hours, does not recover by itself.
 */
const REVIEW_AFTER_MS: Record<Phase, number> = {
  unknown: DAY_MS,
  at_bank: Infinity, // Becomes `overdue` first.
  overdue: 6 * HOUR_MS,
  settling: Infinity, // Becomes `overlong` first.
  overlong: DAY_MS,
  unconfirmed: Infinity, // A person has decided; only a charge is news.
}

export function phaseOf(payment: OpenPayment, nowMs: number, actionTimeoutMin: number): Phase {
  if (isFinal(payment.state)) return 'unconfirmed'
  // Only a payer who has something to do can be late with it.
  if (payment.state === 'requires_action' && payment.actionUrl !== null)
    return nowMs < toOverdueMs(payment, actionTimeoutMin) ? 'at_bank' : 'overdue'
  if (nowMs - payment.createdMs >= SETTLE_MAX_MS) return 'overlong'
  return payment.state === 'requires_action' ? 'settling' : 'unknown'
}

function toOverdueMs(payment: OpenPayment, actionTimeoutMin: number): number {
  return (payment.actionMs ?? payment.createdMs) + actionTimeoutMin * MINUTE_MS
}

/** When the phase began. */
function toPhaseStartMs(phase: Phase, payment: OpenPayment, actionTimeoutMin: number): number {
  if (phase === 'overdue') return toOverdueMs(payment, actionTimeoutMin)
  if (phase === 'overlong') return payment.createdMs + SETTLE_MAX_MS
  return phase === 'at_bank' ? (payment.actionMs ?? payment.createdMs) : payment.createdMs
}

function clamp(ms: number, minMs: number, maxMs: number): number {
  return Math.min(Math.max(ms, minMs), maxMs)
}

/** Seconds while a payer is watching, then by the minute, and after a day four times an hour. */
function toUnknownPauseMs(ageMs: number, checks: number): number {
  if (ageMs < WATCHED_MS) return Math.min(15, 2 ** Math.min(checks, 4)) * 1000
  return ageMs < DAY_MS ? MINUTE_MS : 15 * MINUTE_MS
}

/**
 * The upstream's webhook and the payer's return come first, so the pauses between lookups grow with the time that has
 * passed without either.
 */
export function toNextCheckMs(payment: OpenPayment, nowMs: number, actionTimeoutMin: number): number {
  // A person decides; a lookup can only save the trouble.
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

export type Closing = 'none' | 'waiting_for_payer' | 'underway'

/** Whether what the upstream found has to be closed there. Closing first is what makes "not charged" true. */
export function toClosing(phase: Phase, found: Charge['status'] | null): Closing {
  // Unknown there. The request that opened it has ended by now, and one that is stuck on the way is refused afterwards.
  if (found === null) return 'waiting_for_payer'
  if (phase === 'overlong' || phase === 'unconfirmed')
    return found === 'processing' || found === 'requires_action' ? 'underway' : 'none'
  return phase === 'overdue' && found === 'requires_action' ? 'waiting_for_payer' : 'none'
}

/** Whether a person has to decide about a payment that is open still after this event. */
export function needsPerson(
  payment: OpenPayment,
  event: UpstreamEvent,
  nowMs: number,
  actionTimeoutMin: number,
): boolean {
  const phase = phaseOf(payment, nowMs, actionTimeoutMin)
  // The upstream knows it and says that it takes its time.
  if (phase === 'unknown' && event === 'pending') return false
  return nowMs - toPhaseStartMs(phase, payment, actionTimeoutMin) >= REVIEW_AFTER_MS[phase]
}
