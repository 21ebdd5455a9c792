// Checks which lanes get slots over many fetches. A lane is one project in one mode, and a slot is one request in flight.
// The tests use the real rules of a process and its real lists in memory, but no database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { runShare } from '../../test/counts.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import { planFetch } from './fetch-plan.ts'
import { createFlights } from './flights.ts'
import { BREAKER_FAILURES, LANE_SLOTS, PROBE_GAP_SEC, SLOTS, toLaneKey } from './lanes.ts'
import type { Lane } from './lanes.ts'
import type { StoredLane } from './lane-store.ts'
import type { OwnedLanes } from './owned-lanes.ts'
import { addLane, postponeProbe, updateAfterFetch } from './owned-lanes.ts'

interface WorkerOptions {
  slowHosts?: readonly string[]
  /** The seed of the random choice of the requests that end. */
  seed?: number
}

/** A worker whose lanes always have something due. */
function createWorker(stored: readonly (Partial<StoredLane> & Lane)[], options: WorkerOptions = {}) {
  const lanes: OwnedLanes = new Map()
  for (const one of stored) addLane(lanes, toStored(one), { nowMs: 0, graceNowMs: 0 })
  const flights = createFlights()
  const slowHosts = new Set(options.slowHosts ?? [])
  let open: OutgoingCallback[] = []
  let sent = 0
  let random = options.seed ?? 1

  function start(lane: Lane & { host: string }): OutgoingCallback {
    sent += 1
    const { projectId, mode, host } = lane
    const callback = {
      projectId,
      mode,
      host,
      id: `c${sent}`,
      attempt: 1,
      trigger: 'auto',
    } as OutgoingCallback
    flights.start(callback)
    open.push(callback)
    return callback
  }

  return {
    flights,
    start,
    lane: (key: string) => lanes.get(key)!,
    /** Returns how many callbacks each lane sent. */
    fetch(nowMs = 0): Map<string, number> {
      const counts = new Map<string, number>()
      for (const { lane, share, wakes } of planFetch([...lanes.values()], flights, nowMs, slowHosts)) {
        for (let nth = 0; nth < share.slots; nth += 1) start(lane)
        updateAfterFetch(lane, { found: share.slots, share, wakes }, nowMs)
        counts.set(toLaneKey(lane), share.slots)
      }
      return counts
    },
    endSome(count: number, isOf: (callback: OutgoingCallback) => boolean) {
      const candidates = open.filter(isOf)
      const ended = new Set<OutgoingCallback>()
      while (ended.size < Math.min(count, candidates.length)) {
        random = (random * 48_271) % 2_147_483_647
        ended.add(candidates[random % candidates.length]!)
      }
      for (const one of ended) {
        flights.endRequest(one)
        flights.markRecorded(one)
      }
      open = open.filter((one) => !ended.has(one))
    },
  }
}

const toStored = (fields: Partial<StoredLane> & Lane): StoredLane => ({
  host: `${fields.projectId}.example.com`,
  fence: '1',
  held: [],
  readAtMs: 0,
  failuresInRow: 0,
  probeInMs: 0,
  ramp: null,
  ...fields,
})
const newLanes = (prefix: string, count: number, fields: Partial<StoredLane> = {}) =>
  Array.from({ length: count }, (_, n) => ({ projectId: `${prefix}${n}`, mode: 'live' as const, ...fields }))
const isCrowd = ({ projectId }: Lane) => projectId.startsWith('crowd')

const NUM_RUNS = runShare === 'prove' ? 25 : 10

