// Sends due callbacks: claims as many as there are free slots, and never waits for a slow merchant before claiming
// the next. Woken in-process after a commit or by a notification of another process; polling covers lost notifications.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoop } from '../lib/loop.ts'
import { claimProbes, hastenLane } from './breaker-store.ts'
import type { Claimed } from './claimed.ts'
import { claimCallbacks } from './claim-store.ts'
import { releaseClaims, releaseUnconfirmed } from './release-store.ts'
import { deliver } from './deliver.ts'
import type { CallbackDeps } from './deps.ts'
import { createRecorder } from './record.ts'
import type { RecordedBatch, Recorded } from './record-store.ts'
import type { Lane } from './lanes.ts'
import { countHeld, RECOVER_GRACE_MS, SLOTS } from './lanes.ts'
import { createSlowHosts } from './slow-hosts.ts'

/** Covers lost wake-ups and finds due retries; one indexed query a second. */
const POLL_MS = 1_000

/**
 * With a backlog, every response frees a slot; a claim for each would cost a statement per callback. So a claim waits
 * this long, or until this many slots are free.
 */
const BATCH_DELAY_MS = 20
const FREED_BATCH = 96

/**
 * The most outcomes that may wait to be recorded. Their merchants have been served and their slots are free, but after a
 * crash they would be sent again, so their number is limited.
 */
export const UNRECORDED_MAX = SLOTS

/**
 * Polls in a row that claimed nothing, because another process had locked the rows or these lanes had nothing due. Without
 * a limit, a row that is locked for long would keep a core busy; the next regular poll finds the rest.
 */
const EMPTY_POLLS_MAX = 8
const EMPTY_POLL_GAP_MS = 10

/** Every process that delivers listens on it; the others, and those without a free slot, send on it. */
export const DUE_CHANNEL = 'callbacks_due'

export interface DeliveryWorker {
  wake(): void
  /** Stops claiming, waits for requests in flight and their records, releases the rest. */
  stop(): Promise<void>
}

// Long: short functions that share the state of one loop.
export function startDeliveryWorker(
  deps: CallbackDeps,
  onRecorded: (recorded: readonly Recorded[]) => void = () => undefined,
  nowMs: () => number = () => performance.now(),
): DeliveryWorker {
  const inFlight = new Map<Claimed, Promise<void>>()
  const recorder = createRecorder(deps, onBatchRecorded)
  const slowHosts = createSlowHosts()
  let endedAt: Lane | null = null
  let emptyPolls = 0
  let hasMore = false
  let isStopping = false
  /** The claim of a poll that the database has not confirmed yet, or never did. */
  let unconfirmed: string | null = null
  /** When the first claim succeeded since the start or the last trouble with the database. */
  let healthySinceMs: number | null = null
  /** Slots freed since the last poll. */
  let freed = 0
  let onEnoughFreed: (() => void) | null = null

  function waitForFreeSlots(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, BATCH_DELAY_MS)
      onEnoughFreed = end
      function end() {
        clearTimeout(timer)
        onEnoughFreed = null
        resolve()
      }
    })
  }

  function onBatchRecorded({ recorded, recovered }: RecordedBatch): void {
    onRecorded(recorded)
    if (hasMore) loop.wake()
    for (const lane of recovered) {
      hastenLane(deps.db, lane).then(
        () => loop.wake(),
        // Only time is lost: the callbacks keep the due times they had.
        (error: unknown) =>
          deps.log.warn({ err: error, ...lane }, 'callbacks of a recovered lane were not brought forward'),
      )
    }
  }

  async function handle(claimed: Claimed): Promise<void> {
    const isBack = slowHosts.watch(claimed.host)
    const record = await deliver(deps, claimed).finally(isBack)
    deps.metrics.attempt(record.outcome)
    recorder.add(record)
  }

  function send(claimed: Claimed): void {
    const sending = handle(claimed)
      // The lease expires, and the next claim records the attempt as interrupted.
      .catch((error: unknown) =>
        deps.log.error({ err: error, callbackId: claimed.id }, 'a claim was abandoned'),
      )
      .finally(() => {
        inFlight.delete(claimed)
        freed += 1
        if (freed >= FREED_BATCH) onEnoughFreed?.()
        if (hasMore) loop.wake()
      })
    inFlight.set(claimed, sending)
  }

  async function sendAll(claimed: readonly Claimed[]): Promise<void> {
    if (claimed.length === 0) return
    if (isStopping) await releaseClaims(deps.db, claimed)
    else for (const one of claimed) send(one)
  }

  const loop = startLoop({
    pollMs: POLL_MS,
    onError: (error) => {
      healthySinceMs = null
      deps.log.error({ err: error }, 'claiming callbacks failed')
    },
    onStep: () => deps.metrics.loopBeat('delivery'),
    onTick: deps.loopHealth.watch('delivery', POLL_MS),
    async step() {
      if (hasMore && freed < FREED_BATCH) await waitForFreeSlots()
      freed = 0
      const free = SLOTS - inFlight.size
      // Outcomes are written first: a claim would recover the leases that expired meanwhile, and send again what was
      // accepted.
      if (free <= 0 || recorder.countWaiting() >= UNRECORDED_MAX || recorder.isBlocked()) {
        if (recorder.isBlocked()) healthySinceMs = null
        hasMore = true
        return false
      }
      if (unconfirmed !== null) await releaseUnconfirmed(deps.db, unconfirmed)
      unconfirmed = randomUUID()
      const held = countHeld(inFlight.keys())
      if (deps.db.hadTroubleLately()) healthySinceMs = null
      const mayRecover = healthySinceMs !== null && nowMs() - healthySinceMs >= RECOVER_GRACE_MS
      const slow = slowHosts.list()
      const claim = await claimCallbacks(deps.db, free, endedAt, held, slow, unconfirmed, mayRecover)
      healthySinceMs ??= nowMs()
      unconfirmed = null
      endedAt = claim.endedAt
      hasMore = claim.hasMore
      await sendAll(claim.claimed)
      if (claim.tripped.length > 0) await sendAll(await claimProbes(deps.db, claim.tripped))
      if (claim.claimed.length > 0 || claim.hasRecovered) {
        emptyPolls = 0
        return claim.hasRecovered || claim.isContended || claim.hasMore
      }
      emptyPolls = claim.isContended || claim.isCutShort ? (emptyPolls + 1) % EMPTY_POLLS_MAX : 0
      if (emptyPolls > 0) await sleep(EMPTY_POLL_GAP_MS)
      return emptyPolls > 0
    },
  })
  const stopListening = deps.db.signals.listen(DUE_CHANNEL, () => loop.wake())

  return {
    wake() {
      loop.wake()
      // When every slot is busy here, or this worker is stopping, another process may have a free slot.
      if (isStopping || inFlight.size >= SLOTS) deps.db.signals.notify(DUE_CHANNEL)
    },
    async stop() {
      isStopping = true
      stopListening()
      await loop.stop()
      await Promise.all(inFlight.values())
      await recorder.drain()
    },
  }
}
