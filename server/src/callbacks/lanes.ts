// A lane is one project in one mode: what is shared out fairly, and what fails or recovers as a whole.
import type { Mode } from '@pazar/contract'

export interface Lane {
  projectId: string
  mode: Mode
}

/** Requests in flight at once in one process: enough to keep two cores busy while slow merchants hold their slots. */
export const SLOTS = 256

/** A project's fair share is 16 of the slots, and test traffic has its own part, so that it never slows live traffic. */
export const LANE_SLOTS = { live: 12, test: 4 } as const satisfies Record<Mode, number>

/** The share of a host, however many lanes lead there: twice a lane's, because it holds up its own lanes together. */
export const HOST_SLOTS = 24

/**
 * Beyond its share a lane or a host may use what nobody else wants, but for these: when a merchant that took all the rest
 * stops responding, the others still find slots free.
 */
export const SLOTS_RESERVED = 160

/** What a merchant gets when nobody else wants anything. Few could handle more at once. */
export const LONE_SLOTS = SLOTS - SLOTS_RESERVED

/** Never more than these: all test traffic together, and all live traffic to hosts that lately took long to respond. */
export const POOL_SLOTS = { test: 32, slow: 64 } as const

/** A payer is not held longer for a merchant; one that takes longer holds a slot that a hundred others could have used. */
export const SLOW_MS = 3_000
/** A merchant that is slow now and then is slow for a while; a minute is a few attempts at it. */
export const SLOW_FOR_MS = 60_000

/** So many failures in a row, over all its callbacks, are no accident: from then on the lane is only probed. */
export const FAILURES_TRIP = 20

/** Sent at once when it is found back; every success makes room for one more, and failures halve the room. */
export const RAMP_FROM = 2

/** Between two probes: as long as the first step of the schedule, so a merchant that is back is found out about as soon. */
export const PROBE_GAP_SEC = 5

/** A lease outlives the longest request (15 s) by enough for a slow flush; the next claim takes what ran out. */
export const LEASE_SEC = 45

/**
 * After an outage of the database, and after a start, which cannot know of one, leases that ran out are left alone for so
 * long: their owner may live and hold outcomes to write. It needs a statement's deadline (7 s), a retry of the flush (2 s) and
 * a new connection, twice over.
 */
export const RECOVER_GRACE_MS = 20_000

export interface Held extends Lane {
  host: string
  held: number
}

/** How many of these each lane holds, and at which host. */
export function countHeld(held: Iterable<Lane & { host: string }>): Held[] {
  const groups = Map.groupBy(held, ({ projectId, mode, host }) => `${projectId} ${mode} ${host}`)
  return [...groups.values()].map((list) => {
    const { projectId, mode, host } = list[0]!
    return { projectId, mode, host, held: list.length }
  })
}
