// Sends the callbacks that are due in the lanes of this process. ownership.ts decides which lanes this process serves.
// scheduler.ts decides how many callbacks each lane may send now. fetch-store.ts decides which callbacks these are.
// Wake-ups start a fetch, and polling covers lost notifications.
import { startLoop } from '../lib/loop.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import { deliver, toAbandonedRecord } from './deliver.ts'
import type { CallbackDeps } from './deps.ts'
import type { PlannedFetch } from './fetch-plan.ts'
import { planFetch } from './fetch-plan.ts'
import { fetchDue } from './fetch-store.ts'
import { createFlights } from './flights.ts'
import { hastenLane } from './hasten-store.ts'
import type { LaneHealth } from './health-store.ts'
import type { Lane } from './lanes.ts'
import { parseLaneKeys, SLOTS, toLaneKey } from './lanes.ts'
import { updateNewSince } from './new-since.ts'
import { isTripped, postponeProbe, updateAfterFetch, updateHealth } from './owned-lanes.ts'
import { DUE_CHANNEL, startOwnership } from './ownership.ts'
import { createRecorder } from './record.ts'
import type { AttemptRecord, RecordedCallback } from './record-store.ts'
import { createSlowHosts } from './slow-hosts.ts'

/** Polling is only a safety net: the beat of ownership.ts also wakes this loop once a second. */
const POLL_MS = 1_000

/**
 * If more callbacks may be due, the next fetch waits for FETCH_DELAY_MS, or until FREED_BATCH slots were freed since the last
 * fetch.
 */
const FETCH_DELAY_MS = 20
const FREED_BATCH = 96

/**
 * While this many outcomes wait to be recorded, nothing is fetched. After a crash, the callbacks of these outcomes are
 * sent again, so there must not be many.
 */
export const UNRECORDED_MAX = SLOTS

/** If a fetch takes longer than this, its callbacks are not sent, because another process may own the lane by now. */
const FETCH_MS_MAX = 5_000

export interface DeliveryWorker {
  wake(lane?: Lane): void
  /** Stops fetching, waits for requests in flight and their records, and gives the lanes back. */
  stop(): Promise<void>
}

