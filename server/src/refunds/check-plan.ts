// The timers of a refund: when the refund is looked up next, when a missing refund counts as failed, and when an operator
// is notified.
import type { RefundEvent } from './reactions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Lookups are frequent as long as the person who refunds may still have the page open. */
const PAGE_OPEN_MS = 10 * MINUTE_MS

/**
 * If the upstream does not know a refund, the refund is sent again for this long. A backend can set another time. This
 * default is below 24 hours, because upstreams may forget idempotency keys after 24 hours.
 */
const REFUND_RESEND_MS = 20 * HOUR_MS

/**
 * How old a refund must be before an event notifies an operator. An upstream that does not respond for a day will not recover
 * without help. Banks refund within two weeks.
 */
const NOTIFY_AFTER_MS: Partial<Record<RefundEvent, number>> = {
  no_response: DAY_MS,
  garbled: DAY_MS,
  pending: 14 * DAY_MS,
}

export function toPauseMs(ageMs: number, checks: number): number {
  if (ageMs < PAGE_OPEN_MS) return Math.min(15, 2 ** Math.min(checks, 4)) * 1000
  return Math.min(Math.max(ageMs / 10, MINUTE_MS), HOUR_MS)
}

/**
 * For a refund that the upstream does not know. `absent`: our request may still arrive. `absent_for_good`: it is too late
 * for that.
 */
export function toAbsence(ageMs: number, resendMs = REFUND_RESEND_MS): 'absent' | 'absent_for_good' {
  return ageMs < resendMs ? 'absent' : 'absent_for_good'
}

export function needsOperator(event: RefundEvent, ageMs: number): boolean {
  return ageMs >= (NOTIFY_AFTER_MS[event] ?? Infinity)
}
