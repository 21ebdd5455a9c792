// Sends what is due: claims as many callbacks as there are free hands, and never waits for a slow shop before taking
// the next. Woken in-process after a commit; the poll finds what other processes wrote.
import { startLoop } from '../lib/loop.ts'
import { claimCallbacks, releaseClaim } from './claim-store.ts'
import type { DeliveryDeps } from './deliver.ts'
import { deliver } from './deliver.ts'

/** Requests in flight at once: enough to keep two cores busy while slow shops hold their slots. */
const IN_FLIGHT_MAX = 128
/** The backstop for a wake-up that got lost; it costs one indexed query a second. */
const POLL_MS = 1_000

export interface DeliveryWorker {
  wake(): void
  stop(): Promise<void>
}

export function startDeliveryWorker(deps: DeliveryDeps): DeliveryWorker {
  const inFlight = new Set<Promise<void>>()
  let stopping = false

  function send(claimed: Awaited<ReturnType<typeof claimCallbacks>>[number]): void {
    const sending = deliver(deps, claimed)
      .catch((error: unknown) => {
        // Nothing was recorded, so the lease runs out and the callback is tried again under the same id.
        deps.log.error({ err: error, callbackId: claimed.id }, 'a delivery could not be finished')
      })
      .finally(() => {
        inFlight.delete(sending)
        loop.wake()
      })
    inFlight.add(sending)
  }

  const loop = startLoop({
    pollMs: POLL_MS,
    onError: (error) => deps.log.error({ err: error }, 'claiming callbacks failed'),
    async step() {
      const free = IN_FLIGHT_MAX - inFlight.size
      if (free === 0) return false
      const claimed = await claimCallbacks(deps.db, free)
      for (const one of claimed) {
        if (stopping) await releaseClaim(deps.db, one)
        else send(one)
      }
      return claimed.length > 0
    },
  })

  return {
    wake: () => loop.wake(),
    async stop() {
      stopping = true
      await loop.stop()
      await Promise.all(inFlight)
    },
  }
}
