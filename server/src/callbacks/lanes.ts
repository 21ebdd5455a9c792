// A lane is one project in one mode: slots are shared between lanes, and a lane fails or recovers as a whole.
import type { Mode } from '@pazar/contract'

export interface Lane {
  projectId: string
  mode: Mode
}

/** Requests in flight at once in one process: enough to keep two cores busy while slow merchants occupy slots. */
export const SLOTS = 256

/** A project's fair share is 16 of the slots. Test traffic has its own part, so that it never slows live traffic. */
export const LANE_SLOTS = { live: 12, test: 4 } as const satisfies Record<Mode, number>

/** The share of a host, for all its lanes together: twice a lane's share, because a slow host delays only its own lanes. */
export const HOST_SLOTS = 24

/**
 * Beyond its share a lane or a host may use free slots, except these: when a merchant that used all the others stops
 * responding, there are still free slots for the rest.
 */
export const SLOTS_RESERVED = 160

/** The slots of a merchant when nobody else needs any. Few merchants could handle more at once. */
export const LONE_SLOTS = SLOTS - SLOTS_RESERVED

/** Upper limits: all test traffic together, and all live traffic to hosts that responded slowly of late. */
export const POOL_SLOTS = { test: 32, slow: 64 } as const

/** The longest a payer waits for a merchant. A slower merchant occupies a slot that a hundred others could have used. */
export const SLOW_MS = 3_000
/** A host that was slow is usually slow for a while; a minute is a few attempts at it. */
export const SLOW_FOR_MS = 60_000

/** This many failures in a row, over all callbacks of the lane, are no accident: from then on the lane is only probed. */
export const FAILURES_TRIP = 20

/** Concurrency right after recovery; every success adds one, and failures halve it. */
export const RAMP_FROM = 2

/** Between two probes: as long as the first step of the schedule, so a recovery is detected about as soon. */
export const PROBE_GAP_SEC = 5

/** A lease is longer than the longest request (15 s) plus a slow flush; the next claim recovers expired ones. */
export const LEASE_SEC = 45

/**
 * After a start or an outage of the database, expired leases are not recovered for this long: their process may be
 * alive and hold outcomes to write. It needs a statement's deadline (7 s), a retry of the flush (2 s) and a new connection;
 * this is twice that.
 */
export const RECOVER_GRACE_MS = 20_000

export interface Held extends Lane {
  host: string
  held: number
}

/** Counts the requests in flight by lane and host. */
export function countHeld(held: Iterable<Lane & { host: string }>): Held[] {
  const groups = Map.groupBy(held, ({ projectId, mode, host }) => `${projectId} ${mode} ${host}`)
  return [...groups.values()].map((list) => {
    const { projectId, mode, host } = list[0]!
    return { projectId, mode, host, held: list.length }
  })
}
