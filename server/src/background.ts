import { removeStale } from './accounts/cleanup.ts'
import { applyFactorResets } from './accounts/factors/reset-factors.ts'
import { RETRY_AFTER_SEC } from './accounts/mail/mail-worker.ts'
import { planMailsSooner } from './accounts/mail/mails-store.ts'
import { createMailer } from './accounts/mailer.ts'
import { OUTAGE_MAILS_POLL_MS, sendOutageMails } from './deliveries/outage-mails.ts'
import { removeOldDeliveries } from './deliveries/retention.ts'
import { sendPlannedTooLate } from './callbacks/clock-store.ts'
import { startDeliveryWorker } from './callbacks/worker-loop.ts'
import { BACKENDS } from './config/upstreams.ts'
import { FEED_POLL_MS, publishWaiting } from './feed/publish.ts'
import { createDisputePoll, DISPUTES_POLL_MS } from './disputes/receive.ts'
import { LEDGER_BACKFILL } from './statements/backfill-store.ts'
import { backfillOnce } from './db/backfill.ts'
import { deleteFutureHeartbeats, hasFutureHeartbeat, saveHeartbeats } from './db/heartbeats-store.ts'
import { createRestoreWatch } from './reconciliation/watch-restore.ts'
import { startLoop } from './lib/loop.ts'
import { LONG_STEP_MAX_MS } from './lib/loop-health.ts'
import type { Loop } from './lib/loop.ts'
import { runAll } from './lib/run-all.ts'
import { eraseOnce } from './payments/erasure/erase.ts'
import { mailWaitingIncidents } from './payments/incident-mails.ts'
import { LOST_RESULTS_POLL_MS, reportLostResults } from './payments/lost-results.ts'
import { reportMissingUpstreams } from './payments/missing-upstreams.ts'
import { reconcileOnce } from './payments/reconcile.ts'
import { foldAllStats } from './payments/reads/stats.ts'
import { createBackgroundWatch, toReconcileLoop } from './payments/watch-background.ts'
import { deleteOldFiles } from './portal/files-store.ts'
import { reconcileRefundsOnce } from './refunds/reconcile.ts'
import { applyTransfers } from './projects/members/apply-transfer.ts'
import type { Deps } from './wire.ts'

export const POLL_MS = {
  /** Short, because a payer may be waiting for the result. */
  reconcile: 1_000,
  /** A loop without a heartbeat for two minutes counts as stopped, so heartbeats are saved several times in that time. */
  heartbeat: 15_000,
  /** Pages and deliveries notice a stop of payments within this time. Code that moves money notices the stop at once. */
  restore: 2_000,
  /** The pause between two checks for stopped loops. The first check also waits this long, so that other processes can start. */
  watch: 45_000,
  /** Mails about one kind of incident are at least an hour apart. A mail that is due waits at most this long. */
  incidentMails: 60_000,
  /** A text is erased at least a minute after its hash was stored, so polling more often would gain little. */
  erasure: 60_000,
  cleanup: 10 * 60_000,
}

/**
 * A heartbeat is saved for each loop that completed a step without an error within this time. A step of the delivery
 * loop or of a lookup loop takes less time, even if upstreams are slow.
 */
export const HEARTBEAT_FRESH_SEC = 60

export interface Background {
  stop(): Promise<void>
}

interface WatchedLoop {
  name: string
  step: () => Promise<boolean | void>
  pollMs: number
  /** Set if a step may take longer than usual. */
  stepMaxMs?: number
  failure: string
}

/** Starts a loop. A metric shows how long ago the loop completed a step, and /healthz fails when the loop hangs. */
function startWatchedLoop(deps: Deps, loop: WatchedLoop): Loop {
  const { name, step, pollMs, stepMaxMs, failure } = loop
  deps.metrics.startLoopAge(name)
  return startLoop({
    step,
    pollMs,
    onSuccess: () => deps.metrics.recordLoopStep(name),
    onStepEnd: deps.loopHealth.watch(name, pollMs, stepMaxMs),
    onError: (error) => deps.log.error({ err: error, loop: name }, failure),
  })
}

