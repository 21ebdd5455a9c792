// Notices background loops of this process that hang. A step that fails counts as alive: a database that is down must not
// make a supervisor restart every process.

/** Longer than any step takes when upstreams and the database are slow. */
const STEP_MAX_MS = 5 * 60_000

export interface LoopHealth {
  /** Starts watching a loop. The returned function is to be called after each of its steps. */
  watch(name: string, pollMs: number): () => void
  /** Loops that have not ended a step for longer than their poll interval and the longest step together. */
  listHanging(): string[]
}

export function createLoopHealth(nowMs: () => number = () => performance.now()): LoopHealth {
  const loops: { name: string; silenceMaxMs: number; steppedMs: number }[] = []
  return {
    watch(name, pollMs) {
      const loop = { name, silenceMaxMs: pollMs + STEP_MAX_MS, steppedMs: nowMs() }
      loops.push(loop)
      return () => {
        loop.steppedMs = nowMs()
      }
    },
    listHanging: () =>
      loops.flatMap((loop) => (nowMs() - loop.steppedMs > loop.silenceMaxMs ? [loop.name] : [])),
  }
}
