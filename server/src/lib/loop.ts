// While there is work, a loop repeats its step without a pause. Without work, the loop waits for the
// next poll. After a failure, the loop waits before it repeats the step. A wake-up ends both waits early.
import { setTimeout as sleep } from 'node:timers/promises'

/** The wait after the first failure. Each further failure doubles it. No wait is longer than the poll interval. */
const RETRY_MS_MIN = 1_000

export interface Loop {
  wake(): void
  stop(): Promise<void>
}

export function startLoop(options: {
  /** True: there was work, and the next step runs without a pause. */
  step: () => Promise<boolean | void>
  pollMs: number
  onError: (error: unknown) => void
  onSuccess?: () => void
  /** Called after each step, even one that failed. */
  onStepEnd?: () => void
  /** Must end or reject when the signal is aborted. Only tests set it. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}): Loop {
  const { pollMs, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  let stopping = false
  let wakeUp = new AbortController()
  let woken = false

  async function pause(ms: number): Promise<void> {
    if (woken || stopping) {
      woken = false
      return
    }
    wakeUp = new AbortController()
    // The only error is the abort, by a wake-up or a stop.
    await wait(ms, wakeUp.signal).catch(() => undefined)
    woken = false
  }

  async function runSteps(): Promise<void> {
    let retryMs = RETRY_MS_MIN
    while (!stopping) {
      try {
        const foundWork = await options.step()
        options.onSuccess?.()
        options.onStepEnd?.()
        retryMs = RETRY_MS_MIN
        if (!foundWork) await pause(pollMs)
      } catch (error) {
        options.onStepEnd?.()
        options.onError(error)
        await pause(Math.min(retryMs, pollMs))
        retryMs *= 2
      }
    }
  }

  const ended = runSteps()
  return {
    wake() {
      // Already woken: another abort would only create another error with a stack trace.
      if (woken) return
      woken = true
      wakeUp.abort()
    },
    async stop() {
      stopping = true
      wakeUp.abort()
      await ended
    },
  }
}
