// Which hosts were slow in the last minute. A host is slow if one live request took long, with or without a response. Slow
// hosts are served like all others, but together they get a limited number of slots. Otherwise a few dozen hosts, each slow
// and none failing, would occupy every slot.
import type { Mode } from '@pazar/contract'
import { SLOW_FOR_MS, SLOW_MS } from './lanes.ts'

export interface SlowHosts {
  /** Starts timing a request, and returns the function to call when it has ended. Test requests never make a host slow. */
  watch(request: { mode: Mode; host: string }): () => void
  list(): string[]
}

/** Stored only in the memory of this process. After a restart, the next slow request marks the host again. */
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