// Why this is long: it starts all loops.
export function startBackground(deps: Deps): Background {
  deps.metrics.startLoopAge('delivery')
  const delivery = startDeliveryWorker(deps, (recorded) => deps.deliveryWaits.onRecorded(recorded))
  deps.wakeDelivery = (lane) => delivery.wake(lane)
  const mails = createMailer(deps)
  mails.start()
  // One loop per upstream, so that an upstream that hangs does not delay the others.
  const reconcilers = BACKENDS.map((backend) =>
    startWatchedLoop(deps, {
      name: toReconcileLoop(backend),
      failure: 'reconciling failed',
      pollMs: POLL_MS.reconcile,
      step: async () => (await reconcileOnce(deps, { backend })) > 0,
    }),
  )
  const refunds = startWatchedLoop(deps, {
    name: 'refunds',
    failure: 'looking up refunds failed',
    pollMs: POLL_MS.reconcile,
    step: async () => (await reconcileRefundsOnce(deps)) > 0,
  })
  const cleanup = startWatchedLoop(deps, {
    name: 'cleanup',
    failure: 'cleaning up failed',
    pollMs: POLL_MS.cleanup,
    stepMaxMs: LONG_STEP_MAX_MS,
    step: () =>
      runAll([
        () => applyFactorResets(deps),
        () => applyTransfers(deps),
        () => removeStale(deps),
        () => removeOldDeliveries(deps),
        () => deleteOldFiles(deps.db),
        () => foldAllStats(deps),
      ]),
  })
  const upstreams = startWatchedLoop(deps, {
    name: 'upstreams',
    failure: 'checking the upstreams of payments failed',
    // The check is repeated, because a replica with the previous settings may still open payments at a removed upstream.
    pollMs: POLL_MS.cleanup,
    step: () => reportMissingUpstreams(deps),
  })
  const lostResults = startLostResultsCheck(deps)
  const erasure = startWatchedLoop(deps, {
    name: 'erasure',
    failure: 'erasing the texts of old payments failed',
    pollMs: POLL_MS.erasure,
    step: () => eraseOnce(deps),
  })
  const incidentMails = startWatchedLoop(deps, {
    name: 'incident_mails',
    failure: 'mailing the operator about incidents failed',
    pollMs: POLL_MS.incidentMails,
    step: () => mailWaitingIncidents(deps),
  })
  const disputes = startDisputePoll(deps)
  const feed = startPublisher(deps)
  const outageMails = startWatchedLoop(deps, {
    name: 'care',
    failure: 'mailing merchants about their callbacks failed',
    pollMs: OUTAGE_MAILS_POLL_MS,
    step: async () => (await sendOutageMails(deps)) > 0,
  })
  const heartbeats = startLoop({
    pollMs: POLL_MS.heartbeat,
    step: () => beat(deps),
    onError: (error) => deps.log.warn({ err: error }, 'saving the heartbeats of the loops failed'),
  })
  return {
    async stop() {
      const loops = [
        delivery,
        mails,
        ...reconcilers,
        refunds,
        cleanup,
        upstreams,
        lostResults,
        erasure,
        incidentMails,
        disputes,
        feed,
        outageMails,
        heartbeats,
      ]
      await Promise.all(loops.map((one) => one.stop()))
      await deps.publicFetch.close()
    },
  }
}

async function beat({ db, log, metrics }: Deps): Promise<void> {
  if (await hasFutureHeartbeat(db)) {
    const callbacks = await sendPlannedTooLate(db)
    const mails = await planMailsSooner(db, RETRY_AFTER_SEC)
    log.warn(
      { callbacks, mails },
      'the database’s clock was turned back; callbacks and mails that were planned too far ahead are sent sooner',
    )
    // The heartbeats are deleted last, so that the next step tries again if this one fails.
    await deleteFutureHeartbeats(db)
  }
  await saveHeartbeats(db, metrics.listActiveLoops(HEARTBEAT_FRESH_SEC))
}

function startDisputePoll(deps: Deps): Background {
  return startWatchedLoop(deps, {
    name: 'disputes',
    failure: 'polling disputes failed',
    pollMs: DISPUTES_POLL_MS,
    stepMaxMs: LONG_STEP_MAX_MS,
    step: createDisputePoll(deps),
  })
}

function startPublisher(deps: Deps): Background {
  return startWatchedLoop(deps, {
    name: 'feed',
    failure: 'publishing events failed',
    pollMs: FEED_POLL_MS,
    // Payments that are older than the ledger are posted to it too. Until all are posted, no statement can be read.
    step: async () => (await publishWaiting(deps)) || backfillOnce(deps.db, LEDGER_BACKFILL),
  })
}

function startLostResultsCheck(deps: Deps): Background {
  return startWatchedLoop(deps, {
    name: 'lost_results',
    failure: 'checking for lost results failed',
    pollMs: LOST_RESULTS_POLL_MS,
    stepMaxMs: LONG_STEP_MAX_MS,
    step: async () => void (await reportLostResults(deps)),
  })
}

/** Runs in processes that serve requests. Notices if callbacks or lookups are due and no process runs their loop. */
export function startBackgroundWatch(deps: Deps): Background {
  return startLoop({
    pollMs: POLL_MS.watch,
    step: createWatchStep(createBackgroundWatch(deps)),
    onError: (error) => deps.log.warn({ err: error }, 'checking for stopped loops failed'),
  })
}

/** The first step checks nothing, because the loops of other processes may still be starting. */
export function createWatchStep(check: () => Promise<void>): () => Promise<void> {
  let isFirst = true
  return async () => {
    if (!isFirst) await check()
    isFirst = false
  }
}

/**
 * Stops payments if the database lacks payments or refunds, for example after a restore. `checked` resolves once the first
 * check has ended.
 */
export function startRestoreWatch(deps: Deps): Background & { checked: Promise<void> } {
  const checked = Promise.withResolvers<void>()
  const loop = startLoop({
    pollMs: POLL_MS.restore,
    step: createRestoreWatch(deps),
    onStepEnd: () => checked.resolve(),
    onError: (error) =>
      deps.log.warn({ err: error }, 'checking for lost writes failed; the check is repeated'),
  })
  return { stop: () => loop.stop(), checked: checked.promise }
}
