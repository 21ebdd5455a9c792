// Notices background loops of this process that hang. A loop whose steps fail does not count as hanging, because a
// database that is down must not make a supervisor restart every process.

/** Even with slow upstreams and a slow database, every step is shorter. */
const STEP_MAX_MS = 5 * 60_000

export interface LoopHealth {
  /** Starts watching a loop, which must call the returned function after each step. */
  watch(name: string, pollMs: number): () => void
  listHanging(): string[]
}

export function createLoopHealth(nowMs: () => number = () => performance.now()): LoopHealth {
  const loops: { name: string; stepGapMaxMs: number; steppedMs: number }[] = []
  return {
    watch(name, pollMs) {
      const loop = { name, stepGapMaxMs: pollMs + STEP_MAX_MS, steppedMs: nowMs() }
      loops.push(loop)
      return () => {
        loop.steppedMs = nowMs()
      }
    },
    listHanging: () =>
      loops.flatMap((loop) => (nowMs() - loop.steppedMs > loop.stepGapMaxMs ? [loop.name] : [])),
  }
}
