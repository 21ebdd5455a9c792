// When a callback is tried again, and when it is given up. Live results are tried for about three days; test ones only
// long enough to watch.
import { RETRY_SCHEDULE_SEC } from '@pazar/contract'
import type { AttemptTrigger, Mode } from '@pazar/contract'

const MINUTE = 60

/** Every callback ends somewhere, also one whose tries end by our own fault. */
export const TRIES_MAX: Readonly<Record<Mode, number>> = {
  live: RETRY_SCHEDULE_SEC.live.length + 1,
  test: RETRY_SCHEDULE_SEC.test.length + 1,
}

/** Spread, so that the shops that failed together do not all come back in the same second. */
const JITTER = 0.2

/** The shop got the result before it had written the order down; a moment later it will have. */
const NOT_READY_SEC = 5
const NOT_READY_MAX = 3
const NOT_READY_STATUSES: ReadonlySet<number | null> = new Set([409, 425])
/**
 * Our own way out failed, and nothing reached the shop. So often it costs no step of the schedule, with a wait that
 * doubles: together about an hour, in which somebody can mend it.
 */
const NO_WAY_OUT_SEC = 5
const NO_WAY_OUT_SEC_MAX = 30 * MINUTE
const NO_WAY_OUT_MAX = 10
/** The shop says that nothing will ever be here again. */
const GONE = 410
/** The shop says when to come back. */
const RETRY_AFTER_STATUSES: ReadonlySet<number | null> = new Set([429, 503])

export interface Try {
  mode: Mode
  trigger: AttemptTrigger
  /** Which try of this round, from 1; a person who sends it again starts a new round. */
  nth: number
  /** How many tries of this round took no step of the schedule: answered "not ready", or by our own fault. */
  notReady: number
}

export interface Answer {
  outcome: string
  statusCode: number | null
  retryAfter: string | null
  isProxyFault: boolean
}

export type Next =
  | { status: 'delivered' | 'exhausted' }
  | { status: 'pending'; delaySec: number; isNotReady: boolean }

/** `random` is in [0, 1). */
export function planNext(tried: Try, answer: Answer, nowMs: number, random: number): Next {
  if (answer.outcome === 'delivered') return { status: 'delivered' }
  if (tried.trigger === 'test' || tried.trigger === 'exam') return { status: 'exhausted' }
  if (answer.statusCode === GONE) return { status: 'exhausted' }
  const spread = 1 - JITTER + 2 * JITTER * random
  if (NOT_READY_STATUSES.has(answer.statusCode) && tried.notReady < NOT_READY_MAX) {
    return { status: 'pending', delaySec: NOT_READY_SEC * spread, isNotReady: true }
  }
  if (answer.isProxyFault && tried.notReady < NO_WAY_OUT_MAX) {
    const waitSec = Math.min(NO_WAY_OUT_SEC * 2 ** tried.notReady, NO_WAY_OUT_SEC_MAX)
    return { status: 'pending', delaySec: waitSec * spread, isNotReady: true }
  }
  const step = RETRY_SCHEDULE_SEC[tried.mode][tried.nth - tried.notReady - 1]
  if (step === undefined) return { status: 'exhausted' }
  const planned = step * spread
  const wished = RETRY_AFTER_STATUSES.has(answer.statusCode)
    ? parseRetryAfterSec(answer.retryAfter, nowMs)
    : null
  // Never sooner than planned, and never so late that a shop could park its queue here for ever.
  const delaySec = Math.min(Math.max(wished ?? planned, planned), 2 * planned)
  return { status: 'pending', delaySec, isNotReady: false }
}

/** Seconds from now by RFC 9110: a number of seconds or a date; null for anything else. */
export function parseRetryAfterSec(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - nowMs) / 1000)
}
