// The lanes of this process as it knows them. Pure rules over that list; the database decides which lanes they are.
import type { Flights } from './flights.ts'
import { toEntryId, toHeldKey, toHeldSinceMs } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import type { StoredLane } from './lane-store.ts'
import { BACKLOG_FETCHES, FAILURES_TRIP, toLaneKey } from './lanes.ts'

/** Short pauses between a merchant's payments need no new owner. */
const IDLE_MS = 10_000
/** A lane that was taken although another process is preferred stays for a while: that one may be stuck. */
const STAY_MS = 15_000

/** What an earlier owner may have sent. */
export interface HeldEntry {
  entry: string
  sinceMs: number
}

export interface OwnedLane extends Omit<StoredLane, 'held' | 'storedAtMs'> {
  /** The last fetch found fewer callbacks than requested: nothing is due until a wake-up or the next beat. */
  isDry: boolean
  /** A fetch is under way, and what it finds will be sent: until then it cannot be given back. */
  isFetching: boolean
  /** Raised by each wake-up, so that a fetch that began before it does not mark the lane as dry. */
  wakes: number
  /** It is to move to another process: what is in flight ends, and nothing more is fetched. */
  isLeaving: boolean
  probeAtMs: number
  usedAtMs: number
  /** Until then it is not left to the preferred process. */
  staysUntilMs: number
  /** Fetches in a row that found all they asked for. */
  fullFetches: number
  /** Not sent again before the grace period has passed. */
  held: readonly HeldEntry[]
}

export type OwnedLanes = Map<string, OwnedLane>

/** All times are on the steady clock, except `graceNowMs`, which tests replace. */
export interface Times {
  nowMs: number
  graceNowMs: number
}

export function addLane(lanes: OwnedLanes, stored: StoredLane, times: Times, isPreferred = true): void {
  const { nowMs, graceNowMs } = times
  const { held, storedAtMs, ...lane } = stored
  lanes.set(toLaneKey(stored), {
    ...lane,
    isDry: false,
    isFetching: false,
    wakes: 0,
    isLeaving: false,
    probeAtMs: nowMs + stored.probeInMs,
    usedAtMs: nowMs,
    staysUntilMs: isPreferred ? nowMs : nowMs + STAY_MS,
    fullFetches: 0,
    // Not from now: a lane that moves must not hold them back for longer. A clock may have been turned back.
    held: held.map((entry) => ({
      entry,
      sinceMs: graceNowMs - Math.abs(storedAtMs - toHeldSinceMs(entry)),
    })),
  })
}

/** Held back long enough. What this process has sent itself, before it lost the lane for a while, is not lost. */
export function findLost(
  lane: OwnedLane,
  flights: Flights,
  isPastGrace: (sinceMs: number) => boolean,
): string[] {
  if (lane.held.length === 0) return []
  const own = new Set(flights.ids(lane))
  return lane.held.flatMap(({ entry, sinceMs }) =>
    isPastGrace(sinceMs) && !own.has(toEntryId(entry)) ? [entry] : [],
  )
}

/** Adds and removes lanes as the database has them: another process may have taken one over. Polls all of them. */
export function syncLanes(lanes: OwnedLanes, owned: readonly StoredLane[], times: Times): void {
  const found = new Map(owned.map((lane) => [toLaneKey(lane), lane]))
  for (const [key, lane] of lanes) if (found.get(key)?.fence !== lane.fence) lanes.delete(key)
  for (const [key, stored] of found) {
    const lane = lanes.get(key)
    if (!lane) addLane(lanes, stored, times)
    else updateHealth(Object.assign(lane, { host: stored.host, isDry: false }), stored, times.nowMs)
  }
}

export function chooseLeaving(
  lanes: OwnedLanes,
  processId: string,
  alive: readonly string[],
  nowMs: number,
): void {
  for (const lane of lanes.values()) {
    lane.isLeaving = nowMs >= lane.staysUntilMs && findPreferred(alive, lane) !== processId
  }
}

/** Not while something is in flight: an earlier release would send it again. */
export function isAtRest(lane: OwnedLane, flights: Flights): boolean {
  return !lane.isFetching && !flights.isWaiting(lane)
}

export function isToGiveBack(lane: OwnedLane, nowMs: number): boolean {
  return lane.isLeaving || (lane.held.length === 0 && nowMs - lane.usedAtMs >= IDLE_MS)
}

/** What the database knows about the lane's circuit breaker. */
export function updateHealth(
  lane: OwnedLane,
  { failuresInRow, ramp, probeInMs }: Pick<StoredLane, 'failuresInRow' | 'probeInMs' | 'ramp'>,
  nowMs: number,
): void {
  Object.assign(lane, { failuresInRow, ramp, probeAtMs: nowMs + probeInMs })
}

/** After a fetch. Not dry if there was a wake-up since it began. */
export function noteFetched(
  lane: OwnedLane,
  { found, room, wakes }: { found: number; room: number; wakes: number },
  nowMs: number,
): void {
  const isFull = found >= room
  if (found > 0) lane.usedAtMs = nowMs
  lane.fullFetches = isFull ? lane.fullFetches + 1 : 0
  if (!isFull && lane.wakes === wakes) lane.isDry = true
}

export const hasBacklog = (lane: OwnedLane) => lane.fullFetches >= BACKLOG_FETCHES

export const isTripped = (lane: OwnedLane) => lane.failuresInRow >= FAILURES_TRIP

/** `id:attempts` of what is held back. */
export const toHeldKeys = (lane: OwnedLane) => lane.held.map(({ entry }) => toHeldKey(entry))
