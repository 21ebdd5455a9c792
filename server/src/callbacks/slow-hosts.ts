// Which hosts lately took long to respond. They are delivered to like all others, but with a limited number of slots
// together: otherwise a few dozen of them, each slow and none failing, would hold every slot there is.
import { SLOW_FOR_MS, SLOW_MS } from './lanes.ts'

export interface SlowHosts {
  /** Something is in flight there; returns what to call when it is back. */
  watch(host: string): () => void
  list(): string[]
}

/** Known to this process alone: it learns from a few slow responses, and the database stores nothing. */
export function createSlowHosts(nowMs: () => number = () => performance.now()): SlowHosts {
  const inFlight = new Set<{ host: string; sinceMs: number }>()
  const slowAtMs = new Map<string, number>()

  function markIfSlow({ host, sinceMs }: { host: string; sinceMs: number }): void {
    if (nowMs() - sinceMs >= SLOW_MS) slowAtMs.set(host, nowMs())
  }

  return {
    watch(host) {
      const one = { host, sinceMs: nowMs() }
      inFlight.add(one)
      return () => {
        inFlight.delete(one)
        markIfSlow(one)
      }
    },
    list() {
      for (const one of inFlight) markIfSlow(one)
      for (const [host, atMs] of slowAtMs) if (nowMs() - atMs > SLOW_FOR_MS) slowAtMs.delete(host)
      return [...slowAtMs.keys()]
    },
  }
}
