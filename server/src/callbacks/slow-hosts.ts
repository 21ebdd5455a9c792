// Finds the hosts that were slow in the last minute. A host is slow if one live request to it takes long, with or without a
// response. Slow hosts share a limited number of slots. Otherwise a few dozen of them would occupy every slot.
import type { Mode } from '@pazar/contract'
import { SLOW_FOR_MS, SLOW_MS } from './lanes.ts'

export interface SlowHosts {
  /** Returns the function to call when the request has ended. Test requests do not make a host slow. */
  watch(request: { mode: Mode; host: string }): () => void
  list(): string[]
}

export function createSlowHosts(nowMs: () => number = () => performance.now()): SlowHosts {
  const inFlight = new Set<{ host: string; sinceMs: number }>()
  const slowAtMs = new Map<string, number>()

  function markIfSlow({ host, sinceMs }: { host: string; sinceMs: number }): void {
    if (nowMs() - sinceMs >= SLOW_MS) slowAtMs.set(host, nowMs())
  }

  return {
    watch({ mode, host }) {
      if (mode === 'test') return () => undefined
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
