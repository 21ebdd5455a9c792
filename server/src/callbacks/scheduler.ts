// Which lanes are served next, and with how many slots. Pure rules over the lanes that this process owns: no database, no
// clock of its own. Fair shares come first, one slot per lane in turn. Lanes may then exceed their shares, while enough slots
// stay free for others.
import type { Mode } from '@pazar/contract'
import { HOST_SLOTS, LANE_SLOTS, POOL_SLOTS, SLOTS, SLOTS_RESERVED } from './lanes.ts'

export interface ScheduledLane {
  projectId: string
  mode: Mode
  /** The host and port of the lane's callback URL. */
  host: string
  /** How many of its callbacks are being sent. */
  inFlight: number
  /** The last fetch found fewer callbacks than requested: nothing is due until a wake-up or the poll. */
  isDry: boolean
  /** The lane is to move to another process: what is in flight ends, and nothing more is fetched. */
  isLeaving: boolean
  /** The lane failed so often in a row that it is only probed. */
  isTripped: boolean
  /** On the process's steady clock; only read while tripped. */
  probeAtMs: number
  /** Several fetches in a row found as many callbacks as requested. Only then may a fetch exceed the lane's share. */
  hasBacklog: boolean
  /** The most requests in flight while the lane recovers; null: no limit of its own. */
  ramp: number | null
}

/** How many slots are in use. */
interface SlotUse {
  total: number
  test: number
  slow: number
  hosts: Map<string, number>
}

/** How many callbacks each lane may fetch now, in the order of `lanes`; the caller rotates them so that each is first in turn. */
export function shareSlots(
  lanes: readonly ScheduledLane[],
  nowMs: number,
  isSlow: (host: string) => boolean,
): number[] {
  const inUse = countSlotUse(lanes, isSlow)
  const room = lanes.map(() => 0)
  const hostRoom = new Map<string, number>()
  const candidates = lanes.flatMap((lane, index) => (mayFetch(lane, nowMs) ? [index] : []))
  giveInTurn(candidates, (index) => {
    const lane = lanes[index]!
    const hostUse = inUse.hosts.get(lane.host) ?? 0
    return isWithinShare(lane, room[index]!) && hostUse < HOST_SLOTS && take(lane, index, SLOTS)
  })
  // Beyond the shares: a lone merchant gets more slots, and the reserved ones stay free for others.
  giveInTurn(candidates, (index) => take(lanes[index]!, index, SLOTS - SLOTS_RESERVED))
  return room

  /** One more slot would exceed the share of the lane or its host in this fetch. */
  function isBurst(lane: ScheduledLane, given: number): boolean {
    return given >= LANE_SLOTS.live || (hostRoom.get(lane.host) ?? 0) >= HOST_SLOTS
  }

  function take(lane: ScheduledLane, index: number, totalMax: number): boolean {
    const isLaneSlow = lane.mode === 'live' && isSlow(lane.host)
    if (!lane.hasBacklog && isBurst(lane, room[index]!)) return false
    if (inUse.total >= totalMax || lane.inFlight + room[index]! >= toLimit(lane)) return false
    if (lane.mode === 'test' && inUse.test >= POOL_SLOTS.test) return false
    if (isLaneSlow && inUse.slow >= POOL_SLOTS.slow) return false
    room[index]! += 1
    hostRoom.set(lane.host, (hostRoom.get(lane.host) ?? 0) + 1)
    add(inUse, lane, 1, isLaneSlow)
    return true
  }
}

/** Gives one slot to each candidate in turn. A candidate that may take no more drops out. */
function giveInTurn(candidates: readonly number[], give: (index: number) => boolean): void {
  let remaining = candidates
  while (remaining.length > 0) remaining = remaining.filter(give)
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

function countSlotUse(lanes: readonly ScheduledLane[], isSlow: (host: string) => boolean): SlotUse {
  const inUse: SlotUse = { total: 0, test: 0, slow: 0, hosts: new Map() }
  for (const lane of lanes) add(inUse, lane, lane.inFlight, lane.mode === 'live' && isSlow(lane.host))
  return inUse
}

function add(inUse: SlotUse, lane: ScheduledLane, count: number, isLaneSlow: boolean): void {
  inUse.total += count
  if (lane.mode === 'test') inUse.test += count
  if (isLaneSlow) inUse.slow += count
  inUse.hosts.set(lane.host, (inUse.hosts.get(lane.host) ?? 0) + count)
}
