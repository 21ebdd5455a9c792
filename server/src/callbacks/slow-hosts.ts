// Which hosts lately took long to answer. They are delivered to like all others, but with a limited number of hands
// together: otherwise a few dozen of them, each slow and none failing, would hold every hand there is.
import { SLOW_FOR_MS, SLOW_MS } from './lanes.ts'

export interface SlowHosts {
  /** Something is on its way there; returns what to call when it is back. */
  watch(host: string): () => void
  list(): string[]
}

/** Known to this process alone: a few slow answers teach it, and the database has nothing to keep. */
export function createSlowHosts(nowMs: () => number = () => performance.now()): SlowHosts {
  const onTheWay = new Set<{ host: string; sinceMs: number }>()
  const slowAtMs = new Map<string, number>()

  function note({ host, sinceMs }: { host: string; sinceMs: number }): void {
    if (nowMs() - sinceMs >= SLOW_MS) slowAtMs.set(host, nowMs())
  }

  return {
    watch(host) {
      const one = { host, sinceMs: nowMs() }
      onTheWay.add(one)
      return () => {
        onTheWay.delete(one)
        note(one)
      }
    },
    list() {
      for (const one of onTheWay) note(one)
      for (const [host, atMs] of slowAtMs) if (nowMs() - atMs > SLOW_FOR_MS) slowAtMs.delete(host)
      return [...slowAtMs.keys()]
    },
  }
}
