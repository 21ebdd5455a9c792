// The lanes that this process serves. Every second (a beat) the process renews its lease and checks which other
// processes are alive. It takes due lanes without a living owner, and gives back lanes that are idle or that another process
// should have.
// When a process dies, the next owner of its lanes holds back the callbacks that were in flight (`sending`). After
// RECOVER_GRACE_MS their attempts are logged as `interrupted`, and callbacks with attempts left are due again
// (recover-store.ts). A delivery that is recorded later replaces `interrupted`, unless a new round of attempts has
// started (record-store.ts).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/pool.ts'
import { isLost } from '../db/pool.ts'
import { CLOCKS_APART_MS_MAX } from '../db/server-problems.ts'
import type { Logger } from '../lib/logger.ts'
import { startLoop } from '../lib/loop.ts'
import type { LoopHealth } from '../lib/loop-health.ts'
import type { Flights } from './flights.ts'
import type { Sighting } from './lane-owner.ts'
import { findPreferred, judgeFleet, SESSION_WAIT_MS } from './lane-owner.ts'
import { findOwnedLanes, giveBackLanes, removeProcess, renewProcess, takeLanes } from './lane-store.ts'
import type { Lane } from './lanes.ts'
import { RECOVER_GRACE_MS, toLaneKey } from './lanes.ts'
import type { OwnedLane } from './owned-lanes.ts'
import { addLane, markMovingLanes, isAtRest, findLost, shouldGiveBack, syncLanes } from './owned-lanes.ts'
import { forgetHeld, interruptAttempts, recoverClaims } from './recover-store.ts'

/** Notifications on this channel tell the delivering processes that a lane may have a callback that is due. */
export const DUE_CHANNEL = 'callbacks_due'

const BEAT_MS = 1_000
/** A wake-up within this time after a beat causes no further beat. */
const BEAT_AGAIN_MS = 900
const TAKES_IN_ROW_MAX = 8
const NAMED_MAX = 256
/** The pause after a statement that took no lane. */
const EMPTY_TAKE_GAP_MS = 100

export interface Ownership {
  readonly processId: string
  readonly lanes: ReadonlyMap<string, OwnedLane>
  /** Called when a callback may be due in this lane. Without a lane: in any lane. */
  wake(lane?: Lane): void
  hasOthers(): boolean
  /** Called when the session by which other processes see this process is open. Stores the session's name immediately. */
  onSession(): void
  /** A statement failed. Other processes may have the same trouble, so none of them counts as dead for a while. */
  onTrouble(): void
  /** Takes no more lanes, and gives each lane back when none of its callbacks is in flight. */
  leave(): void
  /** Stops the beats, gives back the remaining lanes, and removes the process from the database. */
  stop(): Promise<void>
}

