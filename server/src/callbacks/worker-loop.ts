// Sends what is due: claims as many callbacks as there are free hands, and never waits for a slow shop before taking
// the next. Woken in-process after a commit or by another process's note; the poll finds whatever a lost note meant.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoop } from '../lib/loop.ts'
import { claimProbes, hastenLane } from './breaker-store.ts'
import type { Claimed } from './claim-store.ts'
import { claimCallbacks, releaseClaims, releaseUnanswered } from './claim-store.ts'
import { deliver } from './deliver.ts'
import type { CallbackDeps } from './deps.ts'
import { createFlusher } from './record.ts'
import type { Flushed, Recorded } from './record-store.ts'
import type { Lane } from './lanes.ts'
import { countHeld, RECOVER_GRACE_MS, SLOTS } from './lanes.ts'
import { createSlowHosts } from './slow-hosts.ts'

/** The backstop for a wake-up that got lost, and what finds retries that came due; one indexed query a second. */
const POLL_MS = 1_000

/**
 * With a backlog, every answer frees a hand; claiming for each alone would cost a statement per callback. Hands gather
 * for this long, or until so many have become free.
 */
const GATHER_MS = 20
const GATHERED = 96

/**
 * Answers that are not written down yet, at most: their shops have been served and their hands are free, but what is
 * taken faster than it can be written would be more and more to send again after a crash.
 */
export const UNWRITTEN_MAX = SLOTS

/**
 * Looks in a row that took nothing, because another process was at the same rows or these lanes had nothing due. With
 * more, a row that somebody holds for long would keep a core busy; what is left is found by the poll.
 */
const EMPTY_LOOKS_MAX = 8
const EMPTY_LOOK_GAP_MS = 10

/** Heard by every process that delivers, sent by those that do not or have no hand free. */
export const DUE_CHANNEL = 'callbacks_due'

export interface DeliveryWorker {
  wake(): void
  /** Stops claiming, lets requests end and their outcomes be written, gives the rest back. */
  stop(): Promise<void>
}

export function startDeliveryWorker(
  deps: CallbackDeps,
  onRecorded: (recorded: readonly Recorded[]) => void = () => undefined,
  nowMs: () => number = () => performance.now(),
): DeliveryWorker {
  const inFlight = new Map<Claimed, Promise<void>>()
  const flusher = createFlusher(deps, onFlushed)
  const slowHosts = createSlowHosts()
  let endedAt: Lane | null = null
  let emptyLooks = 0
  let hasMore = false
  let isStopping = false
  /** The claim of a look that the database has not answered, or never did. */
  let unanswered: string | null = null
  /** The first claim that succeeded since the start or the last trouble with the database. */
  let isWellSinceMs: number | null = null
  /** Since the last look. */
  let freed = 0
  let onEnoughFreed: (() => void) | null = null

  function gatherHands(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, GATHER_MS)
      onEnoughFreed = end
      function end() {
        clearTimeout(timer)
        onEnoughFreed = null
        resolve()
      }
    })
  }

  function onFlushed({ recorded, healed }: Flushed): void {
    onRecorded(recorded)
    if (hasMore) loop.wake()
    for (const lane of healed) {
      hastenLane(deps.db, lane).then(
        () => loop.wake(),
        // What is lost is speed: the rows keep the times they had.
        (error: unknown) =>
          deps.log.warn({ err: error, ...lane }, 'a lane that healed was not brought forward'),
      )
    }
  }

  async function handle(claimed: Claimed): Promise<void> {
    const isBack = slowHosts.watch(claimed.host)
    const record = await deliver(deps, claimed).finally(isBack)
    deps.metrics.attempt(record.outcome)
    flusher.add(record)
  }

  function send(claimed: Claimed): void {
    const sending = handle(claimed)
      // The lease runs out, and the next claim puts the try on record as interrupted.
      .catch((error: unknown) => deps.log.error({ err: error, callbackId: claimed.id }, 'a claim was left'))
      .finally(() => {
        inFlight.delete(claimed)
        freed += 1
        if (freed >= GATHERED) onEnoughFreed?.()
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
      isWellSinceMs = null
      deps.log.error({ err: error }, 'claiming callbacks failed')
    },
    onStep: () => deps.metrics.loopBeat('delivery'),
    async step() {
      if (hasMore && freed < GATHERED) await gatherHands()
      freed = 0
      const free = SLOTS - inFlight.size
      // Outcomes come first: a claim would take over the leases that ran out while they could not be written, and send
      // once more what was accepted.
      if (free <= 0 || flusher.countWaiting() >= UNWRITTEN_MAX || flusher.isHeldUp()) {
        if (flusher.isHeldUp()) isWellSinceMs = null
        hasMore = true
        return false
      }
      if (unanswered !== null) await releaseUnanswered(deps.db, unanswered)
      unanswered = randomUUID()
      const held = countHeld(inFlight.keys())
      if (deps.db.hadTroubleLately()) isWellSinceMs = null
      const mayRecover = isWellSinceMs !== null && nowMs() - isWellSinceMs >= RECOVER_GRACE_MS
      const slow = slowHosts.list()
      const claim = await claimCallbacks(deps.db, free, endedAt, held, slow, unanswered, mayRecover)
      isWellSinceMs ??= nowMs()
      unanswered = null
      endedAt = claim.endedAt
      hasMore = claim.hasMore
      await sendAll(claim.claimed)
      if (claim.tripped.length > 0) await sendAll(await claimProbes(deps.db, claim.tripped))
      if (claim.claimed.length > 0 || claim.hasRecovered) {
        emptyLooks = 0
        return claim.hasRecovered || claim.isContended || claim.hasMore
      }
      emptyLooks = claim.isContended || claim.isCutShort ? (emptyLooks + 1) % EMPTY_LOOKS_MAX : 0
      if (emptyLooks > 0) await sleep(EMPTY_LOOK_GAP_MS)
      return emptyLooks > 0
    },
  })
  const stopListening = deps.db.signals.listen(DUE_CHANNEL, () => loop.wake())

  return {
    wake() {
      loop.wake()
      // With every hand busy here, or none taking anything any more, another process may have one free.
      if (isStopping || inFlight.size >= SLOTS) deps.db.signals.notify(DUE_CHANNEL)
    },
    async stop() {
      isStopping = true
      stopListening()
      await loop.stop()
      await Promise.all(inFlight.values())
      await flusher.drain()
    },
  }
}
