// Which lanes are served next, and with how many slots. Pure rules over the lanes that this process owns: no database, no
// clock of its own. Fair shares come first, one row per lane in turn; what is left goes beyond the shares while enough slots
// stay free for others.
import type { Mode } from '@pazar/contract'
import { HOST_SLOTS, LANE_SLOTS, POOL_SLOTS, SLOTS, SLOTS_RESERVED } from './lanes.ts'

export interface ScheduledLane {
  projectId: string
  mode: Mode
  /** Of the lane's callback URL, with its port. */
  host: string
  /** How many rows of it are being sent. */
  inFlight: number
  /** The last fetch found fewer rows than requested: nothing is due until a wake-up or the poll. */
  isDry: boolean
  /** It is to move to another process: what is in flight ends, and nothing more is fetched. */
  isLeaving: boolean
  /** Failed so often in a row that it is only probed. */
  isTripped: boolean
  /** On the process's steady clock; only read while tripped. */
  probeAtMs: number
  /** Several fetches in a row found all that they asked for. Without it, the lane gets its share and no more at once. */
  hasBacklog: boolean
  /** At most so many in flight while it recovers; null: no limit of its own. */
  ramp: number | null
}

interface Uses {
  total: number
  test: number
  slow: number
  hosts: Map<string, number>
}

/** How many rows each lane may fetch now, in the order of `lanes`; the caller rotates them so that each is first in turn. */
export function shareSlots(
  lanes: readonly ScheduledLane[],
  nowMs: number,
  isSlow: (host: string) => boolean,
): number[] {
  const uses = countUses(lanes, isSlow)
  const room = lanes.map(() => 0)
  const hostRoom = new Map<string, number>()
  const candidates = lanes.flatMap((lane, index) => (mayFetch(lane, nowMs) ? [index] : []))
  deal(candidates, (index) => {
    const lane = lanes[index]!
    const hostUse = uses.hosts.get(lane.host) ?? 0
    return isWithinShare(lane, room[index]!) && hostUse < HOST_SLOTS && take(lane, index, SLOTS)
  })
  // Beyond the shares: a lone merchant gets the speed, and the reserved slots wait for the others.
  deal(candidates, (index) => take(lanes[index]!, index, SLOTS - SLOTS_RESERVED))
  return room

  /** More would be beyond the share of the lane or its host in this one fetch. */
  function isBurst(lane: ScheduledLane, given: number): boolean {
    return given >= LANE_SLOTS.live || (hostRoom.get(lane.host) ?? 0) >= HOST_SLOTS
  }

  function take(lane: ScheduledLane, index: number, totalMax: number): boolean {
    const isLaneSlow = lane.mode === 'live' && isSlow(lane.host)
    if (!lane.hasBacklog && isBurst(lane, room[index]!)) return false
    if (uses.total >= totalMax || lane.inFlight + room[index]! >= toLimit(lane)) return false
    if (lane.mode === 'test' && uses.test >= POOL_SLOTS.test) return false
    if (isLaneSlow && uses.slow >= POOL_SLOTS.slow) return false
    room[index]! += 1
    hostRoom.set(lane.host, (hostRoom.get(lane.host) ?? 0) + 1)
    add(uses, lane, 1, isLaneSlow)
    return true
  }
}

/** Gives one to each in turn, until a whole turn gave nothing. */
function deal(candidates: readonly number[], give: (index: number) => boolean): void {
  let left = candidates
  while (left.length > 0) left = left.filter(give)
}

function mayFetch(lane: ScheduledLane, nowMs: number): boolean {
  if (lane.isDry || lane.isLeaving) return false
  return !lane.isTripped || (lane.inFlight === 0 && lane.probeAtMs <= nowMs)
}

/** A tripped lane gets one probe at a time. */
function toLimit(lane: ScheduledLane): number {
  return lane.isTripped ? 1 : (lane.ramp ?? SLOTS)
}

function isWithinShare(lane: ScheduledLane, given: number): boolean {
  return lane.inFlight + given < LANE_SLOTS[lane.mode]
}

function countUses(lanes: readonly ScheduledLane[], isSlow: (host: string) => boolean): Uses {
  const uses: Uses = { total: 0, test: 0, slow: 0, hosts: new Map() }
  for (const lane of lanes) add(uses, lane, lane.inFlight, lane.mode === 'live' && isSlow(lane.host))
  return uses
}

function add(uses: Uses, lane: ScheduledLane, count: number, isLaneSlow: boolean): void {
  uses.total += count
  if (lane.mode === 'test') uses.test += count
  if (isLaneSlow) uses.slow += count
  uses.hosts.set(lane.host, (uses.hosts.get(lane.host) ?? 0) + count)
}
