// A background loop: repeats a step at once while there is work, and otherwise waits for a wake-up or the next poll. A step
// that fails is retried after seconds, however long the poll interval is.
import { setTimeout as sleep } from 'node:timers/promises'

/** A database that restarts is back within seconds; each further failure doubles the wait, up to the poll interval. */
const RETRY_MS_MIN = 1_000

export interface Loop {
  wake(): void
  /** Resolves when the current step has ended. */
  stop(): Promise<void>
}

export function startLoop(options: {
  /** Returns whether it found work; if so, the next step runs without a pause. */
  step: () => Promise<boolean>
  pollMs: number
  onError: (error: unknown) => void
  /** After each step that did not fail. */
  onStep?: () => void
  /** After each step, also one that failed. */
  onTick?: () => void
  /** Rejects when the signal is aborted; tests replace it. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}): Loop {
  const { pollMs, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  let stopping = false
  let nap = new AbortController()
  let woken = false

  async function pause(ms: number): Promise<void> {
    if (woken || stopping) {
      woken = false
      return
    }
    nap = new AbortController()
    // An abort is the wake-up itself, so the error is ignored.
    await wait(ms, nap.signal).catch(() => undefined)
    woken = false
  }

  async function run(): Promise<void> {
    let retryMs = RETRY_MS_MIN
    while (!stopping) {
      try {
        const found = await options.step()
        options.onStep?.()
        options.onTick?.()
        retryMs = RETRY_MS_MIN
        if (!found) await pause(pollMs)
      } catch (error) {
        options.onTick?.()
        options.onError(error)
        await pause(Math.min(retryMs, pollMs))
        retryMs *= 2
      }
    }
  }

  const done = run()
  return {
    wake() {
      // Already woken, and every abort would create an error with a stack.
      if (woken) return
      woken = true
      nap.abort()
    },
    async stop() {
      stopping = true
      nap.abort()
      await done
    },
  }
}
