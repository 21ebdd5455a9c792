// Decides when a callback is retried, and when it is given up. Live callbacks are retried for about three days. Callbacks of
// test mode are retried only for a short time, so that a developer can see a retry.
import { RETRY_SCHEDULE_SEC } from '@pazar/contract'
import type { AttemptTrigger, Mode } from '@pazar/contract'

const MINUTE = 60

/**
 * How many attempts a round has: the first, and one after each step of the schedule. Attempts that use no step of the
 * schedule are not counted.
 */
export const ATTEMPTS_MAX: Readonly<Record<Mode, number>> = {
  live: RETRY_SCHEDULE_SEC.live.length + 1,
  test: RETRY_SCHEDULE_SEC.test.length + 1,
}

/** The delays are varied by this share, so that callbacks that failed at the same time are not all retried in one second. */
const JITTER = 0.2

/** The delay after a 409 or 425: the merchant has not stored the order yet. */
const NOT_READY_SEC = 5
const NOT_READY_MAX = 3
const NOT_READY_STATUSES: ReadonlySet<number | null> = new Set([409, 425])
/** Our egress failed, and nothing reached the merchant. These delays add up to about an hour. */
const EGRESS_FAULT_SEC = 5
const EGRESS_FAULT_SEC_MAX = 30 * MINUTE
const EGRESS_FAULTS_MAX = 10
/** The longest delay after an attempt that used no step of the schedule. */
export const WITHOUT_STEP_SEC_MAX = EGRESS_FAULT_SEC_MAX * (1 + JITTER)
/** The merchant states that this URL will not come back. */
const GONE = 410
/** The merchant states when to retry. */
const RETRY_AFTER_STATUSES: ReadonlySet<number | null> = new Set([429, 503])

/** The longest delay of each step of the schedule. A merchant who states when to retry can double a delay. */
export const toLongestDelaysSec = (mode: Mode) =>
  RETRY_SCHEDULE_SEC[mode].map((stepSec) => 2 * (1 + JITTER) * stepSec)

export interface AttemptPlace {
  mode: Mode
  trigger: AttemptTrigger
  /**
   * The number of this attempt in its round, from 1. A manual resend starts a new round. Bringing the callback
   * forward can lower the number by one (hasten-store.ts).
   */
  nth: number
  /** How many earlier attempts of the round used no step of the schedule. */
  withoutStep: number
}

export interface AttemptResult {
  outcome: string
  statusCode: number | null
  retryAfter: string | null
  isEgressFault: boolean
}

export type Next =
  | { status: 'delivered' | 'exhausted' }
  | { status: 'pending'; delaySec: number; usesNoStep: boolean }

/** `random` is in [0, 1). */
export function planNext(attempt: AttemptPlace, result: AttemptResult, nowMs: number, random: number): Next {
  if (result.outcome === 'delivered') return { status: 'delivered' }
  if (attempt.trigger === 'test' || attempt.trigger === 'exam') return { status: 'exhausted' }
  if (result.statusCode === GONE) return { status: 'exhausted' }
  const spread = 1 - JITTER + 2 * JITTER * random
  if (NOT_READY_STATUSES.has(result.statusCode) && attempt.withoutStep < NOT_READY_MAX) {
    return { status: 'pending', delaySec: NOT_READY_SEC * spread, usesNoStep: true }
  }
  if (result.isEgressFault && attempt.withoutStep < EGRESS_FAULTS_MAX) {
    const waitSec = Math.min(EGRESS_FAULT_SEC * 2 ** attempt.withoutStep, EGRESS_FAULT_SEC_MAX)
    return { status: 'pending', delaySec: waitSec * spread, usesNoStep: true }
  }
  const step = RETRY_SCHEDULE_SEC[attempt.mode][attempt.nth - attempt.withoutStep - 1]
  if (step === undefined) return { status: 'exhausted' }
  const plannedSec = step * spread
  const requestedSec = RETRY_AFTER_STATUSES.has(result.statusCode)
    ? parseRetryAfterSec(result.retryAfter, nowMs)
    : null
  // The delay is at least as long as planned, and at most twice as long. So a merchant cannot block their own queue.
  const delaySec = Math.min(Math.max(requestedSec ?? plannedSec, plannedSec), 2 * plannedSec)
  return { status: 'pending', delaySec, usesNoStep: false }
}

/** The delay in seconds, from a number or from a date in the usual form of RFC 9110. Null for anything else. */
export function parseRetryAfterSec(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - nowMs) / 1000)
}