// Why this is long: short functions that share the requests in flight.
export function startDeliveryWorker(
  deps: CallbackDeps,
  onRecorded: (recorded: readonly RecordedCallback[]) => void = () => undefined,
  graceNowMs: () => number = () => performance.now(),
): DeliveryWorker {
  const flights = createFlights()
  const slowHosts = createSlowHosts()
  const recorder = createRecorder(deps, {
    onRecorded(recorded, written) {
      for (const one of written) flights.markRecorded(one)
      onRecorded(recorded)
      if (hasMore) loop.wake()
    },
    onHealth: (health) => health.forEach(onHealth),
    onRefused,
  })
  const isRecorderFull = () => recorder.countWaiting() >= UNRECORDED_MAX || recorder.isBlocked()
  let hasMore = false
  /** The last fetch found something, or no lane could get a slot. */
  let isBusy = false
  let isStopping = false
  let freed = 0
  let onEnoughFreed: (() => void) | null = null
  let onAllEnded: (() => void) | null = null

  function waitForFreeSlots(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, FETCH_DELAY_MS)
      onEnoughFreed = end
      function end() {
        clearTimeout(timer)
        onEnoughFreed = null
        resolve()
      }
    })
  }

  function onRefused(callback: Lane & { id: string }): void {
    flights.markRefused(callback)
    const lane = ownership.lanes.get(toLaneKey(callback))
    if (lane) postponeProbe(lane, performance.now())
  }

  function onHealth(health: LaneHealth): void {
    const lane = ownership.lanes.get(toLaneKey(health))
    if (lane) updateHealth(lane, health, performance.now())
    if (health.recoveredAt === null) return
    hastenLane(deps.db, { ...health, recoveredAt: health.recoveredAt }).then(
      () => wake(health),
      // The callbacks keep their due times, so only time is lost.
      (error: unknown) =>
        deps.log.warn(
          { err: error, projectId: health.projectId, mode: health.mode },
          'callbacks of a recovered lane were not brought forward',
        ),
    )
  }

  async function attempt(callback: OutgoingCallback): Promise<AttemptRecord> {
    const stopTiming = slowHosts.watch(callback)
    try {
      return await deliver(deps, callback)
    } catch (error) {
      deps.log.error({ err: error, callbackId: callback.id }, 'an attempt was abandoned')
      // Without a record, the callback would stay in `flights`, and this process would never send it again.
      return toAbandonedRecord(deps, callback)
    } finally {
      stopTiming()
    }
  }

  /** Never rejects. */
  async function sendCallback(callback: OutgoingCallback): Promise<void> {
    flights.start(callback)
    try {
      const record = await attempt(callback)
      deps.metrics.countAttempt(record.outcome)
      recorder.add(record)
    } catch (error) {
      // The callback may have arrived, so this process does not send it again.
      deps.log.error({ err: error, callbackId: callback.id }, 'an outcome was lost')
      onRefused(callback)
    } finally {
      flights.endRequest(callback)
      freed += 1
      if (freed >= FREED_BATCH) onEnoughFreed?.()
      // While too many outcomes wait, a step would fetch nothing. `onRecorded` wakes the loop when they are recorded.
      if (hasMore && !isRecorderFull()) loop.wake()
      if (flights.countOpen() === 0) onAllEnded?.()
    }
  }

  async function untilAllEnded(): Promise<void> {
    if (flights.countOpen() > 0) await new Promise<void>((resolve) => (onAllEnded = resolve))
  }

  /** Returns how many callbacks were sent; null if no lane may get a slot now. */
  async function fetchAndSend(): Promise<number | null> {
    const owned = [...ownership.lanes.values()]
    const plan = planFetch(owned, flights, performance.now(), new Set(slowHosts.list()))
    if (plan.length === 0) return null
    for (const { lane } of plan) lane.isFetching = true
    try {
      return await runFetch(plan)
    } finally {
      for (const { lane } of plan) lane.isFetching = false
    }
  }

  async function runFetch(plan: readonly PlannedFetch[]): Promise<number> {
    const startedMs = performance.now()
    const requests = plan.map(({ request }) => request)
    const fetched = await fetchDue(deps.db, ownership.processId, requests)
    const isInTime = performance.now() - startedMs < FETCH_MS_MAX
    if (isStopping || !isInTime) return 0
    for (const one of fetched) void sendCallback(one)
    const byLane = Map.groupBy(fetched, toLaneKey)
    const nowMs = performance.now()
    for (const { lane, wakes, share, request } of plan) {
      const found = byLane.get(toLaneKey(lane)) ?? []
      updateAfterFetch(lane, { found: found.length, share, wakes }, nowMs)
      const newOnes = found.filter(({ isNew }) => isNew).map(({ dueAt }) => dueAt)
      lane.newCallbacks = updateNewSince(
        lane.newCallbacks,
        { newSince: request.newSince ?? null, found: newOnes },
        nowMs,
      )
    }
    return fetched.length
  }

  const ownership = startOwnership(deps, flights, () => loop.wake(), graceNowMs)
  const loop = startLoop({
    pollMs: POLL_MS,
    onError: (error) => {
      ownership.onTrouble()
      deps.log.error({ err: error }, 'fetching callbacks failed')
    },
    onSuccess: () => deps.metrics.recordLoopStep('delivery'),
    onStepEnd: deps.loopHealth.watch('delivery', POLL_MS),
    async step() {
      if (deps.restoreGate.isClosed()) return false
      if (hasMore && isBusy && freed < FREED_BATCH) await waitForFreeSlots()
      if (isRecorderFull()) {
        hasMore = true
        return false
      }
      freed = 0
      const sent = await fetchAndSend()
      isBusy = sent !== 0
      hasMore = [...ownership.lanes.values()].some(
        (lane) => !lane.isDry && !lane.isMoving && !isTripped(lane),
      )
      return hasMore && sent !== null
    },
  })
  const stopListening = deps.db.signals.listen(DUE_CHANNEL, (payload) => {
    if (payload === null) ownership.onSession()
    const lanes = parseLaneKeys(payload ?? '')
    if (lanes.length === 0) wakeHere()
    for (const lane of lanes) wakeHere(lane)
  })

  function wakeHere(lane?: Lane): void {
    ownership.wake(lane)
    loop.wake()
  }

  function wake(lane?: Lane): void {
    wakeHere(lane)
    const isOurs = lane !== undefined && ownership.lanes.has(toLaneKey(lane))
    if (isStopping || (!isOurs && ownership.hasOthers()))
      deps.db.signals.notify(DUE_CHANNEL, lane && toLaneKey(lane))
  }

  return {
    wake,
    async stop() {
      isStopping = true
      stopListening()
      await loop.stop()
      ownership.leave()
      await untilAllEnded()
      await recorder.drain()
      await ownership.stop()
    },
  }
}
