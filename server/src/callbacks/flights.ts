// What this process has sent and not recorded yet. None of it is sent again while it is listed here, whatever happens to the
// database or to the ownership of the lane.
import type { Claimed } from './claimed.ts'
import type { Lane } from './lanes.ts'
import { toLaneKey } from './lanes.ts'

/** One attempt as the lane's row lists it. `attempts` is the number before this one. */
export function toSendingEntry(id: string, attempts: number, trigger: string): string {
  return `${id}:${attempts}:${trigger}`
}

/** `id:attempts`, which changes when the attempt is recorded. */
export function toHeldKey(entry: string): string {
  return entry.split(':', 2).join(':')
}

/** Since when an entry is held back, by the database's clock. */
export function toHeldSinceMs(entry: string): number {
  return Number(entry.slice(entry.lastIndexOf(':') + 1))
}

export function toEntryId(entry: string): string {
  return entry.slice(0, entry.indexOf(':'))
}

export interface Flights {
  start(claimed: Claimed): void
  /** The merchant has responded: the slot is free, and the outcome waits to be recorded. */
  land(claimed: Claimed): void
  /** It is recorded. */
  end(callback: Lane & { id: string }): void
  /** Its outcome cannot be written. This process does not send it again, but the lane need not wait for it. */
  refuse(callback: Lane & { id: string }): void
  /** Whether outcomes of the lane are still to be written. */
  isWaiting(lane: Lane): boolean
  /** How many requests are open, in all and of one lane. */
  countOpen(lane?: Lane): number
  ids(lane: Lane): string[]
  entries(lane: Lane): string[]
}

export function createFlights(): Flights {
  const byLane = new Map<string, Map<string, string>>()
  const open = new Map<string, number>()
  const refused = new Map<string, Set<string>>()
  let total = 0

  function addOpen(lane: Lane, change: number): void {
    const key = toLaneKey(lane)
    total += change
    open.set(key, (open.get(key) ?? 0) + change)
    if (open.get(key) === 0) open.delete(key)
  }

  return {
    start(claimed) {
      const key = toLaneKey(claimed)
      const lane = byLane.get(key) ?? new Map<string, string>()
      byLane.set(key, lane.set(claimed.id, toSendingEntry(claimed.id, claimed.attempt - 1, claimed.trigger)))
      addOpen(claimed, 1)
    },
    land: (claimed) => addOpen(claimed, -1),
    end(callback) {
      const key = toLaneKey(callback)
      const lane = byLane.get(key)
      lane?.delete(callback.id)
      if (lane?.size === 0) byLane.delete(key)
    },
    refuse(callback) {
      const key = toLaneKey(callback)
      refused.set(key, (refused.get(key) ?? new Set()).add(callback.id))
    },
    isWaiting(lane) {
      const key = toLaneKey(lane)
      return (byLane.get(key)?.size ?? 0) > (refused.get(key)?.size ?? 0)
    },
    countOpen: (lane) => (lane === undefined ? total : (open.get(toLaneKey(lane)) ?? 0)),
    ids: (lane) => [...(byLane.get(toLaneKey(lane))?.keys() ?? [])],
    entries: (lane) => [...(byLane.get(toLaneKey(lane))?.values() ?? [])],
  }
}
