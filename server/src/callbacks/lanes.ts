// A lane is one project in one mode. One process at a time serves a lane, and a lane fails or recovers as a whole. A slot
// is a request in flight. Numbers of slots are per process.
import type { Mode } from '@pazar/contract'

export interface Lane {
  projectId: string
  mode: Mode
}

export function toLaneKey({ projectId, mode }: Lane): string {
  return `${projectId} ${mode}`
}

/** Returns the lanes that a notification lists. Empty: the notification lists none, so any lane may have due callbacks. */
export function parseLaneKeys(notification: string): Lane[] {
  return notification.split(',').flatMap((key) => {
    const [projectId = '', mode] = key.split(' ')
    return projectId !== '' && (mode === 'live' || mode === 'test') ? [{ projectId, mode }] : []
  })
}

/** With this many slots, two cores stay busy while slow merchants occupy slots. */
export const SLOTS = 256

/** The fair share of a lane. Each mode has its own, so that test requests do not use the share of live requests. */
export const LANE_SLOTS = { live: 12, test: 4 } as const satisfies Record<Mode, number>

/** The fair share of a host in one mode: as large as the share of two lanes. */
export const HOST_SLOTS = { live: 24, test: 8 } as const satisfies Record<Mode, number>

/** Lanes and hosts that exceed their shares leave this many slots free for others. */
const SLOTS_RESERVED = 160

/** Lanes exceed their shares only while fewer slots than this are in use. */
export const UNRESERVED_SLOTS = SLOTS - SLOTS_RESERVED // 96

/**
 * One fetch gives at most this many slots to a lane or host without a backlog. The limit is small, because after a crash
 * the callbacks of a fetch are sent again.
 */
export const FETCH_MAX = { lane: LANE_SLOTS, host: HOST_SLOTS } as const

/**
 * A lane has a backlog after this many full fetches. A fetch is full if the lane got the maximum of slots, and the fetch
 * found a callback for each slot. A fetch that finds fewer callbacks than it has slots resets the count.
 */
export const BACKLOG_FETCHES = 4

/** The limit of slots for all test traffic, and for live traffic to hosts that were slow in the last minute. */
export const POOL_SLOTS = { test: 32, slow: 64 } as const

/** A host counts as slow when one live request takes this long. */
export const SLOW_MS = 3_000
/** How long a host counts as slow after such a request. */
export const SLOW_FOR_MS = 60_000

/** The circuit breaker: after this many failures in a row a lane trips and gets only probes, one request at a time. */
export const BREAKER_FAILURES = 20

export const RAMP_FROM = 2

/** The time between two probes: as long as the delay before the first retry. */
export const PROBE_GAP_SEC = 5

/** The lease of a claimed test callback: longer than the longest request (15 s) plus a slow write. */
export const LEASE_SEC = 45

/**
 * How long the callbacks of a process that counts as dead are held back. That process may still run, so this is longer
 * than a request (15 s).
 */
export const RECOVER_GRACE_MS = 20_000
