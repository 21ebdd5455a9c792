// The lanes (projects in one mode) that this process owns, as far as it knows. Pure rules over that list; the database
// decides who owns a lane.
import type { Flights } from './flights.ts'
import { toEntryId, toHeldKey, toHeldSinceMs } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import type { StoredLane } from './lane-store.ts'
import { BACKLOG_FETCHES, FAILURES_TRIP, PROBE_GAP_SEC, toLaneKey } from './lanes.ts'
import type { LaneShare } from './scheduler.ts'

/** After this time without callbacks a lane is given back. Short pauses between payments need no new owner. */
const IDLE_MS = 10_000
/**
 * A lane that was taken although another process is preferred stays here for a while, because the other process may be
 * stuck.
 */
const STAY_MS = 15_000

/** A callback that an earlier owner may have sent. `entry` is the text stored with the lane (`toEntryId` reads its id). */
export interface HeldEntry {
  entry: string
  sinceMs: number
}

export interface OwnedLane extends Omit<StoredLane, 'held' | 'readAtMs'> {
  /**
   * The last fetch found fewer callbacks than requested: nothing is fetched until a wake-up or the next beat (one each
   * second).
   */
  isDry: boolean
  /** A fetch is in progress. The callbacks that it finds will be sent, so the lane cannot be given back now. */
  isFetching: boolean
  /** Raised by each wake-up, so that a fetch that began before it does not mark the lane as dry. */
  wakes: number
  /** The lane is to move to another process. Its requests in flight end first, and nothing more is fetched. */
  isMoving: boolean
  probeAtMs: number
  /** Set when the outcome of an attempt could not be stored: the time of the next probe was not stored either. */
  noProbeBeforeMs: number
  usedAtMs: number
  /** Until this time the lane does not move to its preferred process. */
  staysUntilMs: number
  /**
   * How many fetches in a row were full: they got as many slots as a lane without a backlog may get, and found a callback
   * for each.
   */
  fullFetches: number
  /** The number of the last slot that the lane used; the slots of all lanes are counted together. 0: none yet. */
  servedNth: number
  /** The callbacks that earlier owners may have sent. They are not sent again before the grace period has passed. */
  held: readonly HeldEntry[]
}

export type OwnedLanes = Map<string, OwnedLane>

/** Both times are on the monotonic clock of this process. They are two values because tests move only the grace period. */
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
    // The grace period starts when the entry was first held back, so a move of the lane does not start it again. If the
    // clock of the database was turned back, the difference is negative: its size is used, so that no start is in the future.
    held: held.map((entry) => ({
      entry,
      sinceMs: graceNowMs - Math.abs(readAtMs - toHeldSinceMs(entry)),
    })),
  })
}

/**
 * The held entries whose grace period has passed: nobody will report their outcome any more. Left out are callbacks that are
 * still in flight in this process, which owned the lane before: their outcome is still to come.
 */
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

/**
 * Makes the list match the database, because another process may have taken a lane over. No lane stays marked as dry,
 * because callbacks may have become due.
 */
export function syncLanes(lanes: OwnedLanes, owned: readonly StoredLane[], times: Times): void {
  const found = new Map(owned.map((lane) => [toLaneKey(lane), lane]))
  for (const [key, lane] of lanes) if (found.get(key)?.fence !== lane.fence) lanes.delete(key)
  for (const [key, stored] of found) {
    const lane = lanes.get(key)
    if (!lane) addLane(lanes, stored, times)
    else updateHealth(Object.assign(lane, { host: stored.host, isDry: false }), stored, times.nowMs)
  }
}

/** Marks the lanes that should move to their preferred process. */
export function markMovingLanes(
  lanes: OwnedLanes,
  processId: string,
  alive: readonly string[],
  nowMs: number,
): void {
  for (const lane of lanes.values()) {
    lane.isMoving = nowMs >= lane.staysUntilMs && findPreferred(alive, lane) !== processId
  }
}

/**
 * Whether nothing of the lane is being fetched, in flight or waiting to be recorded. Only then may it be given back: a
 * process of an earlier release would send again what is in flight.
 */
export function isAtRest(lane: OwnedLane, flights: Flights): boolean {
  return !lane.isFetching && !flights.isWaiting(lane)
}

export function shouldGiveBack(lane: OwnedLane, nowMs: number): boolean {
  return lane.isMoving || (lane.held.length === 0 && nowMs - lane.usedAtMs >= IDLE_MS)
}

/** Updates the state of the lane's circuit breaker to what the database has stored. */
export function updateHealth(
  lane: OwnedLane,
  { failuresInRow, ramp, probeInMs }: Pick<StoredLane, 'failuresInRow' | 'probeInMs' | 'ramp'>,
  nowMs: number,
): void {
  Object.assign(lane, { failuresInRow, ramp, probeAtMs: nowMs + probeInMs })
}

/** A refused outcome does not change the stored health of the lane, so the time of the next probe is set here. */
export function postponeProbe(lane: OwnedLane, nowMs: number): void {
  lane.noProbeBeforeMs = nowMs + PROBE_GAP_SEC * 1_000
}

/** The lane is not marked as dry if there was a wake-up since the fetch began. */
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

export const isTripped = (lane: OwnedLane) => lane.failuresInRow >= FAILURES_TRIP

/** The callbacks that are held back, as `id:attempts`. */
export const toHeldKeys = (lane: OwnedLane) => lane.held.map(({ entry }) => toHeldKey(entry))