/** A crowd is a group of lanes that want more slots than they can get. `others`: how many lanes are not in the crowd. */
const CROWDS: readonly [what: string, crowd: Partial<StoredLane>, isSlow: boolean, others: number][] = [
  ['with more busy lanes than slots', {}, false, 0],
  ['with more test lanes than test slots', { mode: 'test' }, false, 8],
  ['with more slow lanes than slots for slow hosts', {}, true, 8],
  ['with more lanes on one host than the host has slots', { host: 'one.example.com' }, false, 10],
]
for (const [caseName, fields, isSlow, others] of CROWDS) {
  test(`${caseName}, a lane waits at most until each other lane has been served once`, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 22, max: 150 }),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (count, freed, seed) => {
          const crowd = newLanes('crowd', count, fields).map(toStored)
          const slowHosts = isSlow ? crowd.map(({ host }) => host) : []
          const worker = createWorker([...crowd, ...newLanes('other', others)], { slowHosts, seed })
          const waits = new Map(crowd.map((lane) => [toLaneKey(lane), 0]))
          worker.fetch()
          for (let round = 0; round < 3 * Math.ceil(count / freed) + 3; round += 1) {
            worker.endSome(freed, isCrowd)
            worker.endSome(50, (one) => !isCrowd(one))
            const couldUse = new Set(
              crowd.filter((lane) => worker.flights.countOpen(lane) < LANE_SLOTS[lane.mode]).map(toLaneKey),
            )
            const served = worker.fetch()
            for (const [key, wait] of waits) {
              const isWaiting = couldUse.has(key) && !served.has(key)
              waits.set(key, served.has(key) ? 0 : wait + Number(isWaiting))
              assert.ok(waits.get(key)! <= Math.ceil(count / freed), `${key} waits in round ${round}`)
            }
          }
        },
      ),
      { numRuns: NUM_RUNS },
    )
  })
}

test('requests of a lane that another process took over still occupy slots', () => {
  const worker = createWorker(newLanes('a', 3))
  const lost = { projectId: 'lost', mode: 'live', host: 'lost.example.com' } as const
  for (let nth = 0; nth < SLOTS - 2; nth += 1) worker.start(lost)
  assert.deepEqual([...worker.fetch()], Object.entries({ 'a0 live': 1, 'a1 live': 1 }))
})

const TRIPPED = { projectId: 'p', mode: 'live', failuresInRow: BREAKER_FAILURES } as const

test('a tripped lane gets its next probe when the outcome of the last probe is recorded', () => {
  const worker = createWorker([TRIPPED])
  assert.deepEqual([...worker.fetch()], [['p live', 1]])
  assert.equal(worker.fetch().size, 0, 'the probe is in flight')
  worker.endSome(1, () => true)
  assert.equal(worker.fetch().size, 1)
})

test('if the outcome of a probe cannot be recorded, a tripped lane gets its next probe after the usual gap', () => {
  const worker = createWorker([TRIPPED])
  const refused = worker.start(worker.lane('p live'))
  worker.flights.endRequest(refused)
  assert.equal(worker.fetch().size, 0, 'the outcome may still be recorded')
  worker.flights.markRefused(refused)
  postponeProbe(worker.lane('p live'), 100)
  assert.equal(worker.fetch(100 + PROBE_GAP_SEC * 1_000 - 1).size, 0)
  assert.equal(worker.fetch(100 + PROBE_GAP_SEC * 1_000).size, 1)
  assert.equal(
    worker.flights.ids(TRIPPED).includes(refused.id),
    true,
    'the callback itself is not sent again',
  )
})

test('unrecorded outcomes of a tripped lane occupy no slots', () => {
  const worker = createWorker([TRIPPED, ...newLanes('a', 1)])
  for (let nth = 0; nth < SLOTS; nth += 1) worker.flights.endRequest(worker.start(worker.lane('p live')))
  assert.deepEqual([...worker.fetch()], [['a0 live', LANE_SLOTS.live]])
})

test('if a tripped lane fetches only probes, it does not count as a lane with a backlog', () => {
  const worker = createWorker([TRIPPED])
  for (let nth = 0; nth < 10; nth += 1) {
    worker.fetch()
    worker.endSome(1, () => true)
  }
  worker.lane('p live').failuresInRow = 0
  assert.deepEqual([...worker.fetch()], [['p live', LANE_SLOTS.live]])
})
