// A lane is one project in one mode. One process at a time serves a lane, slots are shared between lanes, and a lane fails
// or recovers as a whole. All numbers of slots are per process. As only one process serves a lane, they limit the lane in
// the whole installation. Lanes that lead to the same host may be served by several processes.
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

/**
 * The fair share of a lane: how many of its requests may be in flight at once. A project has 16: 12 live and 4 test. Test
 * requests never use the slots of the project's live ones.
 */
export const LANE_SLOTS = { live: 12, test: 4 } as const satisfies Record<Mode, number>

/**
 * The fair share of a host in one mode, however many lanes of this process lead to it. It is as large as the share of two
 * lanes. Each mode has its own, so that test requests never use the slots of live ones.
 */
export const HOST_SLOTS = { live: 24, test: 8 } as const satisfies Record<Mode, number>

/**
 * Lanes and hosts may exceed their shares, but leave this many slots free. So a merchant that uses all the other slots and
 * then stops responding blocks nobody else.
 */
const SLOTS_RESERVED = 160

/**
 * Lanes exceed their shares only while fewer slots than this are in use. A single busy merchant gets this many too; few
 * merchants could handle more at once.
 */
export const UNRESERVED_SLOTS = SLOTS - SLOTS_RESERVED // 96

/**
 * The most that one fetch gives to a lane without a backlog, and to the lanes of one host together. The number is small,
 * because these callbacks are sent again if the process is killed.
 */
export const FETCH_MAX = { lane: LANE_SLOTS, host: HOST_SLOTS } as const

/**
 * A lane has a backlog after this many fetches in a row that gave it the maximum and found as many callbacks. Then one fetch
 * may give it more, until UNRESERVED_SLOTS are in use. Fetches that gave less prove nothing and do not count.
 */
export const BACKLOG_FETCHES = 4

/**
 * Upper limits. `test` is for all test traffic together, so that live traffic always has the other slots. `slow` is for all
 * live traffic to hosts that were slow in the last minute. A test callback that a person sends from the portal waits for no
 * slot and is not counted.
 */
export const POOL_SLOTS = { test: 32, slow: 64 } as const

/**
 * A host counts as slow when one live request takes this long. No payer waits longer than this, and in the same time its
 * slot could serve about a hundred fast requests.
 */
export const SLOW_MS = 3_000
/** A host that was slow is usually slow for a while. */
export const SLOW_FOR_MS = 60_000

/**
 * After this many failures in a row, over all callbacks of the lane, the lane trips: it gets only probes, one request at a
 * time. So many failures are no accident.
 */
export const FAILURES_TRIP = 20

/** Concurrency right after recovery. Every success adds one; a batch in which more than a fifth failed halves it. */
export const RAMP_FROM = 2

/**
 * The time between two probes. It equals the first step of the schedule, so a probe detects a recovery about as soon as a
 * retry would.
 */
export const PROBE_GAP_SEC = 5

/** The lease of a single claimed callback, such as a test callback: longer than the longest request (15 s) plus a slow write. */
export const LEASE_SEC = 45

/**
 * How long the callbacks that a dead process was sending are held back, counted from when their lane was taken over. The
 * time starts again if the lane's owner has just started, and after an outage of the database. The process that counts as
 * dead may still be running and have outcomes to write. For that it needs a statement's deadline (7 s), a retry (2 s) and a
 * new connection, or the rest of a request (15 s).
 */
export const RECOVER_GRACE_MS = 20_000
