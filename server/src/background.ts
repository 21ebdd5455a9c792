// Everything that works without a request: callbacks, open payments, mails, and tidying up.
import { removeStale } from './accounts/cleanup.ts'
import { createMailWorker } from './accounts/mail/mail-worker.ts'
import { CARE_POLL_MS, tendLanes } from './callbacks/lane-care.ts'
import { removeOldDeliveries } from './callbacks/retention.ts'
import { startDeliveryWorker } from './callbacks/worker-loop.ts'
import { startLoop } from './lib/loop.ts'
import { eraseOnce } from './payments/erasure/erase.ts'
import { reportMissingUpstreams } from './payments/missing-upstreams.ts'
import { reconcileOnce } from './payments/reconcile.ts'
import { foldAllFigures } from './payments/stats.ts'
import type { Deps } from './wire.ts'

/** A payer may be waiting on the page that says "being processed". */
const RECONCILE_POLL_MS = 1_000
const CLEANUP_POLL_MS = 10 * 60_000
/** As long as the texts wait after their hash was written. */
const ERASURE_POLL_MS = 60_000

export interface Background {
  stop(): Promise<void>
}

export function startBackground(deps: Deps): Background {
  const delivery = startDeliveryWorker(deps, (recorded) => deps.deliveryWaits.onRecorded(recorded))
  deps.wakeDelivery = () => delivery.wake()
  const mails = createMailWorker(deps)
  mails.start()
  const reconcile = startLoop({
    pollMs: RECONCILE_POLL_MS,
    step: async () => (await reconcileOnce(deps)) > 0,
    onError: (error) => deps.log.error({ err: error }, 'reconciling failed'),
  })
  const cleanup = startLoop({
    pollMs: CLEANUP_POLL_MS,
    step: async () => {
      await removeStale(deps)
      await removeOldDeliveries(deps)
      await foldAllFigures(deps)
      return false
    },
    onError: (error) => deps.log.error({ err: error }, 'cleaning up failed'),
  })
  const upstreams = startLoop({
    // At the start, and again for payments that a replica with the former settings has opened since.
    pollMs: CLEANUP_POLL_MS,
    step: () => reportMissingUpstreams(deps),
    onError: (error) => deps.log.error({ err: error }, 'checking the upstreams of payments failed'),
  })
  const erasure = startLoop({
    pollMs: ERASURE_POLL_MS,
    step: () => eraseOnce(deps),
    onError: (error) => deps.log.error({ err: error }, 'erasing the texts of old payments failed'),
  })
  const care = startLoop({
    pollMs: CARE_POLL_MS,
    step: async () => (await tendLanes(deps)) > 0,
    onError: (error) => deps.log.error({ err: error }, 'telling merchants about their callbacks failed'),
  })
  return {
    async stop() {
      const loops = [delivery, mails, reconcile, cleanup, upstreams, erasure, care]
      await Promise.all(loops.map((one) => one.stop()))
      await deps.publicFetch.close()
    },
  }
}
