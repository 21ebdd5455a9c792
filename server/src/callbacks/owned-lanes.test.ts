import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutgoingCallback } from './outgoing-callback.ts'
import { createFlights } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import { BACKLOG_FETCHES } from './lanes.ts'
import type { StoredLane } from './lane-store.ts'
import type { OwnedLanes } from './owned-lanes.ts'
import {
  addLane,
  markMovingLanes,
  findLost,
  hasBacklog,
  isAtRest,
  shouldGiveBack,
  updateAfterFetch,
  syncLanes,
  toHeldKeys,
} from './owned-lanes.ts'

const TIMES = { nowMs: 1_000, graceNowMs: 50 }
const newStoredLane = (fields: Partial<StoredLane> = {}): StoredLane => ({
  projectId: 'p1',
  mode: 'live',
  fence: '7',
  host: 'shop.example.com',
  held: [],
  readAtMs: 9_000,
  failuresInRow: 0,
  probeInMs: 0,
  ramp: null,
  ...fields,
})
const newOutgoing = (id: string) =>
  ({
    projectId: 'p1',
    mode: 'live',
    host: 'shop.example.com',
    id,
    attempt: 3,
    trigger: 'auto',
  }) as OutgoingCallback

function setUp(fields: Partial<StoredLane> = {}) {
  const flights = createFlights()
  const lanes: OwnedLanes = new Map()
  flights.start(newOutgoing('own'))
  addLane(lanes, newStoredLane(fields), TIMES)
  return { flights, lanes, lane: () => lanes.get('p1 live') }
}

test('the grace period of a held callback starts when the callback was first held back', () => {
  // The row was read at 9,000, when the entries had been held back for 5,000 ms and 10 ms.
  const { lane } = setUp({ held: ['first:0:manual:4000', 'second:1:auto:8990'] })
  assert.deepEqual(
    lane()!.held.map(({ sinceMs }) => sinceMs),
    [50 - 5_000, 50 - 10],
  )
  assert.deepEqual(toHeldKeys(lane()!), ['first:0', 'second:1'])
})

test('callbacks that are held back long enough count as lost, except those that this process is sending itself', () => {
  const { flights, lane } = setUp({ held: ['own:2:auto:4000', 'lost:0:manual:4000', 'new:1:auto:8990'] })
  const isLongAgo = (sinceMs: number) => sinceMs < 0
  assert.deepEqual(findLost(lane()!, flights, isLongAgo), ['lost:0:manual:4000'])
  flights.markRecorded(newOutgoing('own'))
  assert.deepEqual(findLost(lane()!, flights, isLongAgo), ['own:2:auto:4000', 'lost:0:manual:4000'])
})

test('a callback whose outcome cannot be written stays in the list of unrecorded callbacks, but its lane can be given back', () => {
  const { flights, lane } = setUp()
  flights.start(newOutgoing('refused'))
  flights.markRefused(newOutgoing('refused'))
  assert.equal(isAtRest(lane()!, flights), false)
  flights.markRecorded(newOutgoing('own'))
  assert.equal(isAtRest(lane()!, flights), true)
  assert.deepEqual(flights.ids(lane()!), ['refused'])
  assert.deepEqual(flights.entries(lane()!), ['refused:2:auto'])
})

test('a callback is in flight until it is recorded, and occupies a slot until the merchant has responded', () => {
  const { flights, lane } = setUp()
  assert.deepEqual([flights.countOpen(), flights.countOpen(lane()), flights.ids(lane()!)], [1, 1, ['own']])
  flights.endRequest(newOutgoing('own'))
  assert.deepEqual([flights.countOpen(), flights.countOpen(lane()), flights.ids(lane()!)], [0, 0, ['own']])
  flights.markRecorded(newOutgoing('own'))
  assert.deepEqual([flights.ids(lane()!), flights.entries(lane()!)], [[], []])
})

test('a sync drops a lane that another process has taken over, and adds a lane that the database lists for this process', () => {
  const { lanes, lane } = setUp()
  syncLanes(lanes, [newStoredLane({ failuresInRow: 3 }), newStoredLane({ projectId: 'p2' })], TIMES)
  assert.equal(lane()!.failuresInRow, 3)
  assert.deepEqual([...lanes.keys()], ['p1 live', 'p2 live'])
  syncLanes(lanes, [newStoredLane({ projectId: 'p2', fence: '8' })], TIMES)
  assert.deepEqual(
    [...lanes].map(([key, { fence }]) => [key, fence]),
    [['p2 live', '8']],
  )
})

test('a process that is not preferred keeps a lane for a while after taking it, and then the lane moves to the preferred process', () => {
  const { lanes, lane } = setUp()
  addLane(lanes, newStoredLane(), TIMES, false)
  const [first, second] = findPreferred(['a', 'b'], lane()!) === 'a' ? ['a', 'b'] : ['b', 'a']
  markMovingLanes(lanes, second, ['a', 'b'], 2_000)
  assert.equal(lane()!.isMoving, false)
  markMovingLanes(lanes, second, ['a', 'b'], 20_000)
  assert.equal(lane()!.isMoving, true)
  markMovingLanes(lanes, first, ['a', 'b'], 20_000)
  assert.equal(lane()!.isMoving, false)
  addLane(lanes, newStoredLane(), TIMES)
  markMovingLanes(lanes, second, ['a', 'b'], 2_000)
  assert.equal(lane()!.isMoving, true, 'the preferred process has just joined')
})

