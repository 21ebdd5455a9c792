// A lane is one project in one mode: what is shared out fairly, and what fails or heals as a whole.
import type { Mode } from '@pazar/contract'

export interface Lane {
  projectId: string
  mode: Mode
}

/** Requests in flight at once in one process: enough to keep two cores busy while slow shops hold their slots. */
export const SLOTS = 128

/** A project's fair share is 16 of the slots, and test traffic has its own part, so that it never slows live traffic. */
export const LANE_SLOTS = { live: 12, test: 4 } as const satisfies Record<Mode, number>

/**
 * Beyond its share a lane may use what nobody else wants, but for these: when a shop that took all the rest stops
 * answering, the others still find hands free.
 */
export const SLOTS_KEPT_FREE = 32

/** So many failures in a row, over all its callbacks, are no accident: from then on the lane is only probed. */
export const FAILURES_TRIP = 20

/** Between two probes: as long as the first step of the schedule, so a shop that is back is found out about as soon. */
export const PROBE_GAP_SEC = 5

/** A lease outlives the longest request (15 s) by enough for a slow flush; the next claim takes what ran out. */
export const LEASE_SEC = 45

/** How many of these each lane holds. */
export function countByLane(held: Iterable<Lane>): (Lane & { held: number })[] {
  const lanes = Map.groupBy(held, ({ projectId, mode }) => `${projectId} ${mode}`)
  return [...lanes.values()].map((list) => ({
    projectId: list[0]!.projectId,
    mode: list[0]!.mode,
    held: list.length,
  }))
}
