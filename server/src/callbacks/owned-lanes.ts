// The lanes of this process as it knows them. Pure rules over that list; the database decides which lanes they are.
import type { Flights } from './flights.ts'
import { toEntryId, toHeldKey } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import type { StoredLane } from './lane-store.ts'
import { FAILURES_TRIP, toLaneKey } from './lanes.ts'

/** Short pauses between a merchant's payments need no new owner. */
const IDLE_MS = 10_000
/** A lane that was just taken stays, although another process is preferred: that one may be stuck. */
const STAY_MS = 15_000

export interface OwnedLane extends StoredLane {
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
  takenAtMs: number
  /** Entries of `sending` by the last owner, not sent again before the grace period has passed. */
  held: { entries: string[]; sinceMs: number } | null
}

export type OwnedLanes = Map<string, OwnedLane>

/** All times are on the steady clock, except `graceNowMs`, which tests replace. */
export interface Times {
  nowMs: number
  graceNowMs: number
}

export function addLane(lanes: OwnedLanes, stored: StoredLane, flights: Flights, times: Times): void {
  const { nowMs, graceNowMs } = times
  const entries = withoutOwn(stored.sending, stored, flights)
  lanes.set(toLaneKey(stored), {
    ...stored,
    isDry: false,
    isFetching: false,
    wakes: 0,
    isLeaving: false,
    probeAtMs: nowMs + stored.probeInMs,
    usedAtMs: nowMs,
    takenAtMs: nowMs,
    held: entries.length > 0 ? { entries, sinceMs: graceNowMs } : null,
  })
}

/** What this process is sending itself is not held back from it, and never counts as lost. */
export function withoutOwn(entries: readonly string[], lane: StoredLane, flights: Flights): string[] {
  const own = new Set(flights.ids(lane))
  return entries.filter((entry) => !own.has(toEntryId(entry)))
}

/** Adds and removes lanes as the database has them: another process may have taken one over. Polls all of them. */
export function syncLanes(
  lanes: OwnedLanes,
  owned: readonly StoredLane[],
  flights: Flights,
  times: Times,
): void {
  const found = new Map(owned.map((lane) => [toLaneKey(lane), lane]))
  for (const [key, lane] of lanes) if (found.get(key)?.fence !== lane.fence) lanes.delete(key)
  for (const [key, stored] of found) {
    const lane = lanes.get(key)
    if (!lane) addLane(lanes, stored, flights, times)
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
    lane.isLeaving = nowMs - lane.takenAtMs > STAY_MS && findPreferred(alive, lane) !== processId
  }
}

/** Not while something is in flight: an earlier release would send it again. */
export function isAtRest(lane: OwnedLane, flights: Flights): boolean {
  return !lane.isFetching && flights.ids(lane).length === 0
}

export function isToGiveBack(lane: OwnedLane, nowMs: number): boolean {
  return lane.isLeaving || (lane.held === null && nowMs - lane.usedAtMs >= IDLE_MS)
}

/** What the database knows about the lane's circuit breaker. */
export function updateHealth(
  lane: OwnedLane,
  { failuresInRow, ramp, probeInMs }: Pick<StoredLane, 'failuresInRow' | 'probeInMs' | 'ramp'>,
  nowMs: number,
): void {
  Object.assign(lane, { failuresInRow, ramp, probeAtMs: nowMs + probeInMs })
}

export const isTripped = (lane: OwnedLane) => lane.failuresInRow >= FAILURES_TRIP

/** What its row must list: what this process is sending, and what is held back. */
export const toSending = (lane: OwnedLane, flights: Flights) => [
  ...flights.entries(lane),
  ...(lane.held?.entries ?? []),
]

/** `id:attempts` of what is held back. */
export const toHeldKeys = (lane: OwnedLane) => lane.held?.entries.map(toHeldKey) ?? []
