// A lane is one project in one mode: one process at a time serves it, slots are shared between lanes, and a lane fails or
// recovers as a whole.
import type { Mode } from '@pazar/contract'

export interface Lane {
  projectId: string
  mode: Mode
}

export function toLaneKey({ projectId, mode }: Lane): string {
  return `${projectId} ${mode}`
}

/** The lanes in a notification. An empty list: any lane may have something due. */
export function parseLaneKeys(notification: string): Lane[] {
  return notification.split(',').flatMap((key) => {
    const [projectId = '', mode] = key.split(' ')
    return projectId !== '' && (mode === 'live' || mode === 'test') ? [{ projectId, mode }] : []
  })
}

/** Requests in flight at once in one process: enough to keep two cores busy while slow merchants occupy slots. */
export const SLOTS = 256

/** A project's fair share is 16 slots. Test traffic has its own part of it, so that it never slows live traffic. */
export const LANE_SLOTS = { live: 12, test: 4 } as const satisfies Record<Mode, number>

/**
 * A host's share for all its lanes together: that of two live lanes, however many lanes lead to it. A host gets more only
 * while the process uses less than LONE_SLOTS.
 */
export const HOST_SLOTS = 24

/**
 * A lane or host may exceed its share, but leaves this many slots free: a merchant that uses all the other slots and then
 * stops responding blocks nobody else.
 */
export const SLOTS_RESERVED = 160

/** The slots of a merchant when nobody else needs any. Few merchants could handle more at once. */
export const LONE_SLOTS = SLOTS - SLOTS_RESERVED

/**
 * After this many full fetches in a row a lane has a backlog, and one fetch may give it all slots that are free. Before that
 * one fetch gives it at most a share, so that few callbacks are in flight, and repeated, if the process is killed.
 */
export const BACKLOG_FETCHES = 4

/** Upper limits: all test traffic together, and all live traffic to hosts that responded slowly in the last minute. */
export const POOL_SLOTS = { test: 32, slow: 64 } as const

/** A host that takes this long counts as slow: no payer waits longer, and it occupies a slot that a hundred others could use. */
export const SLOW_MS = 3_000
/** A host that was slow is usually slow for a while. In a minute it gets a few attempts. */
export const SLOW_FOR_MS = 60_000

/** This many failures in a row, over all callbacks of the lane, are no accident: from then on the lane is only probed. */
export const FAILURES_TRIP = 20

/** Concurrency right after recovery. Every success adds one; a batch in which more than a fifth failed halves it. */
export const RAMP_FROM = 2

/** Between two probes: as long as the first step of the schedule, so a recovery is detected about as soon. */
export const PROBE_GAP_SEC = 5

/** The lease of a single claimed callback, such as a test callback: longer than the longest request (15 s) plus a slow write. */
export const LEASE_SEC = 45

/**
 * What a process was sending when it seemed to die is not sent again for this long after its lane was taken over, after a
 * start, and after an outage of the database: the process may still be running and have outcomes to write. For that it needs a
 * statement's deadline (7 s), a retry (2 s) and a new connection, or the rest of a request (15 s).
 */
export const RECOVER_GRACE_MS = 20_000
