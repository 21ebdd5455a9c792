import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claimed } from './claimed.ts'
import { createFlights } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import type { StoredLane } from './lane-store.ts'
import type { OwnedLanes } from './owned-lanes.ts'
import {
  addLane,
  chooseLeaving,
  isAtRest,
  isToGiveBack,
  syncLanes,
  toHeldKeys,
  toSending,
} from './owned-lanes.ts'

const TIMES = { nowMs: 1_000, graceNowMs: 50 }
const stored = (fields: Partial<StoredLane> = {}): StoredLane => ({
  projectId: 'p1',
  mode: 'live',
  fence: '7',
  host: 'shop.example.com',
  sending: [],
  failuresInRow: 0,
  probeInMs: 0,
  ramp: null,
  ...fields,
})
const claimed = (id: string) =>
  ({ projectId: 'p1', mode: 'live', id, attempt: 3, trigger: 'auto' }) as Claimed

function setUp(fields: Partial<StoredLane> = {}) {
  const flights = createFlights()
  const lanes: OwnedLanes = new Map()
  flights.start(claimed('own'))
  addLane(lanes, stored(fields), flights, TIMES)
  return { flights, lanes, lane: () => lanes.get('p1 live') }
}

test('what the last owner was sending is held back, what this process is sending itself is not', () => {
  const { flights, lane } = setUp({ sending: ['own:2:auto', 'lost:0:manual'] })
  assert.deepEqual(lane()!.held, { entries: ['lost:0:manual'], sinceMs: 50 })
  assert.deepEqual(toHeldKeys(lane()!), ['lost:0'])
  assert.deepEqual(toSending(lane()!, flights), ['own:2:auto', 'lost:0:manual'])
})

test('a callback is in flight until it is recorded, and occupies a slot until the merchant has responded', () => {
  const { flights, lane } = setUp()
  assert.deepEqual([flights.countOpen(), flights.countOpen(lane()), flights.ids(lane()!)], [1, 1, ['own']])
  flights.land(claimed('own'))
  assert.deepEqual([flights.countOpen(), flights.countOpen(lane()), flights.ids(lane()!)], [0, 0, ['own']])
  flights.end(claimed('own'))
  assert.deepEqual([flights.ids(lane()!), flights.entries(lane()!)], [[], []])
})

test('a lane that another process has taken over is dropped, and one that the database knows is added', () => {
  const { flights, lanes, lane } = setUp()
  syncLanes(lanes, [stored({ failuresInRow: 3 }), stored({ projectId: 'p2' })], flights, TIMES)
  assert.equal(lane()!.failuresInRow, 3)
  assert.deepEqual([...lanes.keys()], ['p1 live', 'p2 live'])
  syncLanes(lanes, [stored({ projectId: 'p2', fence: '8' })], flights, TIMES)
  assert.deepEqual(
    [...lanes].map(([key, { fence }]) => [key, fence]),
    [['p2 live', '8']],
  )
})

test('a lane leaves when another process is preferred, but not just after it was taken', () => {
  const { lanes, lane } = setUp()
  const [first, second] = findPreferred(['a', 'b'], lane()!) === 'a' ? ['a', 'b'] : ['b', 'a']
  chooseLeaving(lanes, second, ['a', 'b'], 2_000)
  assert.equal(lane()!.isLeaving, false)
  chooseLeaving(lanes, second, ['a', 'b'], 20_000)
  assert.equal(lane()!.isLeaving, true)
  chooseLeaving(lanes, first, ['a', 'b'], 20_000)
  assert.equal(lane()!.isLeaving, false)
})

test('a lane is given back only when nothing of it is in flight or being fetched', () => {
  const { flights, lane } = setUp()
  assert.equal(isAtRest(lane()!, flights), false)
  flights.end(claimed('own'))
  assert.equal(isAtRest(lane()!, flights), true)
  lane()!.isFetching = true
  assert.equal(isAtRest(lane()!, flights), false)
})

test('a lane is given back when it leaves or was idle for a while, unless something is held back', () => {
  const { lane } = setUp()
  assert.equal(isToGiveBack(lane()!, 2_000), false)
  assert.equal(isToGiveBack(lane()!, 60_000), true)
  lane()!.held = { entries: ['lost:0:auto'], sinceMs: 0 }
  assert.equal(isToGiveBack(lane()!, 60_000), false)
  lane()!.isLeaving = true
  assert.equal(isToGiveBack(lane()!, 60_000), true)
})
