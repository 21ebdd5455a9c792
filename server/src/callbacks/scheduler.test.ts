import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { FETCH_MAX, HOST_SLOTS, LANE_SLOTS, POOL_SLOTS, SLOTS, UNRESERVED_SLOTS } from './lanes.ts'
import type { OpenRequests, ScheduledLane } from './scheduler.ts'
import { shareSlots } from './scheduler.ts'

let laneCount = 0
function newLane(fields: Partial<ScheduledLane> = {}): ScheduledLane {
  laneCount += 1
  return {
    mode: 'live',
    host: `shop-${laneCount}.example.com`,
    inFlight: 0,
    isDry: false,
    isMoving: false,
    isTripped: false,
    isWaiting: false,
    probeAtMs: 0,
    hasBacklog: true,
    ramp: null,
    servedNth: 0,
    ...fields,
  }
}
const newLanes = (count: number, fields: Partial<ScheduledLane> = {}) =>
  Array.from({ length: count }, () => newLane(fields))
const toOpen = ({ mode, host, inFlight: count }: ScheduledLane): OpenRequests => ({ mode, host, count })
const shareAll = (given: readonly ScheduledLane[], slow: readonly string[] = [], more: OpenRequests[] = []) =>
  shareSlots(given, [...given.map(toOpen), ...more], 1_000, (host) => slow.includes(host))
const share = (...args: Parameters<typeof shareAll>) => shareAll(...args).map(({ slots }) => slots)
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const CASES: [title: string, lanes: ScheduledLane[], expected: number[], slow?: string[]][] = [
  ['a single lane gets all slots except the reserved ones', [newLane()], [UNRESERVED_SLOTS]],
  [
    'two lanes share the slots that are not reserved',
    [newLane(), newLane()],
    [UNRESERVED_SLOTS / 2, UNRESERVED_SLOTS / 2],
  ],
  ['a dry lane gets nothing', [newLane({ isDry: true }), newLane()], [0, UNRESERVED_SLOTS]],
  ['a lane that has to move to another process gets nothing', [newLane({ isMoving: true })], [0]],
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
  [
    'a tripped lane has at most one probe in flight',
    [newLane({ isTripped: true, isWaiting: true, inFlight: 1 })],
    [0],
  ],
  [
    'a tripped lane is not probed before the last outcome is recorded',
    [newLane({ isTripped: true, isWaiting: true })],
    [0],
  ],
  ['a lane that recovers gets as many slots as its ramp allows', [newLane({ ramp: 5, inFlight: 2 })], [3]],
  [
    'a fetch gives a lane without a backlog no more than its share, however much is in flight',
    [newLane({ hasBacklog: false }), newLane({ hasBacklog: false, inFlight: 50 })],
    [LANE_SLOTS.live, LANE_SLOTS.live],
  ],
  [
    'a fetch gives a test lane without a backlog no more than its share',
    [newLane({ mode: 'test', hasBacklog: false })],
    [LANE_SLOTS.test],
  ],
  [
    'a fetch gives lanes without a backlog no more than the share of their host',
    newLanes(4, { hasBacklog: false, host: 'one.example.com' }),
    [6, 6, 6, 6],
  ],
  ['the requests that a lane has in flight occupy slots', [newLane({ inFlight: UNRESERVED_SLOTS })], [0]],
  [
    'a lane within its share is served while another lane uses all slots that are not reserved',
    [newLane({ inFlight: UNRESERVED_SLOTS }), newLane()],
    [0, LANE_SLOTS.live],
  ],
]
const HOST = { host: 'one.example.com' }
const TEST = { ...HOST, mode: 'test' } as const
CASES.push(
  [
    'test requests to a host leave the slots of its live lanes free',
    [newLane({ inFlight: UNRESERVED_SLOTS }), ...newLanes(6, { ...TEST, inFlight: 4 }), newLane(HOST)],
    [0, 0, 0, 0, 0, 0, 0, LANE_SLOTS.live],
  ],
  [
    'test lanes of one host together get the share of two lanes while many slots are in use',
    [newLane({ inFlight: UNRESERVED_SLOTS }), ...newLanes(4, TEST)],
    [0, 2, 2, 2, 2],
  ],
  [
    'after each lane got its share, the remaining slots go to live lanes first',
    [newLane(TEST), newLane(HOST)],
    [LANE_SLOTS.test, UNRESERVED_SLOTS - LANE_SLOTS.test],
  ],
  [
    'the lane that was served longest ago is first',
    [newLane({ servedNth: 9 }), newLane({ servedNth: 8 }), newLane({ inFlight: SLOTS - 1 })],
    [0, 1, 0],
  ],
)
for (const [title, given, expected, slow] of CASES) {
  test(title, () => assert.deepEqual(share(given, slow), expected))
}

test('all test lanes together get the slots of the test pool, and no more', () => {
  assert.equal(sum(share(newLanes(40, { mode: 'test' }))), POOL_SLOTS.test)
})

