// Plans the next fetch: which lanes (a project in one mode) get slots (requests in flight) now, and which of their callbacks
// must be left out.
import type { FetchRequest } from './fetch-store.ts'
import type { Flights } from './flights.ts'
import { toNewSince } from './new-since.ts'
import type { OwnedLane } from './owned-lanes.ts'
import { hasBacklog, isTripped, toHeldKeys } from './owned-lanes.ts'
import type { LaneShare } from './scheduler.ts'
import { shareSlots } from './scheduler.ts'

export interface PlannedFetch {
  lane: OwnedLane
  /** How many wake-ups the lane had had when the fetch was planned (`OwnedLane.wakes`). */
  wakes: number
  share: LaneShare
  request: FetchRequest
}

export function planFetch(
  lanes: readonly OwnedLane[],
  flights: Flights,
  nowMs: number,
  slowHosts: ReadonlySet<string>,
): PlannedFetch[] {
  const scheduled = lanes.map((lane) => ({
    ...lane,
    isTripped: isTripped(lane),
    hasBacklog: hasBacklog(lane),
    inFlight: flights.countOpen(lane),
    isWaiting: flights.isWaiting(lane),
    probeAtMs: Math.max(lane.probeAtMs, lane.noProbeBeforeMs),
  }))
  const shares = shareSlots(scheduled, flights.listOpen(), nowMs, (host) => slowHosts.has(host))
  return lanes.flatMap((lane, index) => {
    const share = shares[index]!
    if (share.slots === 0) return []
    const request = {
      projectId: lane.projectId,
      mode: lane.mode,
      fence: lane.fence,
      slots: share.slots,
      unrecordedIds: flights.ids(lane),
      entries: flights.entries(lane),
      held: toHeldKeys(lane),
      isProbe: isTripped(lane),
      newSince: toNewSince(lane.newCallbacks, nowMs),
    }
    return [{ lane, wakes: lane.wakes, share, request }]
  })
}
