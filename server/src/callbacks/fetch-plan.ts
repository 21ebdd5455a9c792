// Plans the next fetch: which lanes get slots now, and which of their callbacks must be left out.
import type { FetchRequest } from './fetch-store.ts'
import type { Flights } from './flights.ts'
import type { OwnedLane } from './owned-lanes.ts'
import { hasBacklog, isTripped, toHeldKeys } from './owned-lanes.ts'
import { shareSlots } from './scheduler.ts'

export interface PlannedFetch {
  lane: OwnedLane
  /** The lane's `wakes` when the fetch was planned. */
  wakes: number
  request: FetchRequest
}

/** `lanes` are in the order in which they get slots. */
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
    // A tripped lane gets no second probe before the first one is recorded.
    inFlight: isTripped(lane) ? flights.ids(lane).length : flights.countOpen(lane),
  }))
  const room = shareSlots(scheduled, nowMs, (host) => slowHosts.has(host))
  return lanes.flatMap((lane, index) => {
    if (room[index] === 0) return []
    const request = {
      projectId: lane.projectId,
      mode: lane.mode,
      fence: lane.fence,
      room: room[index]!,
      inFlight: flights.ids(lane),
      entries: flights.entries(lane),
      held: toHeldKeys(lane),
      isProbe: isTripped(lane),
    }
    return [{ lane, wakes: lane.wakes, request }]
  })
}
