// Notices background loops of this process that hang. A loop whose steps fail does not count as hanging, because a
// database that is down must not make a supervisor restart every process.

/** Even with slow upstreams and a slow database, a usual step is shorter. */
const STEP_MAX_MS = 5 * 60_000
/**
 * For steps that read or delete long lists. If the process is restarted during a step, the step begins again. With a
 * shorter maximum, the step might never be complete.
 */
export const LONG_STEP_MAX_MS = 60 * 60_000

export interface LoopHealth {
  /** Starts watching a loop, which must call the returned function after each step. */
  watch(name: string, pollMs: number, stepMaxMs?: number): () => void
  listHanging(): string[]
}

export function createLoopHealth(nowMs: () => number = () => performance.now()): LoopHealth {
  const loops: { name: string; stepGapMaxMs: number; steppedMs: number }[] = []
  return {
    watch(name, pollMs, stepMaxMs = STEP_MAX_MS) {
      const loop = { name, stepGapMaxMs: pollMs + stepMaxMs, steppedMs: nowMs() }
      loops.push(loop)
      return () => {
        loop.steppedMs = nowMs()
      }
    },
    listHanging: () =>
      loops.flatMap((loop) => (nowMs() - loop.steppedMs > loop.stepGapMaxMs ? [loop.name] : [])),
  }
}