// Why this is long: short functions that share the list of lanes.
/** `onChange` is called when there may be something to fetch. `graceNowMs` reads a monotonic clock, which tests replace. */
export function startOwnership(
  deps: { db: Db; log: Logger; loopHealth: LoopHealth },
  flights: Flights,
  onChange: () => void,
  graceNowMs: () => number,
): Ownership {
  const { db, log } = deps
  const processId = randomUUID()
  const lanes = new Map<string, OwnedLane>()
  let sightings: ReadonlyMap<string, Sighting> = new Map()
  let dead: readonly string[] = []
  let alive: readonly string[] = [processId]
  let beatAtMs = -Infinity
  /** Since when the database has worked without trouble; null if there was trouble recently. */
  let healthySinceMs: number | null = null
  /** The lane after which the next call of `takeLanes` continues. Null: the next call starts with the first lane. */
  let walkStoppedAt: Lane | null = null
  let takesInRow = 0
  let emptyTakeAtMs = -Infinity
  let isLeaving = false
  const named = new Map<string, Lane>()
  const startedMs = performance.now()
  /** True once others can see the session of this process, or SESSION_WAIT_MS after its start. */
  let mayTake = false
  /**
   * True while the clocks of this machine and of the database disagree. This process then gives back its lanes and takes none,
   * because merchants refuse callbacks that are signed with a wrong time.
   */
  let isClockWrong = false

  const takesNoLanes = () => isLeaving || isClockWrong || !mayTake
  const times = () => ({ nowMs: performance.now(), graceNowMs: graceNowMs() })

  function onTrouble(): void {
    healthySinceMs = null
    sightings = new Map()
    dead = []
  }

  async function beat(): Promise<void> {
    const renewal = await renewProcess(db, processId, db.sessionName, takesNoLanes())
    const { isSeen, others } = renewal
    beatAtMs = performance.now()
    checkClock(renewal.clocksApartMs)
    mayTake ||= isSeen || beatAtMs - startedMs >= SESSION_WAIT_MS
    // Other statements may have failed to write, although this statement succeeded.
    healthySinceMs = db.hadWriteFailure() ? null : (healthySinceMs ?? graceNowMs())
    const fleet = judgeFleet(others, sightings, beatAtMs)
    sightings = fleet.sightings
    dead = fleet.dead
    alive = isLeaving || isClockWrong ? fleet.alive : [...fleet.alive, processId]
    syncLanes(lanes, await findOwnedLanes(db, processId), times())
    markMovingLanes(lanes, processId, alive, beatAtMs)
    if (isClockWrong) for (const lane of lanes.values()) lane.isMoving = true
    takesInRow = 0
    onChange()
  }

  function checkClock(apartMs: number): void {
    const wasWrong = isClockWrong
    isClockWrong = apartMs > CLOCKS_APART_MS_MAX
    if (isClockWrong && !wasWrong)
      log.error(
        { apartSec: Math.round(apartMs / 1000) },
        'this process sends no callbacks until the clocks of this machine and of the database agree',
      )
    if (wasWrong && !isClockWrong) log.info('the clocks agree again')
  }

  const isPastGrace = (sinceMs: number) =>
    healthySinceMs !== null && graceNowMs() - Math.max(sinceMs, healthySinceMs) >= RECOVER_GRACE_MS

  async function recover(): Promise<void> {
    for (const lane of lanes.values()) {
      const lost = findLost(lane, flights, isPastGrace)
      if (lost.length > 0) await tryRecovery(() => recoverLost(lane, lost))
    }
    if (!isPastGrace(-Infinity)) return
    await tryRecovery(async () => {
      if ((await recoverClaims(db)) > 0) onChange()
    })
  }

  async function recoverLost(lane: OwnedLane, lost: readonly string[]): Promise<void> {
    await interruptAttempts(db, lane, lost)
    await forgetHeld(db, lane, lost)
    lane.held = lane.held.filter(({ entry }) => !lost.includes(entry))
    onChange()
  }

  /** A lane that cannot be recovered must not stop the other lanes. The next beat retries. */
  async function tryRecovery(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isLost(error)) throw error
      log.error({ err: error }, 'interrupted callbacks could not be recovered')
    }
  }

  async function takeMoreLanes(): Promise<boolean> {
    const options = { after: walkStoppedAt, dead, alive, named: [...named.values()] }
    named.clear()
    const taken = await takeLanes(db, processId, options)
    for (const lane of taken.lanes) addLane(lanes, lane, times(), findPreferred(alive, lane) === processId)
    if (taken.lanes.length > 0) onChange()
    else emptyTakeAtMs = performance.now()
    walkStoppedAt = taken.endedAt
    takesInRow += 1
    return walkStoppedAt !== null && takesInRow < TAKES_IN_ROW_MAX
  }

  /**
   * Wake-ups for other processes' lanes may come hundreds of times a second, so there is a pause after a statement that took
   * no lane.
   */
  async function pauseBetweenTakes(): Promise<void> {
    const waitMs = emptyTakeAtMs + EMPTY_TAKE_GAP_MS - performance.now()
    if (walkStoppedAt === null && waitMs > 0) await sleep(waitMs)
  }

  async function giveBack(list: readonly OwnedLane[]): Promise<void> {
    if (list.length === 0) return
    // The lanes are dropped first, so that nothing is fetched from them meanwhile. If the statement fails, the next beat
    // finds them again.
    for (const lane of list) lanes.delete(toLaneKey(lane))
    await giveBackLanes(
      db,
      processId,
      list.map((lane) => ({ ...lane, sending: flights.entries(lane) })),
    )
    if (isLeaving || list.some((lane) => lane.isMoving)) db.signals.notify(DUE_CHANNEL)
  }

  async function giveBackUnneeded(): Promise<void> {
    const nowMs = performance.now()
    const atRest = [...lanes.values()].filter((lane) => isAtRest(lane, flights))
    await giveBack(atRest.filter((lane) => isLeaving || shouldGiveBack(lane, nowMs)))
  }

  function beatNow(): void {
    beatAtMs = -Infinity
    loop.wake()
  }

  const loop = startLoop({
    pollMs: BEAT_MS,
    onStepEnd: deps.loopHealth.watch('lanes', BEAT_MS),
    onError(error) {
      onTrouble()
      log.error({ err: error }, 'the lanes of this process could not be renewed')
    },
    async step() {
      if (performance.now() - beatAtMs >= BEAT_AGAIN_MS) {
        await beat()
        if (!isLeaving) await recover()
      }
      await giveBackUnneeded()
      if (takesNoLanes()) return false
      await pauseBetweenTakes()
      return takeMoreLanes()
    },
  })

  return {
    processId,
    lanes,
    onTrouble,
    hasOthers: () => alive.some((id) => id !== processId),
    onSession: beatNow,
    leave() {
      isLeaving = true
      beatNow()
    },
    wake(lane) {
      const known = lane && lanes.get(toLaneKey(lane))
      const woken = lane === undefined ? lanes.values() : known ? [known] : []
      for (const one of woken) Object.assign(one, { isDry: false, wakes: one.wakes + 1 })
      if (known) return
      if (lane !== undefined && named.size < NAMED_MAX) named.set(toLaneKey(lane), lane)
      loop.wake()
    },
    async stop() {
      await loop.stop()
      try {
        await giveBack([...lanes.values()])
        await removeProcess(db, processId)
      } catch (error) {
        // The session of this process ends, its lease expires, and others take the lanes.
        log.warn({ err: error }, 'the lanes of this process were not given back')
      }
      db.signals.notify(DUE_CHANNEL)
    },
  }
}
