// Decides which process should own a lane, and when the lanes of another process are free. A process counts as dead only when
// its expired lease or its missing session is seen twice. Once is not enough: in an outage of the database, a living process
// cannot renew its lease either.
import { createHash } from 'node:crypto'
import type { Lane } from './lanes.ts'

/** A process renews its lease every second. By default, a statement may take as long as the lease (QUERY_TIMEOUT_MS). */
export const PROCESS_LEASE_SEC = 7
/** The shortest time between two sightings of an expired lease. A living process renews its lease in this time. */
export const EXPIRED_GAP_MS = 3_000
/** The shortest time between two sightings of a missing session (a connection to the database). */
export const SESSION_GAP_MS = 900
/**
 * If a callback of a free lane is overdue by more than this, any process may take the lane. A lane that was given back
 * stays reserved for its preferred process for the same time.
 */
export const OVERDUE_SEC = 3
/** A starting process takes no lanes until its session is visible, or until this time has passed. */
export const SESSION_WAIT_MS = 3_000

/** Rendezvous hashing: few lanes move when a process joins or leaves. */
export function findPreferred(processes: readonly string[], { projectId, mode }: Lane): string | null {
  let best: { id: string; weight: string } | null = null
  for (const id of processes) {
    const weight = createHash('sha256').update(`${id} ${projectId} ${mode}`).digest('hex')
    if (best === null || weight > best.weight) best = { id, weight }
  }
  return best?.id ?? null
}

export interface SeenProcess {
  id: string
  /** The end of the lease as text. If two sightings have the same text, the lease was not renewed. */
  lease: string
  /** By the database's clock. A lease that ends too far in the future counts as expired too. */
  isExpired: boolean
  /** False only if the process had a visible session and no longer has it. */
  hasSession: boolean
  /** The process is starting or stopping, so it takes no lanes. Other processes do not take the lanes that it still has. */
  takesNoLanes: boolean
}

/** When a process was first seen with this lease and this trouble. */
export interface Sighting {
  lease: string
  trouble: 'expired' | 'no session'
  atMs: number
}

function findTrouble({ isExpired, hasSession }: SeenProcess): Sighting['trouble'] | null {
  if (!hasSession) return 'no session'
  return isExpired ? 'expired' : null
}

export interface Fleet {
  /** Processes whose lanes are free. */
  dead: string[]
  /** Processes that may take lanes. */
  alive: string[]
  sightings: Map<string, Sighting>
}

/** `lastSightings`: the sightings that the last call returned. Empty if a database statement has failed since then. */
export function judgeFleet(
  processes: readonly SeenProcess[],
  lastSightings: ReadonlyMap<string, Sighting>,
  nowMs: number,
): Fleet {
  const fleet: Fleet = { dead: [], alive: [], sightings: new Map() }
  for (const seen of processes) {
    const trouble = findTrouble(seen)
    if (trouble === null) {
      if (!seen.takesNoLanes) fleet.alive.push(seen.id)
      continue
    }
    const earlier = lastSightings.get(seen.id)
    const isSame = earlier !== undefined && earlier.lease === seen.lease && earlier.trouble === trouble
    const sighting = isSame ? earlier : { lease: seen.lease, trouble, atMs: nowMs }
    fleet.sightings.set(seen.id, sighting)
    const gapMs = trouble === 'expired' ? EXPIRED_GAP_MS : SESSION_GAP_MS
    if (nowMs - sighting.atMs >= gapMs) fleet.dead.push(seen.id)
  }
  return fleet
}
