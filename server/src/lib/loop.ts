// A background loop: runs a step, again at once while there is work, and otherwise waits to be woken or for the poll.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop {
  wake(): void
  /** Lets the step in hand end, then resolves. */
  stop(): Promise<void>
}

export function startLoop(options: {
  /** Answers whether it found work, so that the next step comes without a pause. */
  step: () => Promise<boolean>
  pollMs: number
  onError: (error: unknown) => void
}): Loop {
  let stopping = false
  let nap = new AbortController()
  let woken = false

  async function pause(ms: number): Promise<void> {
    if (woken || stopping) {
      woken = false
      return
    }
    nap = new AbortController()
    // An abort is the wake-up itself, so nothing is lost by swallowing it.
    await sleep(ms, undefined, { signal: nap.signal }).catch(() => undefined)
    woken = false
  }

  async function run(): Promise<void> {
    while (!stopping) {
      let found = false
      try {
        found = await options.step()
      } catch (error) {
        options.onError(error)
      }
      if (!found) await pause(options.pollMs)
    }
  }

  const done = run()
  return {
    wake() {
      // Once is enough, and every abort makes an error with a stack.
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
