import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { HOST_SLOTS, LANE_SLOTS, LONE_SLOTS, POOL_SLOTS, SLOTS, SLOTS_RESERVED } from './lanes.ts'
import type { ScheduledLane } from './scheduler.ts'
import { shareSlots } from './scheduler.ts'

let laneCount = 0
function newLane(fields: Partial<ScheduledLane> = {}): ScheduledLane {
  laneCount += 1
  return {
    projectId: `p${laneCount}`,
    mode: 'live',
    host: `shop-${laneCount}.example.com`,
    inFlight: 0,
    isDry: false,
    isLeaving: false,
    isTripped: false,
    probeAtMs: 0,
    hasBacklog: true,
    ramp: null,
    ...fields,
  }
}
const newLanes = (count: number, fields: Partial<ScheduledLane> = {}) =>
  Array.from({ length: count }, () => newLane(fields))
const share = (given: readonly ScheduledLane[], slow: readonly string[] = [], nowMs = 1_000) =>
  shareSlots(given, nowMs, (host) => slow.includes(host))
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const CASES: readonly [title: string, lanes: ScheduledLane[], expected: number[], slow?: string[]][] = [
  ['a lone lane gets every slot but the reserved ones', [newLane()], [LONE_SLOTS]],
  ['two lanes share these slots', [newLane(), newLane()], [LONE_SLOTS / 2, LONE_SLOTS / 2]],
  ['a dry lane gets nothing', [newLane({ isDry: true }), newLane()], [0, LONE_SLOTS]],
  ['a lane that is to move gets nothing', [newLane({ isLeaving: true })], [0]],
  [
    'a tripped lane gets one slot at the time of its probe',
    [newLane({ isTripped: true, probeAtMs: 1_000 })],
    [1],
  ],
  [
    'a tripped lane gets nothing before the time of its probe',
    [newLane({ isTripped: true, probeAtMs: 1_001 })],
    [0],
  ],
  ['a tripped lane has one probe in flight at most', [newLane({ isTripped: true, inFlight: 1 })], [0]],
  ['a lane that recovers gets what its ramp allows', [newLane({ ramp: 5, inFlight: 2 })], [3]],
  [
    'a lane without a backlog gets no more at once than its share, however much is in flight',
    [newLane({ hasBacklog: false }), newLane({ hasBacklog: false, inFlight: 50 })],
    [LANE_SLOTS.live, LANE_SLOTS.live],
  ],
  [
    'lanes without a backlog get no more at once than the share of their host',
    newLanes(4, { hasBacklog: false, host: 'one.example.com' }),
    [6, 6, 6, 6],
  ],
  ['the requests that a lane has in flight count', [newLane({ inFlight: LONE_SLOTS })], [0]],
  [
    'a lane within its share is served while another uses all the rest',
    [newLane({ inFlight: LONE_SLOTS }), newLane()],
    [0, LANE_SLOTS.live],
  ],
]
for (const [title, given, expected, slow] of CASES) {
  test(title, () => assert.deepEqual(share(given, slow), expected))
}

test('all test traffic has its own pool', () => {
  assert.equal(sum(share(newLanes(40, { mode: 'test' }))), POOL_SLOTS.test)
})

test('slow hosts share a pool, however many there are', () => {
  const given = newLanes(30)
  assert.equal(
    sum(
      share(
        given,
        given.map(({ host }) => host),
      ),
    ),
    POOL_SLOTS.slow,
  )
})

test('many lanes on one host together get the share of one host, and no more', () => {
  const crowd = newLanes(20, { host: 'crowd.example.com' })
  const others = newLanes(20)
  const given = share([...crowd, ...others])
  assert.equal(sum(given.slice(0, 20)), HOST_SLOTS)
})

const anyLane = fc.record({
  mode: fc.constantFrom('live' as const, 'test' as const),
  host: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  inFlight: fc.nat(20),
  isDry: fc.boolean(),
  isLeaving: fc.boolean(),
  isTripped: fc.boolean(),
  probeAtMs: fc.nat(2_000),
  ramp: fc.option(fc.integer({ min: 1, max: 95 })),
})

test('for any lanes, no limit is exceeded, and no lane within its share is left out while slots are free', () => {
  fc.assert(
    fc.property(fc.array(anyLane, { maxLength: 60 }), fc.subarray(['a', 'b', 'c']), (fields, slow) => {
      const given = fields.map((one) => newLane(one))
      const room = share(given, slow)
      const total = sum(given.map((one, index) => one.inFlight + room[index]!))
      const inFlightBefore = sum(given.map((one) => one.inFlight))
      assert.ok(total <= Math.max(SLOTS, inFlightBefore))
      const sumOf = (isOf: (one: ScheduledLane) => boolean) => ({
        before: sum(given.map((one) => (isOf(one) ? one.inFlight : 0))),
        after: sum(given.map((one, index) => (isOf(one) ? one.inFlight + room[index]! : 0))),
      })
      const tests = sumOf(({ mode }) => mode === 'test')
      assert.ok(tests.after <= Math.max(POOL_SLOTS.test, tests.before))
      const isSlow = ({ mode, host }: ScheduledLane) => mode === 'live' && slow.includes(host)
      const slows = sumOf(isSlow)
      assert.ok(slows.after <= Math.max(POOL_SLOTS.slow, slows.before))
      for (const [index, one] of given.entries()) {
        const mayFetch =
          !one.isDry && !one.isLeaving && (!one.isTripped || (one.inFlight === 0 && one.probeAtMs <= 1_000))
        const limit = one.isTripped ? 1 : (one.ramp ?? SLOTS)
        if (!mayFetch) assert.equal(room[index], 0)
        if (room[index]! > 0) assert.ok(one.inFlight + room[index]! <= limit)
        const host = sumOf((other) => other.host === one.host)
        const isHeldBack =
          !mayFetch ||
          one.inFlight >= Math.min(limit, LANE_SLOTS[one.mode]) ||
          host.after >= HOST_SLOTS ||
          (one.mode === 'test' && tests.after >= POOL_SLOTS.test) ||
          (isSlow(one) && slows.after >= POOL_SLOTS.slow) ||
          total >= SLOTS - SLOTS_RESERVED
        if (!isHeldBack) assert.ok(room[index]! > 0, `lane ${index} got nothing`)
      }
    }),
  )
})