test('all slow hosts together get the slots of the slow pool, and no more', () => {
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

test('many lanes on one host together get the share of one host while many other lanes want slots', () => {
  const crowd = newLanes(20, { host: 'crowd.example.com' })
  const others = newLanes(20)
  const given = share([...crowd, ...others])
  assert.equal(sum(given.slice(0, 20)), HOST_SLOTS.live)
})

const LOST: readonly [
  what: string,
  open: OpenRequests,
  lane: ScheduledLane,
  expected: number,
  slow: string[],
][] = [
  ['slots of this process', { mode: 'live', host: 'lost', count: SLOTS - 3 }, newLane(), 3, []],
  [
    'the slots of the host',
    { mode: 'live', host: 'x', count: UNRESERVED_SLOTS },
    newLane({ host: 'x' }),
    0,
    [],
  ],
  ['test slots', { mode: 'test', host: 'lost', count: 30 }, newLane({ mode: 'test' }), 2, []],
  [
    'slots of slow hosts',
    { mode: 'live', host: 'lost', count: 60 },
    newLane({ host: 'x' }),
    4,
    ['lost', 'x'],
  ],
]
for (const [caseName, open, lane, expected, slow] of LOST) {
  test(`open requests of lanes that another process took over still occupy ${caseName}`, () =>
    assert.deepEqual(share([lane], slow, [open]), [expected]))
}

test('a fetch is full if the lane or its host got at least as many slots as FETCH_MAX', () => {
  const isFull = (given: ScheduledLane[]) => shareAll(given).map(({ isFetchFull }) => isFetchFull)
  assert.deepEqual(isFull([newLane({ hasBacklog: false })]), [true])
  assert.deepEqual(isFull(newLanes(3, { ...HOST, hasBacklog: false })), [true, true, true])
  assert.deepEqual(isFull([newLane({ isTripped: true })]), [false])
  assert.deepEqual(isFull([newLane({ ramp: 11 })]), [false])
  assert.deepEqual(isFull([newLane(), newLane({ inFlight: SLOTS - 2 })]), [false, false])
})

const anyLane = fc.record({
  mode: fc.constantFrom('live' as const, 'test' as const),
  host: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  inFlight: fc.nat(20),
  isDry: fc.boolean(),
  isMoving: fc.boolean(),
  isTripped: fc.boolean(),
  isWaiting: fc.boolean(),
  probeAtMs: fc.nat(2_000),
  hasBacklog: fc.boolean(),
  ramp: fc.option(fc.integer({ min: 1, max: 95 })),
  servedNth: fc.nat(50),
})

test('for any lanes, no limit is exceeded, and no lane within its share is left out while slots are free', () => {
  fc.assert(
    fc.property(fc.array(anyLane, { maxLength: 60 }), fc.subarray(['a', 'b', 'c']), (fields, slow) => {
      const given = fields.map((one) => newLane(one))
      const slots = share(given, slow)
      const sumOf = (isOf: (one: ScheduledLane) => boolean) => ({
        before: sum(given.map((one) => (isOf(one) ? one.inFlight : 0))),
        after: sum(given.map((one, index) => (isOf(one) ? one.inFlight + slots[index]! : 0))),
      })
      const total = sumOf(() => true)
      assert.ok(total.after <= Math.max(SLOTS, total.before))
      const tests = sumOf(({ mode }) => mode === 'test')
      assert.ok(tests.after <= Math.max(POOL_SLOTS.test, tests.before))
      const isSlow = ({ mode, host }: ScheduledLane) => mode === 'live' && slow.includes(host)
      const slows = sumOf(isSlow)
      assert.ok(slows.after <= Math.max(POOL_SLOTS.slow, slows.before))
      for (const [index, one] of given.entries()) {
        const mayFetch =
          !one.isDry && !one.isMoving && (!one.isTripped || (!one.isWaiting && one.probeAtMs <= 1_000))
        const limit = one.isTripped ? 1 : (one.ramp ?? SLOTS)
        if (!mayFetch) assert.equal(slots[index], 0)
        if (slots[index]! > 0) assert.ok(one.inFlight + slots[index]! <= limit)
        if (!one.hasBacklog) assert.ok(slots[index]! <= FETCH_MAX.lane[one.mode])
        const host = sumOf((other) => other.host === one.host && other.mode === one.mode)
        const isHeldBack =
          !mayFetch ||
          one.inFlight >= Math.min(limit, LANE_SLOTS[one.mode]) ||
          host.after >= HOST_SLOTS[one.mode] ||
          (one.mode === 'test' && tests.after >= POOL_SLOTS.test) ||
          (isSlow(one) && slows.after >= POOL_SLOTS.slow) ||
          total.after >= SLOTS
        if (!isHeldBack) assert.ok(slots[index]! > 0, `lane ${index} got nothing`)
      }
    }),
  )
})

test('for any lanes, test lanes never use a slot that a live lane could use within its share', () => {
  // All slots that are not reserved are in use, so no lane exceeds its share. There are at most 12 lanes, so the reserved
  // slots suffice for the shares of all.
  const inUse: OpenRequests = { mode: 'live', host: 'busy', count: UNRESERVED_SLOTS }
  fc.assert(
    fc.property(fc.array(anyLane, { maxLength: 12 }), fc.subarray(['a', 'b', 'c']), (fields, slow) => {
      const given = fields.map((one) => newLane({ ...one, inFlight: Math.min(one.inFlight, 12) }))
      const isLive = ({ mode }: ScheduledLane) => mode === 'live'
      const slots = share(given, slow, [inUse]).filter((_, index) => isLive(given[index]!))
      assert.deepEqual(slots, share(given.filter(isLive), slow, [inUse]))
    }),
  )
})
