// The lanes (projects in one mode) that this process owns, as far as it knows. The database decides which process owns a
// lane.
import type { Flights } from './flights.ts'
import { toEntryId, toHeldKey, toHeldSinceMs } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import type { StoredLane } from './lane-store.ts'
import { BACKLOG_FETCHES, BREAKER_FAILURES, PROBE_GAP_SEC, toLaneKey } from './lanes.ts'
import type { NewSince } from './new-since.ts'
import { READ_ALL } from './new-since.ts'
import type { LaneShare } from './scheduler.ts'

/** A lane is given back after this time without callbacks, unless some of its callbacks are held back. */
const IDLE_MS = 10_000
/**
 * How long a process keeps a lane that it took although another process is preferred. The lane does not move to the
 * preferred process at once, because that process may be stuck.
 */
const STAY_MS = 15_000

/** `entry` is the text stored with the lane. */
export interface HeldEntry {
  entry: string
  sinceMs: number
}

export interface OwnedLane extends Omit<StoredLane, 'held' | 'readAtMs'> {
  /** The last fetch found fewer callbacks than it had slots, and there was no wake-up or sync since. */
  isDry: boolean
  /** While a fetch is in progress, the lane cannot be given back. */
  isFetching: boolean
  /** Raised by each wake-up. A fetch that began before the wake-up does not mark the lane as dry. */
  wakes: number
  /** The lane is to move to another process. Its requests in flight end first, and nothing more is fetched. */
  isMoving: boolean
  probeAtMs: number
  /** No probe is sent before this time. Set when the outcome of a request, and so the next `probeAtMs`, could not be stored. */
  noProbeBeforeMs: number
  usedAtMs: number
  staysUntilMs: number
  /** The number of full fetches since the last fetch that found fewer callbacks than it had slots (see BACKLOG_FETCHES). */
  fullFetches: number
  /**
   * The number of the last slot that this lane used. The slots of all lanes are numbered in the order of their use. 0: the
   * lane has used no slot yet.
   */
  servedNth: number
  newCallbacks: NewSince
  /** The callbacks that earlier owners may have sent. They are not sent again before the grace period has passed. */
  held: readonly HeldEntry[]
}

export type OwnedLanes = Map<string, OwnedLane>

/** Both times are on the monotonic clock of this process. Tests can move `graceNowMs` alone. */
export interface Times {
  nowMs: number
  graceNowMs: number
}

export function addLane(lanes: OwnedLanes, stored: StoredLane, times: Times, isPreferred = true): void {
  const { nowMs, graceNowMs } = times
  const { held, readAtMs, ...lane } = stored
  lanes.set(toLaneKey(stored), {
    ...lane,
    isDry: false,
    isFetching: false,
    wakes: 0,
    isMoving: false,
    probeAtMs: nowMs + stored.probeInMs,
    noProbeBeforeMs: -Infinity,
    usedAtMs: nowMs,
    staysUntilMs: isPreferred ? nowMs : nowMs + STAY_MS,
    fullFetches: 0,
    servedNth: 0,
    newCallbacks: READ_ALL,
    // The grace period starts when the entry was first held back. The database's clock may have been turned back since.
    // `Math.abs` makes sure that no start is in the future.
    held: held.map((entry) => ({
      entry,
      sinceMs: graceNowMs - Math.abs(readAtMs - toHeldSinceMs(entry)),
    })),
  })
}

/** The held entries whose grace period has passed, except callbacks that this process is still sending. */
export function findLost(
  lane: OwnedLane,
  flights: Flights,
  isPastGrace: (sinceMs: number) => boolean,
): string[] {
  if (lane.held.length === 0) return []
  const ownIds = new Set(flights.ids(lane))
  return lane.held.flatMap(({ entry, sinceMs }) =>
    isPastGrace(sinceMs) && !ownIds.has(toEntryId(entry)) ? [entry] : [],
  )
}

/** Drops lost lanes and adds missing ones. No lane stays dry, because callbacks may have become due. */
export function syncLanes(lanes: OwnedLanes, owned: readonly StoredLane[], times: Times): void {
  const found = new Map(owned.map((lane) => [toLaneKey(lane), lane]))
  for (const [key, lane] of lanes) if (found.get(key)?.fence !== lane.fence) lanes.delete(key)
  for (const [key, stored] of found) {
    const lane = lanes.get(key)
    if (!lane) addLane(lanes, stored, times)
    else updateHealth(Object.assign(lane, { host: stored.host, isDry: false }), stored, times.nowMs)
  }
}

export function markMovingLanes(
  lanes: OwnedLanes,
  processId: string,
  alive: readonly string[],
  nowMs: number,
): void {
  for (const lane of lanes.values()) {
    // A lane with held entries does not move, because a process that has just started would begin their grace period again.
    const mayMove = nowMs >= lane.staysUntilMs && lane.held.length === 0
    lane.isMoving = mayMove && findPreferred(alive, lane) !== processId
  }
}

/**
 * Whether the lane has no fetch in progress, no request in flight and no outcome still to be recorded. A running process
 * gives back only such lanes. Otherwise, a process of an earlier release could take the lane and send its callbacks again.
 */
export function isAtRest(lane: OwnedLane, flights: Flights): boolean {
  return !lane.isFetching && !flights.isWaiting(lane)
}

export function shouldGiveBack(lane: OwnedLane, nowMs: number): boolean {
  return lane.isMoving || (lane.held.length === 0 && nowMs - lane.usedAtMs >= IDLE_MS)
}

export function updateHealth(
  lane: OwnedLane,
  { failuresInRow, ramp, probeInMs }: Pick<StoredLane, 'failuresInRow' | 'probeInMs' | 'ramp'>,
  nowMs: number,
): void {
  Object.assign(lane, { failuresInRow, ramp, probeAtMs: nowMs + probeInMs })
}

/** An outcome that cannot be written does not change the stored health of the lane. So the next probe is delayed here. */
export function postponeProbe(lane: OwnedLane, nowMs: number): void {
  lane.noProbeBeforeMs = nowMs + PROBE_GAP_SEC * 1_000
}

export function updateAfterFetch(
  lane: OwnedLane,
  { found, share, wakes }: { found: number; share: LaneShare; wakes: number },
  nowMs: number,
): void {
  if (found > 0) Object.assign(lane, { usedAtMs: nowMs, servedNth: share.servedNth })
  if (found >= share.slots) {
    if (share.isFetchFull) lane.fullFetches += 1
    return
  }
  lane.fullFetches = 0
  if (lane.wakes === wakes) lane.isDry = true
}

export const hasBacklog = (lane: OwnedLane) => lane.fullFetches >= BACKLOG_FETCHES

export const isTripped = (lane: OwnedLane) => lane.failuresInRow >= BREAKER_FAILURES

export const toHeldKeys = (lane: OwnedLane) => lane.held.map(({ entry }) => toHeldKey(entry))
