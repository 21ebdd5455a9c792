// The attempts that this process has sent and not recorded yet. Their callbacks are not sent again while the attempts are
// listed here.
import type { OutgoingCallback } from './outgoing-callback.ts'
import type { Lane } from './lanes.ts'
import { toLaneKey } from './lanes.ts'
import type { OpenRequests } from './scheduler.ts'

/** `attempts`: the number of earlier attempts. */
export function toSendingEntry(id: string, attempts: number, trigger: string): string {
  return `${id}:${attempts}:${trigger}`
}

/**
 * Returns `id:attempts`. A callback is held back while it has this number of attempts. Once the attempt is recorded, the
 * number is higher, so the key no longer matches.
 */
export function toHeldKey(entry: string): string {
  return entry.split(':', 2).join(':')
}

/**
 * An entry of the lane's column `held` is an entry of `sending` of an earlier owner of the lane, followed by the time since
 * when it has been held back, by the database's clock. Returns this time.
 */
export function toHeldSinceMs(entry: string): number {
  return Number(entry.slice(entry.lastIndexOf(':') + 1))
}

export function toEntryId(entry: string): string {
  return entry.slice(0, entry.indexOf(':'))
}

export interface Flights {
  start(callback: OutgoingCallback): void
  /** The request has ended, so its slot is free. The outcome is still to be recorded. */
  endRequest(callback: OutgoingCallback): void
  markRecorded(callback: Lane & { id: string }): void
  /** The outcome cannot be written. This process does not send the callback again, and the lane continues. */
  markRefused(callback: Lane & { id: string }): void
  /** Whether attempts of the lane are in flight, or have an outcome that is still to be written. */
  isWaiting(lane: Lane): boolean
  /** Without a lane: the open requests of all lanes. */
  countOpen(lane?: Lane): number
  /** Includes requests of lanes that this process has lost. */
  listOpen(): OpenRequests[]
  /** The ids of the callbacks whose attempts are not recorded. */
  ids(lane: Lane): string[]
  /** The attempts that are not recorded, as entries for the column `sending` of the lane. */
  entries(lane: Lane): string[]
}

interface LaneFlights {
  /** By callback id. */
  entries: Map<string, string>
  open: number
  /** The ids in `entries` whose outcome cannot be written. */
  refused: Set<string>
}

export function createFlights(): Flights {
  const byLane = new Map<string, LaneFlights>()
  const openByHost = new Map<string, OpenRequests>()
  let total = 0

  const find = (lane: Lane) => byLane.get(toLaneKey(lane))

  function addOpen({ mode, host }: OutgoingCallback, change: 1 | -1): void {
    total += change
    const key = `${mode} ${host}`
    const count = (openByHost.get(key)?.count ?? 0) + change
    if (count === 0) openByHost.delete(key)
    else openByHost.set(key, { mode, host, count })
  }

  return {
    start(callback) {
      const key = toLaneKey(callback)
      const lane: LaneFlights = byLane.get(key) ?? { entries: new Map(), open: 0, refused: new Set() }
      byLane.set(key, lane)
      lane.entries.set(callback.id, toSendingEntry(callback.id, callback.attempt - 1, callback.trigger))
      lane.open += 1
      addOpen(callback, 1)
    },
    endRequest(callback) {
      const lane = find(callback)
      if (lane) lane.open -= 1
      addOpen(callback, -1)
    },
    markRecorded(callback) {
      const key = toLaneKey(callback)
      const lane = byLane.get(key)
      lane?.entries.delete(callback.id)
      lane?.refused.delete(callback.id)
      if (lane?.entries.size === 0 && lane.open === 0) byLane.delete(key)
    },
    markRefused: (callback) => void find(callback)?.refused.add(callback.id),
    isWaiting(lane) {
      const found = find(lane)
      return found !== undefined && found.entries.size > found.refused.size
    },
    countOpen: (lane) => (lane === undefined ? total : (find(lane)?.open ?? 0)),
    listOpen: () => [...openByHost.values()],
    ids: (lane) => [...(find(lane)?.entries.keys() ?? [])],
    entries: (lane) => [...(find(lane)?.entries.values() ?? [])],
  }
}