test('a lane does not move while it holds callbacks back, because another process would hold them back for longer', () => {
  const { lanes, lane } = setUp()
  addLane(lanes, newStoredLane({ held: ['msg_a:0:auto:8000'] }), TIMES)
  const second = findPreferred(['a', 'b'], lane()!) === 'a' ? 'b' : 'a'
  markMovingLanes(lanes, second, ['a', 'b'], 20_000)
  assert.equal(lane()!.isMoving, false)
  lane()!.held = []
  markMovingLanes(lanes, second, ['a', 'b'], 20_000)
  assert.equal(lane()!.isMoving, true)
})

const FULL = { slots: 12, isFetchFull: true, servedNth: 40 }

test('a lane has a backlog after several full fetches in a row, and no backlog after a fetch that found fewer callbacks than slots', () => {
  const { lane } = setUp()
  const backlogs = Array.from({ length: BACKLOG_FETCHES }, () => {
    updateAfterFetch(lane()!, { found: 12, share: FULL, wakes: 0 }, 5_000)
    return hasBacklog(lane()!)
  })
  assert.deepEqual(backlogs, [false, false, false, true])
  assert.deepEqual([lane()!.isDry, lane()!.usedAtMs, lane()!.servedNth], [false, 5_000, 40])
  updateAfterFetch(lane()!, { found: 0, share: { ...FULL, slots: 96, servedNth: 50 }, wakes: -1 }, 6_000)
  assert.deepEqual([hasBacklog(lane()!), lane()!.isDry, lane()!.usedAtMs], [false, false, 5_000])
  assert.equal(lane()!.servedNth, 40, 'the lane used no slot')
  updateAfterFetch(lane()!, { found: 3, share: FULL, wakes: 0 }, 6_000)
  assert.deepEqual([lane()!.isDry, lane()!.usedAtMs], [true, 6_000])
})

test('if a lane gets fewer slots than the maximum, a fetch that fills these slots does not change whether the lane has a backlog', () => {
  const { lane } = setUp()
  const fetchOne = () =>
    updateAfterFetch(lane()!, { found: 1, share: { ...FULL, slots: 1, isFetchFull: false }, wakes: 0 }, 0)
  for (let nth = 0; nth < 2 * BACKLOG_FETCHES; nth += 1) fetchOne()
  assert.deepEqual([hasBacklog(lane()!), lane()!.isDry], [false, false])
  for (let nth = 0; nth < BACKLOG_FETCHES; nth += 1)
    updateAfterFetch(lane()!, { found: 12, share: FULL, wakes: 0 }, 0)
  fetchOne()
  assert.equal(hasBacklog(lane()!), true)
})

test('a lane is given back only when none of its callbacks is in flight and no fetch is running', () => {
  const { flights, lane } = setUp()
  assert.equal(isAtRest(lane()!, flights), false)
  flights.markRecorded(newOutgoing('own'))
  assert.equal(isAtRest(lane()!, flights), true)
  lane()!.isFetching = true
  assert.equal(isAtRest(lane()!, flights), false)
})

test('a lane is given back when it has to move, or when it was idle for a while and holds no callback back', () => {
  const { lane } = setUp()
  assert.equal(shouldGiveBack(lane()!, 2_000), false)
  assert.equal(shouldGiveBack(lane()!, 60_000), true)
  lane()!.held = [{ entry: 'lost:0:auto:0', sinceMs: 0 }]
  assert.equal(shouldGiveBack(lane()!, 60_000), false)
  lane()!.isMoving = true
  assert.equal(shouldGiveBack(lane()!, 60_000), true)
})

test('an idle lane is given back after ten seconds, and after fifteen seconds a lane leaves a process that is not preferred', () => {
  const { lanes, lane } = setUp()
  const idle = [10_999, 11_000].map((nowMs) => shouldGiveBack(lane()!, nowMs))
  assert.deepEqual(idle, [false, true])
  addLane(lanes, newStoredLane(), TIMES, false)
  const leaving = [15_999, 16_000].map((nowMs) => {
    markMovingLanes(lanes, 'a', ['b'], nowMs)
    return lane()!.isMoving
  })
  assert.deepEqual(leaving, [false, true])
})

test('a sync resets isDry, so that the lane is fetched again, and updates the host and the next probe of the lane', () => {
  const { lanes, lane } = setUp()
  lane()!.isDry = true
  syncLanes(lanes, [newStoredLane({ probeInMs: 5_000, host: 'new.example.com' })], { ...TIMES, nowMs: 2_000 })
  const { isDry, probeAtMs, host } = lane()!
  assert.deepEqual([isDry, probeAtMs, host], [false, 7_000, 'new.example.com'])
})
