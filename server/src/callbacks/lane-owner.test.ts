import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeenProcess, Sighting } from './lane-owner.ts'
import {
  EXPIRED_GAP_MS,
  findPreferred,
  judgeFleet,
  OVERDUE_SEC,
  PROCESS_LEASE_SEC,
  SESSION_GAP_MS,
  SESSION_WAIT_MS,
} from './lane-owner.ts'
import type { Lane } from './lanes.ts'

const LANES: readonly Lane[] = Array.from({ length: 300 }, (_, n) => ({ projectId: `p${n}`, mode: 'live' }))

test('each lane has one preferred process, and the lanes are spread over all processes', () => {
  const processes = ['a', 'b', 'c']
  const preferred = LANES.map((lane) => findPreferred(processes, lane))
  assert.deepEqual(
    LANES.map((lane) => findPreferred(processes.toReversed(), lane)),
    preferred,
  )
  for (const id of processes) {
    const count = preferred.filter((one) => one === id).length
    assert.ok(count > 60 && count < 140, `${id} has ${count} of 300`)
  }
  assert.equal(findPreferred([], LANES[0]!), null)
})

test('when a process joins, lanes move only to that process, and when a process leaves, only its own lanes move', () => {
  for (const lane of LANES) {
    const withTwo = findPreferred(['a', 'b'], lane)
    const withThree = findPreferred(['a', 'b', 'c'], lane)
    assert.ok(withThree === withTwo || withThree === 'c')
  }
})

const NOW_MS = 100_000
const newProcess = (fields: Partial<SeenProcess>): SeenProcess => ({
  id: 'a',
  lease: '12:00:10',
  isExpired: false,
  hasSession: true,
  takesNoLanes: false,
  ...fields,
})
const seenBefore = (trouble: Sighting['trouble'], agoMs: number, lease = '12:00:10'): Sighting => ({
  lease,
  trouble,
  atMs: NOW_MS - agoMs,
})
const EXPIRED = { isExpired: true }
const CASES: readonly [
  title: string,
  process: Partial<SeenProcess>,
  expected: 'alive' | 'dead' | 'neither',
  sighting?: Sighting,
][] = [
  ['a process with a valid lease and a session is alive', {}, 'alive'],
  ['a process that is stopping gets no lanes, and keeps its own lanes', { takesNoLanes: true }, 'neither'],
  ['a process whose lease was found expired once is neither alive nor dead', EXPIRED, 'neither'],
  [
    'a process whose lease was found expired twice is dead',
    EXPIRED,
    'dead',
    seenBefore('expired', EXPIRED_GAP_MS),
  ],
  [
    'two sightings of an expired lease count as one if they are too close together',
    EXPIRED,
    'neither',
    seenBefore('expired', EXPIRED_GAP_MS - 1),
  ],
  [
    'a sighting of an earlier lease does not count',
    EXPIRED,
    'neither',
    seenBefore('expired', 60_000, '11:59:00'),
  ],
  ['a process that has renewed its expired lease is alive', {}, 'alive', seenBefore('expired', 60_000)],
  [
    'a process whose session was found missing once is neither alive nor dead',
    { hasSession: false },
    'neither',
  ],
  [
    'a process whose session was found missing twice is dead',
    { hasSession: false },
    'dead',
    seenBefore('no session', SESSION_GAP_MS),
  ],
  [
    'a process that renews its lease without a session is not dead',
    { hasSession: false, lease: '12:00:11' },
    'neither',
    seenBefore('no session', SESSION_GAP_MS),
  ],
]
for (const [title, process, expected, sighting] of CASES) {
  test(title, () => {
    const fleet = judgeFleet([newProcess(process)], new Map(sighting ? [['a', sighting]] : []), NOW_MS)
    const found = fleet.dead.length > 0 ? 'dead' : fleet.alive.length > 0 ? 'alive' : 'neither'
    assert.equal(found, expected)
  })
}

test('the lanes of a killed process are free within a second, and those of a paused process within ten seconds', () => {
  assert.ok(
    SESSION_GAP_MS > 500 && SESSION_GAP_MS < 1_000,
    'the gap is longer than the 500 ms after which a process reopens its session, and shorter than a beat',
  )
  // A lease lasts as long as a statement may take by default.
  assert.deepEqual([PROCESS_LEASE_SEC, EXPIRED_GAP_MS], [7, 3_000])
  assert.deepEqual([OVERDUE_SEC, SESSION_WAIT_MS], [3, 3_000])
})
