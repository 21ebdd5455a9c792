// Decides which lanes (projects in one mode) are served next, and with how many slots (requests in flight). Fair shares come
// first: one slot per lane in turn, beginning with the lane that was served longest ago. Then lanes may exceed their
// shares, while enough slots stay free for others.
import type { Mode } from '@pazar/contract'
import { FETCH_MAX, HOST_SLOTS, LANE_SLOTS, POOL_SLOTS, SLOTS, UNRESERVED_SLOTS } from './lanes.ts'

export interface ScheduledLane {
  mode: Mode
  /** The host and port of the lane's callback URL. */
  host: string
  inFlight: number
  /** The last fetch found fewer callbacks than it had slots, and there was no wake-up or sync since. */
  isDry: boolean
  isMoving: boolean
  /** The lane gets only probes, one request at a time. */
  isTripped: boolean
  /** A request is in flight, or an outcome is still to be recorded. Read only while the lane is tripped. */
  isWaiting: boolean
  /** On the process's steady clock. Read only while the lane is tripped. */
  probeAtMs: number
  hasBacklog: boolean
  /** The limit of requests in flight while the lane recovers. Null: no such limit. */
  ramp: number | null
  /** Slots are numbered in the order in which lanes get them. This is the number of the lane's last slot. 0: none yet. */
  servedNth: number
}

/** Requests in flight, including those of lanes that another process has taken over. */
export interface OpenRequests {
  mode: Mode
  host: string
  count: number
}

export interface LaneShare {
  slots: number
  /** The lane or its host got at least as many slots as FETCH_MAX, the limit of one fetch without a backlog. */
  isFetchFull: boolean
  servedNth: number
}

interface SlotUse {
  total: number
  test: number
  slow: number
  hosts: Map<string, number>
}

interface Candidate {
  lane: ScheduledLane
  share: LaneShare
}

type IsSlow = (host: string) => boolean

/** Returns the shares in the order of `lanes`. */
export function shareSlots(
  lanes: readonly ScheduledLane[],
  open: readonly OpenRequests[],
  nowMs: number,
  isSlow: IsSlow,
): LaneShare[] {
  const inUse: SlotUse = { total: 0, test: 0, slow: 0, hosts: new Map() }
  for (const one of open) countUse(inUse, one, one.count, isSlow)
  const hostGiven = new Map<string, number>()
  let nth = lanes.reduce((last, { servedNth }) => Math.max(last, servedNth), 0)
  const all = lanes.map((lane) => ({ lane, share: { slots: 0, isFetchFull: false, servedNth: 0 } }))
  const candidates = all
    .filter(({ lane }) => mayFetch(lane, nowMs))
    .toSorted((a, b) => a.lane.servedNth - b.lane.servedNth)
  giveInTurn(candidates, (one) => isWithinShare(one, inUse) && giveSlot(one, SLOTS))
  // Then lanes get slots above their shares, live lanes first. The reserved slots stay free for lanes within their shares.
  for (const mode of ['live', 'test'])
    giveInTurn(
      candidates.filter(({ lane }) => lane.mode === mode),
      (one) => giveSlot(one, UNRESERVED_SLOTS),
    )
  return all.map(({ lane, share }) => ({ ...share, isFetchFull: isFetchFull({ lane, share }, hostGiven) }))

  /** Returns false if the lane may get no more slots. */
  function giveSlot(one: Candidate, totalMax: number): boolean {
    const { lane, share } = one
    if (!lane.hasBacklog && isFetchFull(one, hostGiven)) return false
    if (inUse.total >= totalMax || lane.inFlight + share.slots >= toLimit(lane)) return false
    if (isPoolFull(lane, inUse, isSlow)) return false
    nth += 1
    share.slots += 1
    share.servedNth = nth
    hostGiven.set(toHostKey(lane), (hostGiven.get(toHostKey(lane)) ?? 0) + 1)
    countUse(inUse, lane, 1, isSlow)
    return true
  }
}

/** A candidate drops out when it may get no more slots. */
function giveInTurn(candidates: readonly Candidate[], giveSlot: (one: Candidate) => boolean): void {
  let remaining = candidates
  while (remaining.length > 0) remaining = remaining.filter(giveSlot)
}

function mayFetch(lane: ScheduledLane, nowMs: number): boolean {
  if (lane.isDry || lane.isMoving) return false
  return !lane.isTripped || (!lane.isWaiting && lane.probeAtMs <= nowMs)
}

function toLimit(lane: ScheduledLane): number {
  return lane.isTripped ? 1 : (lane.ramp ?? SLOTS)
}

function isWithinShare({ lane, share }: Candidate, inUse: SlotUse): boolean {
  const hostUse = inUse.hosts.get(toHostKey(lane)) ?? 0
  return lane.inFlight + share.slots < LANE_SLOTS[lane.mode] && hostUse < HOST_SLOTS[lane.mode]
}

function isFetchFull({ lane, share }: Candidate, hostGiven: ReadonlyMap<string, number>): boolean {
  const givenToHost = hostGiven.get(toHostKey(lane)) ?? 0
  return share.slots >= FETCH_MAX.lane[lane.mode] || givenToHost >= FETCH_MAX.host[lane.mode]
}

function isPoolFull({ mode, host }: ScheduledLane, inUse: SlotUse, isSlow: IsSlow): boolean {
  if (mode === 'test') return inUse.test >= POOL_SLOTS.test
  return isSlow(host) && inUse.slow >= POOL_SLOTS.slow
}

function countUse(inUse: SlotUse, to: { mode: Mode; host: string }, count: number, isSlow: IsSlow): void {
  inUse.total += count
  if (to.mode === 'test') inUse.test += count
  else if (isSlow(to.host)) inUse.slow += count
  inUse.hosts.set(toHostKey(to), (inUse.hosts.get(toHostKey(to)) ?? 0) + count)
}

const toHostKey = ({ mode, host }: { mode: Mode; host: string }) => `${mode} ${host}`
